/** Keys of the curve P-256: made in under a millisecond, and small in a handshake. */
import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";

/**
 * A new P-256 private key, PEM. In SEC 1 its label tells what it is: clients in Java take PKCS #8 for RSA. Hosts of isolates know
 * PKCS #8 alone.
 */
export function generateKey(type: "sec1" | "pkcs8" = "sec1"): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return privateKey.export({ type, format: "pem" }) as string;
}

/** The public key of a private one, PEM (SPKI). @throws Error when `pem` is no private key */
export function publicKeyPem(pem: string): string {
  return createPublicKey(createPrivateKey(pem)).export({ type: "spki", format: "pem" }) as string;
}

/** The public key of a private one, DER (SPKI). @throws Error when `pem` is no private key */
export function publicKeyDer(pem: string): Uint8Array {
  return new Uint8Array(createPublicKey(createPrivateKey(pem)).export({ type: "spki", format: "der" }));
}
