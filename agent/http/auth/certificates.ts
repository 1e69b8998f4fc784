/** Clients' certificates: the common name is the user, the organizations are the groups. */
import { createHash, X509Certificate } from "node:crypto";
import type { TLSSocket } from "node:tls";
import type { Product } from "../../../schema/product.ts";
import type { ClientCa } from "./client_ca.ts";
import type { User } from "./types.ts";

/** What was seen of a connection's certificate. */
interface Seen {
  readonly user: User;
  readonly certificate: X509Certificate;
  /** ms since 1970 */
  readonly until: number;
  /** Authorities by which it was last looked at, and what came of that. */
  pem: string;
  holds: boolean;
}

/** Says whose the certificate of a connection is: undefined without one. @throws Error for one that does not hold */
export type CertificateReader = (socket: TLSSocket) => User | undefined;

/**
 * The reader. The handshake has judged the certificate (chain, times, use) by the authorities of its time; after a reload it must be
 * one of the new ones that has issued it.
 */
export function certificateReader(ca: ClientCa, product: Product, now: () => number): CertificateReader {
  const seen = new WeakMap<TLSSocket, Seen>();
  return (socket) => {
    const pem = ca.pem();
    if (pem === "") return undefined;
    const known = seen.get(socket) ?? see(socket, pem, product);
    if (!known) return undefined;
    seen.set(socket, known);
    if (known.pem !== pem) Object.assign(known, { pem, holds: ca.issued(known.certificate) });
    if (!known.holds) throw new Error("x509: certificate signed by unknown authority");
    if (now() > known.until) throw new Error("x509: certificate has expired or is not yet valid");
    return known.user;
  };
}

/** @throws Error for a certificate without a common name */
function see(socket: TLSSocket, pem: string, product: Product): Seen | undefined {
  const { raw, subject } = socket.getPeerCertificate();
  if (!raw) return undefined;
  const certificate = new X509Certificate(raw);
  // Of several the last, as for the API server.
  const name = [subject.CN].flat().at(-1);
  if (!name) throw new Error("x509: the certificate has no common name");
  const id = createHash("sha256").update(raw).digest("hex");
  return {
    user: {
      name,
      groups: [subject.O ?? []].flat(),
      extra: { [product.local("authentication.kubernetes.io/credential-id")]: [`X509SHA256=${id}`] },
    },
    certificate,
    until: Date.parse(certificate.validTo),
    pem,
    holds: socket.authorized,
  };
}
