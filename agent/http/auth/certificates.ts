/** Clients' certificates: the common name is the user, the organizations are the groups. */
import { createHash, X509Certificate } from "node:crypto";
import type { Product } from "../../../schema/product.ts";
import type { Secured } from "../listen/tls.ts";
import type { ClientCa } from "./client_ca.ts";
import type { User } from "./types.ts";

/** What was seen of a connection's certificate. */
interface Seen {
  readonly user: User;
  readonly certificate: X509Certificate;
  /** ms since 1970 */
  readonly from: number;
  readonly until: number;
  /** Authorities by which it was last looked at, and what came of that. */
  pem: string;
  holds: boolean | Promise<boolean>;
}

/** Says whose the certificate of a connection is: undefined without one. @throws Error for one that does not hold */
export type CertificateReader = (secured: Secured) => Promise<User | undefined>;

/**
 * The reader. The handshake has judged the certificate (chain, times, use) by the authorities of its time; after a reload it must be
 * one of the new ones that has issued it, for clients.
 */
export function certificateReader(ca: ClientCa, product: Product, now: () => number): CertificateReader {
  const seen = new WeakMap<Secured, Seen>();
  return async (secured) => {
    const pem = ca.pem();
    if (pem === "") return undefined;
    const known = seen.get(secured) ?? see(secured, product);
    if (!known) return undefined;
    seen.set(secured, known);
    if (known.pem !== pem) {
      const { certificate } = known;
      Object.assign(known, { pem, holds: ca.issued(certificate) && isForClients(certificate.raw) });
    }
    if (!await known.holds) throw new Error("x509: certificate signed by unknown authority");
    if (now() < known.from || now() > known.until) throw new Error("x509: certificate has expired or is not yet valid");
    return known.user;
  };
}

/** Whether a certificate (DER) is one by which clients are known: that says so, as in handshakes. The library is loaded when it is wanted. */
async function isForClients(der: Uint8Array): Promise<boolean> {
  await import("reflect-metadata");
  const { ExtendedKeyUsage, ExtendedKeyUsageExtension, X509Certificate } = await import("@peculiar/x509");
  const usages = new X509Certificate(Uint8Array.from(der)).getExtension(ExtendedKeyUsageExtension)?.usages ?? [];
  return usages.includes(ExtendedKeyUsage.clientAuth);
}

/** @throws Error for a certificate without a common name */
function see({ socket, authorities: pem }: Secured, product: Product): Seen | undefined {
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
    from: Date.parse(certificate.validFrom),
    until: Date.parse(certificate.validTo),
    pem,
    holds: socket.authorized,
  };
}
