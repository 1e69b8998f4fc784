/** What rules ask of keys and certificates. The schema has no cryptography: the server brings it. */

/** What a certificate says, as far as rules look at it. */
export interface CertificateInfo {
  readonly isCa: boolean;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** SPKI, DER. */
  readonly publicKey: Uint8Array;
  readonly dnsNames: readonly string[];
  readonly emails: readonly string[];
}

/** Reads keys, certificates and requests. Arguments are DER unless told otherwise. */
export interface CertificateTools {
  /** Why this is no certificate request with a right signature; undefined: it is one. */
  requestFault(der: Uint8Array): string | undefined;
  /** @throws Error when this is no certificate */
  certificate(der: Uint8Array): CertificateInfo;
  /** Why this is no key that pods may have a certificate for; undefined: it is one. */
  keyFault(spki: Uint8Array): string | undefined;
  /** Whether the key's owner signed the text. */
  isProof(spki: Uint8Array, text: string, signature: Uint8Array): boolean;
  /** Why a certificate and a private key, both base64 of PEM, are no pair; undefined: they are one. */
  pairFault(certificate: string, key: string): string | undefined;
  /** The key of a certificate request, SPKI. */
  requestKey(der: Uint8Array): Uint8Array;
}
