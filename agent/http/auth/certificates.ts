/** Clients' certificates: the common name is the user, the organizations are the groups. */
import { createHash } from "node:crypto";
import type { DetailedPeerCertificate, TLSSocket } from "node:tls";
import { type Certificate, verifyChain } from "../../../pki/mod.ts";
import type { Product } from "../../../schema/product.ts";
import { sameBytes } from "../../../schema/values/bytes.ts";
import type { ClientCa } from "./client_ca.ts";
import type { User } from "./types.ts";

/** What came of a connection's certificate. */
interface Seen {
  readonly roots: readonly Certificate[];
  /** The answer holds until then, ms since 1970. */
  readonly until: number;
  readonly answer: User | Error | undefined;
}

/** A refusal is asked for again after so long, ms: a certificate may become valid. */
const REFUSED_MS = 60_000;
/** Certificates of a chain that are looked at. */
const MAX_CHAIN = 10;

/** Says whose the certificate of a connection is: undefined without one, or without a common name. @throws Error for one that does not hold */
export type CertificateReader = (socket: TLSSocket) => User | undefined;

/**
 * The reader. Each connection's chain is verified here, by the authorities of the time, and again after a reload or the first end of
 * a certificate. What the runtime says of it (`authorized`) is nothing to go by: where a client goes on with a session from before it
 * is true, whatever the certificate (docs/limits.md).
 */
export function certificateReader(ca: ClientCa, product: Product, now: () => number): CertificateReader {
  const seen = new WeakMap<TLSSocket, Seen>();
  return (socket) => {
    const roots = ca.roots(), at = now();
    if (roots.length === 0) return undefined;
    let known = seen.get(socket);
    if (known?.roots !== roots || known.until < at) {
      const chain = chainOf(socket);
      if (chain.length === 0) return undefined;
      seen.set(socket, known = { roots, ...judged(chain, roots, product, at) });
    }
    if (known.answer instanceof Error) throw known.answer;
    return known.answer;
  };
}

function judged(
  chain: readonly Uint8Array[],
  roots: readonly Certificate[],
  product: Product,
  now: number,
): Omit<Seen, "roots"> {
  const result = verifyChain(chain, roots, now);
  if (!result.ok) return { until: now + REFUSED_MS, answer: new Error(`x509: ${result.reason}`) };
  const { until, leaf: { commonName: name, organizations: groups } } = result;
  if (!name) return { until, answer: undefined };
  const id = createHash("sha256").update(chain[0]!).digest("hex");
  const extra = { [product.local("authentication.kubernetes.io/credential-id")]: [`X509SHA256=${id}`] };
  return { until, answer: { name, groups, extra } };
}

/** What the client sent, as DER, leaf first, as far as the runtime follows it. */
function chainOf(socket: TLSSocket): Uint8Array[] {
  const chain: Uint8Array[] = [];
  let next: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
  for (; next?.raw && chain.length < MAX_CHAIN; next = next.issuerCertificate) {
    const der = Uint8Array.from(next.raw);
    if (chain.some((other) => sameBytes(other, der))) break;
    chain.push(der);
  }
  return chain;
}
