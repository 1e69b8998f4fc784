/** Which certificate a client gets, by the name it asks for. */
import { X509Certificate } from "node:crypto";
import type { SniPair } from "./types.ts";

/** DNS names of a certificate: those of its alternative names, else its common name. */
function certificateNames(pem: string): string[] {
  const certificate = new X509Certificate(pem);
  const names = [...(certificate.subjectAltName ?? "").matchAll(/DNS:([^,\s]+)/g)].map((m) => m[1]!);
  if (names.length > 0) return names;
  const common = /^CN=(.*)$/m.exec(certificate.subject)?.[1];
  return common === undefined ? [] : [common];
}

/**
 * Makes the chooser over pairs made of `T`. Exact names win over wildcards, earlier pairs over later ones; a wildcard stands for one
 * label. Names compare without regard to case. Undefined: the default pair.
 */
export function sniChooser<T>(pairs: readonly SniPair[], make: (pair: SniPair) => T): (name: string) => T | undefined {
  const table = new Map<string, T>();
  for (const pair of pairs) {
    const value = make(pair);
    const names = pair.names !== undefined && pair.names.length > 0 ? pair.names : certificateNames(pair.cert);
    for (const name of names.map((n) => n.toLowerCase())) if (!table.has(name)) table.set(name, value);
  }
  return (name) => {
    const lower = name.toLowerCase();
    return table.get(lower) ?? table.get(lower.replace(/^[^.]+/, "*"));
  };
}
