/**
 * Is a client's certificate chain signed by one of these authorities, now, for this use?
 *
 * The terminator accepts any certificate; this says whom it may be believed to be. Several sets of authorities (client CA, request
 * header CA) are each asked on their own. About 1 ms a signature: callers keep the answer per connection.
 */
import { sameBytes } from "../schema/values/bytes.ts";
import { type CertificateFacts, certificateFacts } from "./facts.ts";
import { OID } from "./oids.ts";
import { fromPem } from "./pem.ts";
import { isSignedBy } from "./signatures.ts";

/** The answer: until when it holds (ms since the epoch; the first end on the path), or the reason of a refusal in words for a log. */
export type ChainResult =
  | { readonly ok: true; readonly leaf: CertificateFacts; readonly until: number }
  | { readonly ok: false; readonly reason: string };

/** A certificate and what it says. */
export interface Certificate {
  readonly der: Uint8Array;
  readonly facts: CertificateFacts;
}

/** Longest path, leaf and root included. */
const MAX_PATH = 8;
/** Signatures checked at most for one chain, so that a crafted set of intermediates costs bounded time. */
const MAX_CHECKS = 32;

/** @throws Error when `der` is no certificate */
function parseCertificate(der: Uint8Array): Certificate {
  return { der, facts: certificateFacts(der) };
}

/** The certificates of a PEM bundle, in order. @throws Error when there is none, or one does not parse */
export function parseBundle(pem: string): Certificate[] {
  const blocks = fromPem("CERTIFICATE", pem);
  if (blocks.length === 0) throw new Error("Cannot read a certificate bundle: it holds no certificate");
  return blocks.map(parseCertificate);
}

function mayBeUsed({ extKeyUsages }: CertificateFacts, usage: string): boolean {
  return extKeyUsages === undefined || extKeyUsages.includes(usage) || extKeyUsages.includes(OID.anyExtKeyUsage);
}

/** What a certificate says that nobody understands. Limits of names say nothing where nothing below has alternative names. */
function notUnderstood({ unknownCritical }: CertificateFacts, named: boolean): readonly string[] {
  return named ? unknownCritical : unknownCritical.filter((id) => id !== OID.nameConstraints);
}

/** Why a certificate is no good by itself; undefined when it is. `named`: one below it has alternative names. */
function fault(facts: CertificateFacts, now: number, usage: string, named: boolean): string | undefined {
  const name = facts.commonName || facts.serial;
  if (now < facts.notBefore.getTime()) {
    return `certificate "${name}" is not valid before ${facts.notBefore.toISOString()}`;
  }
  if (now > facts.notAfter.getTime()) return `certificate "${name}" has expired at ${facts.notAfter.toISOString()}`;
  const unknown = notUnderstood(facts, named);
  if (unknown.length > 0) {
    return `certificate "${name}" has critical extensions that are not understood: ${unknown.join(", ")}`;
  }
  if (!mayBeUsed(facts, usage)) return `certificate "${name}" is not for this use`;
  return undefined;
}

/** What stands below an authority on a path: how many authorities, and whether anything there has alternative names. */
interface Below {
  readonly below: number;
  readonly named: boolean;
}

const hasNames = ({ dnsNames, ips, emails, uris }: CertificateFacts): boolean =>
  [dnsNames, ips, emails, uris].some((names) => names.length > 0);

class Search {
  #checks = 0;
  reason = "certificate signed by unknown authority";

  constructor(
    readonly leaf: Certificate,
    readonly intermediates: readonly Certificate[],
    readonly roots: readonly Certificate[],
    readonly now: number,
  ) {}

  /** The first end of a certificate on a path to a root; undefined without a path. `below`: authorities between this one and the leaf. */
  climb(current: Certificate, used: readonly Certificate[], below: number): number | undefined {
    const end = current.facts.notAfter.getTime();
    if (this.roots.some((root) => sameBytes(root.der, current.der))) return end;
    if (used.length + 2 > MAX_PATH) return undefined;
    const named = [this.leaf, ...used].some(({ facts }) => hasNames(facts));
    for (const root of this.roots) {
      if (this.#issued(current, root, { below, named }, false)) return Math.min(end, root.facts.notAfter.getTime());
    }
    for (const next of this.intermediates) {
      if (used.includes(next) || !this.#issued(current, next, { below, named }, true)) continue;
      const above = this.climb(next, [...used, next], below + 1);
      if (above !== undefined) return Math.min(end, above);
    }
    return undefined;
  }

  #issued(child: Certificate, parent: Certificate, { below, named }: Below, mustBeCa: boolean): boolean {
    if (!sameBytes(child.facts.issuer, parent.facts.subject) || ++this.#checks > MAX_CHECKS) return false;
    if (!this.#signed(child, parent)) return false;
    const problem = fault(parent.facts, this.now, OID.clientAuth, named) ??
      authorityFault(parent.facts, below, mustBeCa);
    if (problem !== undefined) this.reason = problem;
    return problem === undefined;
  }

  /** A key of another type, as an authority's was before that has the same name, has signed nothing of this one. */
  #signed(child: Certificate, parent: Certificate): boolean {
    try {
      return isSignedBy(child.facts, parent.facts.publicKey);
    } catch (error) {
      this.reason = `certificate "${child.facts.commonName}" cannot be verified: ${(error as Error).message}`;
      return false;
    }
  }
}

function authorityFault(facts: CertificateFacts, below: number, mustBeCa: boolean): string | undefined {
  if (!facts.signs || (mustBeCa && !facts.isCa)) return `certificate "${facts.commonName}" is not an authority`;
  if (facts.pathLength !== undefined && below > facts.pathLength) {
    return `certificate "${facts.commonName}" allows ${facts.pathLength} authorities below it, there are ${below}`;
  }
  return undefined;
}

/**
 * Looks for a path from the leaf to one of `roots`. A certificate among them is trusted as it is, but signs others only when it may.
 * The leaf, and every authority that limits usages, must be of clients. Never throws: a chain that does not parse is refused.
 *
 * @param chain DER, leaf first
 * @param now ms since the epoch
 */
export function verifyChain(
  chain: readonly Uint8Array[],
  roots: readonly Certificate[],
  now: number,
): ChainResult {
  try {
    const [leaf, ...intermediates] = chain.map(parseCertificate);
    if (leaf === undefined) return { ok: false, reason: "no certificate" };
    const problem = fault(leaf.facts, now, OID.clientAuth, false);
    if (problem !== undefined) return { ok: false, reason: problem };
    const search = new Search(leaf, intermediates, roots, now);
    const until = search.climb(leaf, [], 0);
    return until === undefined ? { ok: false, reason: search.reason } : { ok: true, leaf: leaf.facts, until };
  } catch (error) {
    return { ok: false, reason: `certificate does not parse: ${error instanceof Error ? error.message : error}` };
  }
}

/** Is this the certificate of a server (DER) that stands among those who are trusted, and good now by itself? */
export function isTrustedItself(der: Uint8Array, trusted: readonly Certificate[], now: number): boolean {
  const found = trusted.find((one) => sameBytes(one.der, der));
  return found !== undefined && fault(found.facts, now, OID.serverAuth, false) === undefined;
}
