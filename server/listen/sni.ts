/** Which certificate a client gets, by the name it asks for, or by the address that it came to where it names none. */
import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import type { KeyPair } from "../../pki/pair.ts";
import { SUBDOMAIN } from "../../schema/values/name_patterns.ts";
import type { SniPair } from "./types.ts";

const DOMAIN = new RegExp(`^(\\*|(\\*\\.)?${SUBDOMAIN})$`);

const dnsNames = ({ subjectAltName = "" }: X509Certificate): string[] =>
  [...subjectAltName.matchAll(/DNS:([^,\s]+)/g)].map((m) => m[1]!);

/** Names of a certificate: its common name where that is one, and the DNS names of its alternative names. Addresses are none. */
function certificateNames(pem: string): string[] {
  const certificate = new X509Certificate(pem), names = dnsNames(certificate);
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

/**
 * The pair for a name that a client asks for. Exact names win over wildcards; a wildcard stands for one label. Where the table has
 * neither, the first whose certificate is good for the name, though other patterns are told of it, and else the default.
 */
export function chooser(
  usual: KeyPair,
  sni: readonly SniPair[],
  table: ReadonlyMap<string, SniPair>,
): (name: string) => KeyPair {
  const all = [usual, ...sni].map((pair) => ({ pair, good: new Set(goodFor(pair.cert)) }));
  return (name) => {
    const exact = name.toLowerCase(), wild = exact.replace(/^[^.]+/, "*");
    const told = table.get(exact) ?? table.get(wild);
    return told ?? all.find(({ good }) => good.has(exact) || good.has(wild))?.pair ?? usual;
  };
}

/** Names that clients verify a certificate by. */
const goodFor = (pem: string): string[] => dnsNames(new X509Certificate(pem)).map((name) => name.toLowerCase());
