/** Signatures on certificates and requests for them. On certificates SHA-1 and older are refused: forging one is within reach. */
import { Buffer } from "node:buffer";
import { constants, createPublicKey, type KeyObject, verify } from "node:crypto";
import { children, type DerValue, explicit, integer, oid, oidText, sequence, TAG, value } from "./der.ts";
import { OID } from "./oids.ts";

/** How signatures of an algorithm are verified. */
interface Method {
  /** null: the algorithm has its own. */
  readonly hash: string | null;
  readonly padding?: number;
  /** Bytes. */
  readonly saltLength?: number;
}

/** By identifier. */
const METHODS = new Map<string, Method>([
  ["1.2.840.10045.4.3.2", { hash: "sha256" }], // ECDSA
  ["1.2.840.10045.4.3.3", { hash: "sha384" }],
  ["1.2.840.10045.4.3.4", { hash: "sha512" }],
  ["1.2.840.113549.1.1.11", { hash: "sha256" }], // RSA, PKCS #1 v1.5
  ["1.2.840.113549.1.1.12", { hash: "sha384" }],
  ["1.2.840.113549.1.1.13", { hash: "sha512" }],
  ["1.3.101.112", { hash: null }], // Ed25519
]);

/** Those of requests beside: one shows that its signer has the key that is in it, and nobody relies on it further. */
const METHODS_OF_REQUESTS = new Map<string, Method>([
  ["1.2.840.10045.4.1", { hash: "sha1" }], // ECDSA
  ["1.2.840.113549.1.1.5", { hash: "sha1" }], // RSA, PKCS #1 v1.5
]);

/** RSA-PSS says the rest in parameters: those with one hash for message and mask and a salt of its length count. */
const PSS_METHODS = new Map<string, Method>(
  ([["sha256", "2.16.840.1.101.3.4.2.1", 32], ["sha384", "2.16.840.1.101.3.4.2.2", 48], [
    "sha512",
    "2.16.840.1.101.3.4.2.3",
    64,
  ]] as const).flatMap(([hash, id, saltLength]) =>
    // A hash has no parameters, or null for them.
    [[], [value(TAG.null)]].map((none) => {
      const algorithm = sequence(oid(id), ...none);
      const parameters = sequence(
        explicit(0, algorithm),
        explicit(1, sequence(oid(OID.mgf1), algorithm)),
        explicit(2, integer(Uint8Array.of(saltLength))),
      );
      return [parameters.toHex(), { hash, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength }] as const;
    })
  ),
);

function methodOf(algorithm: DerValue, more?: ReadonlyMap<string, Method>): Method {
  const [id, parameters] = children(algorithm), name = id === undefined ? "" : oidText(id);
  const method = name === OID.rsaPss
    ? PSS_METHODS.get(parameters?.whole.toHex() ?? "")
    : METHODS.get(name) ?? more?.get(name);
  if (method === undefined) throw new Error(`Signature algorithm ${name} is not supported, or not with its parameters`);
  return method;
}

/** The signed part of a certificate or request, and what is claimed of it. */
export interface Signed {
  /** The bytes that are signed. */
  readonly signedBytes: Uint8Array;
  /** Identifier and parameters. */
  readonly algorithm: DerValue;
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

/** Did the owner of the key sign this certificate? @param spki the key, DER. @throws Error on an algorithm or key that is not supported */
export function isSignedBy(signed: Signed, spki: Uint8Array): boolean {
  return isVerified(signed, methodOf(signed.algorithm), spki);
}

/** Did the owner of the key sign this request? Older algorithms will do, else as {@linkcode isSignedBy}. */
export function isRequestSignedBy(signed: Signed, spki: Uint8Array): boolean {
  return isVerified(signed, methodOf(signed.algorithm, METHODS_OF_REQUESTS), spki);
}

function isVerified({ signedBytes, signature }: Signed, { hash, ...how }: Method, spki: Uint8Array): boolean {
  return verify(hash, signedBytes, { key: keyOf(spki), ...how }, signature);
}
