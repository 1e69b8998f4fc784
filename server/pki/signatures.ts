/** Signatures on certificates. SHA-1 and older are refused: forging one is within reach. */
import { Buffer } from "node:buffer";
import { createPublicKey, type KeyObject, verify } from "node:crypto";

/** Algorithm by identifier → the hash; null: the algorithm has its own. */
const HASHES = new Map<string, string | null>([
  ["1.2.840.10045.4.3.2", "sha256"], // ECDSA
  ["1.2.840.10045.4.3.3", "sha384"],
  ["1.2.840.10045.4.3.4", "sha512"],
  ["1.2.840.113549.1.1.11", "sha256"], // RSA, PKCS #1 v1.5
  ["1.2.840.113549.1.1.12", "sha384"],
  ["1.2.840.113549.1.1.13", "sha512"],
  ["1.3.101.112", null], // Ed25519
]);

/** The signed part of a certificate and what is claimed of it. */
export interface Signed {
  /** The bytes that are signed. */
  readonly signedBytes: Uint8Array;
  /** Dotted identifier. */
  readonly algorithm: string;
  readonly signature: Uint8Array;
}

/** Keys by their SPKI bytes object: an authority's is asked for again and again. */
const keys = new WeakMap<Uint8Array, KeyObject>();

function keyOf(spki: Uint8Array): KeyObject {
  let key = keys.get(spki);
  if (key === undefined) {
    key = createPublicKey({ key: Buffer.from(spki), format: "der", type: "spki" });
    keys.set(spki, key);
  }
  return key;
}

/** Did the owner of the key sign this? @param spki the key, DER. @throws Error on an algorithm or key that is not supported */
export function isSignedBy({ signedBytes, algorithm, signature }: Signed, spki: Uint8Array): boolean {
  const hash = HASHES.get(algorithm);
  if (hash === undefined) throw new Error(`Signature algorithm ${algorithm} is not supported`);
  return verify(hash, signedBytes, keyOf(spki), signature);
}
