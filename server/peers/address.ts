/** Addresses by which servers of a cluster reach each other, and the name that each goes by. */

/** A host (an IPv6 address without brackets) and a port. */
export interface PeerAddress {
  readonly host: string;
  readonly port: number;
}

/** Annotation of an identity lease: where peers reach that server. A public name. */
export const ADVERTISED = "kubernetes.io/peer-advertise-address";

/** Label of identity leases, and its value. Public names. */
export const IDENTITY = ["apiserver.kubernetes.io/identity", "kube-apiserver"] as const;

/** `host:port`, an IPv6 address in brackets. */
export const joined = (host: string, port: number | string): string =>
  host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;

/** Reads {@linkcode joined}; undefined for what is none. */
export function split(text: string): PeerAddress | undefined {
  const [, bracketed, plain, digits] = /^(?:\[([^[\]]+)\]|([^[\]:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain, port = Number(digits);
  return host !== undefined && port >= 1 && port <= 65535 ? { host, port } : undefined;
}

/** Where peers reach this server: what the options say where they say both, else the address that clients reach it by. */
export const advertisedTo = (
  { peerAdvertiseIp, peerAdvertisePort }: { readonly peerAdvertiseIp: string; readonly peerAdvertisePort: string },
  { host, port }: PeerAddress,
): string =>
  peerAdvertiseIp !== "" && peerAdvertisePort !== "" ? joined(peerAdvertiseIp, peerAdvertisePort) : joined(host, port);
