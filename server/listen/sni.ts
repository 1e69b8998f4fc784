/** Which certificate a client gets, by the name it asks for, or by the address that it came to where it names none. */
import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { SUBDOMAIN } from "../../schema/values/name_patterns.ts";
import type { SniPair } from "./types.ts";

const DOMAIN = new RegExp(`^(\\*|(\\*\\.)?${SUBDOMAIN})$`);

/** Names of a certificate: its common name where that is one, and the DNS names of its alternative names. Addresses are none. */
function certificateNames(pem: string): string[] {
  const certificate = new X509Certificate(pem);
  const names = [...(certificate.subjectAltName ?? "").matchAll(/DNS:([^,\s]+)/g)].map((m) => m[1]!);
  const common = /^CN=(.*)$/m.exec(certificate.subject)?.[1] ?? "";
  return DOMAIN.test(common) && isIP(common) === 0 ? [common, ...names] : names;
}

/**
 * Pairs by name, in lower case: patterns that are told win over names that stand in certificates, and among each of these earlier
 * pairs over later ones. Patterns may be addresses.
 */
export function pairsByName(pairs: readonly SniPair[]): ReadonlyMap<string, SniPair> {
  const told = pairs.filter((pair) => pair.names?.length), bare = pairs.filter((pair) => !pair.names?.length);
  const table = new Map<string, SniPair>();
  for (const pair of [...told, ...bare]) {
    const names = pair.names?.length ? pair.names : certificateNames(pair.cert);
    for (const name of names.map((n) => n.toLowerCase())) if (!table.has(name)) table.set(name, pair);
  }
  return table;
}

/** What is there for a name. Exact names win over wildcards; a wildcard stands for one label. Undefined: the default. */
export function chosen<T>(table: ReadonlyMap<string, T>, name: string): T | undefined {
  const lower = name.toLowerCase();
  return table.get(lower) ?? table.get(lower.replace(/^[^.]+/, "*"));
}
