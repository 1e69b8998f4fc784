/** Keys and certificates as validation asks for them. */
import { Buffer } from "node:buffer";
import { constants, createPrivateKey, createPublicKey, verify, X509Certificate } from "node:crypto";
import type { CertificateTools } from "../schema/rules/certificates/tools.ts";
import { children, type DerValue, read } from "./der.ts";
import { certificateFacts } from "./facts.ts";
import { isRequestSignedBy } from "./signatures.ts";

const CURVES = ["prime256v1", "secp384r1", "secp521r1"], RSA_BITS = [3072, 4096];

/** Parts of a request: what is signed, its algorithm, the signature, and the key. @throws Error */
function parts(der: Uint8Array): { info: DerValue; algorithm: DerValue; signature: DerValue; key: DerValue } {
  const [info, algorithm, signature] = children(read(der));
  const [, , key, attributes] = info ? children(info) : [];
  if (!info || !algorithm || !signature || !key) throw new Error("must be a certificate request");
  // Not optional, though mostly empty (RFC 2986, 4.1).
  if (attributes?.tag !== 0xa0) throw new Error("must have attributes, if none at all then an empty set");
  return { info, algorithm, signature, key };
}

function checkRequest(der: Uint8Array): void {
  const { info, algorithm, signature, key } = parts(der);
  const claim = { signedBytes: info.whole, algorithm, signature: signature.content.subarray(1) };
  if (!isRequestSignedBy(claim, key.whole)) throw new Error("must be signed by the key that it holds");
}

const keyOf = (spki: Uint8Array) => createPublicKey({ key: Buffer.from(spki), format: "der", type: "spki" });

function checkKey(spki: Uint8Array): void {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = keyOf(spki);
  if (type === "ed25519") return;
  if (type === "ec") {
    if (!CURVES.includes(details?.namedCurve ?? "")) throw new Error("must be of curve P256, P384 or P521");
  } else if (type === "rsa") {
    if (!RSA_BITS.includes(details?.modulusLength ?? 0)) throw new Error("must have 3072 or 4096 bits");
  } else throw new Error("must be an Ed25519, ECDSA or RSA key");
}

/** The message of what a check throws. */
function faultOf(check: (der: Uint8Array) => void, der: Uint8Array): string | undefined {
  try {
    check(der);
    return undefined;
  } catch (e) {
    return (e as Error).message || "cannot be read";
  }
}

function isProof(spki: Uint8Array, text: string, signature: Uint8Array): boolean {
  const key = keyOf(spki), data = Buffer.from(text);
  try {
    if (key.asymmetricKeyType === "ed25519") return verify(null, data, key, signature);
    if (key.asymmetricKeyType === "ec") return verify("sha256", data, key, signature);
    const padding = constants.RSA_PKCS1_PSS_PADDING, bytes = (key.asymmetricKeyDetails?.modulusLength ?? 0) / 8;
    // Signers leave as much salt as fits, or as much as the digest is long.
    return [bytes - 34, 32].some((saltLength) => verify("sha256", data, { key, padding, saltLength }, signature));
  } catch {
    return false;
  }
}

function pairFault(certificate: string, key: string): string | undefined {
  try {
    const owned = new X509Certificate(Buffer.from(certificate, "base64"));
    const fits = owned.checkPrivateKey(createPrivateKey(Buffer.from(key, "base64")));
    return fits ? undefined : "private key does not match public key";
  } catch {
    return "failed to read a certificate and its key";
  }
}

/** What rules are given. */
export const RULE_TOOLS: CertificateTools = {
  requestFault: (der) => faultOf(checkRequest, der),
  certificate: certificateFacts,
  keyFault: (spki) => faultOf(checkKey, spki),
  isProof,
  pairFault,
  requestKey: (der) => parts(der).key.whole,
};
