/** What extension servers are told of whom to trust: one ConfigMap, which several servers may write. */
import { certificateFacts, fromPem, toPem } from "../../pki/mod.ts";

/** By what extension servers know the members of the cluster, and this server when it speaks for them. */
export interface Trust {
  /** PEM text of `--client-ca-file`. */
  readonly clientCa?: string | undefined;
  /** The front proxy's settings, when there is one. */
  readonly requestHeader?: {
    readonly ca: string;
    readonly usernameHeaders: readonly string[];
    readonly uidHeaders: readonly string[];
    readonly groupHeaders: readonly string[];
    readonly extraHeaderPrefixes: readonly string[];
    readonly allowedNames: readonly string[];
  } | undefined;
}

/** Name of the ConfigMap by which extension servers learn whom to trust, in the system namespace. */
export const TRUST_CONFIG_MAP = "extension-apiserver-authentication";

/** Its data. */
export function trustData(f: Trust): Record<string, string> {
  const data: Record<string, string> = {};
  if (f.clientCa) data["client-ca-file"] = f.clientCa;
  const h = f.requestHeader;
  if (h) {
    data["requestheader-allowed-names"] = JSON.stringify(h.allowedNames);
    data["requestheader-client-ca-file"] = h.ca;
    data["requestheader-extra-headers-prefix"] = JSON.stringify(h.extraHeaderPrefixes);
    data["requestheader-group-headers"] = JSON.stringify(h.groupHeaders);
    if (h.uidHeaders.length) data["requestheader-uid-headers"] = JSON.stringify(h.uidHeaders);
    data["requestheader-username-headers"] = JSON.stringify(h.usernameHeaders);
  }
  return data;
}

/**
 * Data that says what it said and what is wanted: servers of a cluster trust each other's authorities while those change. Of
 * certificates those that have ended are left out. What cannot be read is replaced. `now` in ms since the epoch.
 */
export function mergedTrust(
  current: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>>,
  now: number,
): Record<string, string> {
  const out = { ...current };
  for (const [key, value] of Object.entries(wanted)) {
    const before = current[key];
    if (key.endsWith("client-ca-file")) out[key] = mergedAuthorities(before, value, now);
    else out[key] = before === undefined || before === value ? value : mergedNames(before, value);
  }
  return out;
}

/** PEM text of the certificates of both that have not ended. `now` in ms since the epoch. */
export function mergedAuthorities(current: string | undefined, wanted: string, now: number): string {
  if (current === undefined || current === wanted) return wanted;
  const blocks = [current, wanted].flatMap((pem) => certificatesOf(pem, now));
  const unique = new Map(blocks.map((der) => [der.toBase64(), der]));
  return unique.size ? [...unique.values()].map((der) => toPem("CERTIFICATE", der)).join("") : wanted;
}

function certificatesOf(pem: string, now: number): Uint8Array[] {
  try {
    return fromPem("CERTIFICATE", pem).filter((der) => certificateFacts(der).notAfter.getTime() > now);
  } catch {
    return [];
  }
}

function mergedNames(current: string, wanted: string): string {
  try {
    const names = [...JSON.parse(current) as string[], ...JSON.parse(wanted) as string[]];
    return JSON.stringify([...new Set(names)]);
  } catch {
    return wanted;
  }
}
