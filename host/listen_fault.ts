/** Why a host refuses to listen. */

const FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: "the address is in use",
  EADDRNOTAVAIL: "this host has no such address",
  EINVAL: "this host has no such address",
  EACCES: "permission denied",
};

/** What a listener's error means, in words; of others their own text. */
export function listenFault(error: Error & { readonly code?: string }): string {
  return FAULTS[error.code ?? ""] ?? error.message;
}
