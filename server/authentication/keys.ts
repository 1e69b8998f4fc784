/** Public keys that verify signatures of tokens, read from PEM. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { fromPem } from "../../pki/mod.ts";

/** A key with what a token's header says of it. */
export interface VerifyKey {
  /** Base64url of the SHA-256 of the key's SPKI form, as the public server names keys. */
  readonly kid: string;
  readonly key: KeyObject;
  /** Signature algorithms that the key may be used with. */
  readonly algorithms: readonly string[];
}

const LABELS = ["PUBLIC KEY", "RSA PUBLIC KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY", "PRIVATE KEY", "CERTIFICATE"];
const CURVES: Readonly<Record<string, string>> = {
  prime256v1: "ES256",
  "P-256": "ES256",
  secp384r1: "ES384",
  secp521r1: "ES512",
};

/** Algorithms of a key by its type. @throws Error when it is neither RSA nor of a known curve */
export function algorithmsOf(key: KeyObject): string[] {
  if (key.asymmetricKeyType === "rsa") return ["RS256", "RS384", "RS512"];
  const curve = key.asymmetricKeyDetails?.namedCurve;
  const algorithm = key.asymmetricKeyType === "ec" && curve ? CURVES[curve] : undefined;
  if (!algorithm) {
    throw new Error(`a key of type ${key.asymmetricKeyType} cannot verify tokens: it should be RSA or ECDSA`);
  }
  return [algorithm];
}

/** The id of a public key. */
export function keyId(key: KeyObject): string {
  const der = key.export({ type: "spki", format: "der" });
  return createHash("sha256").update(new Uint8Array(der as unknown as ArrayBufferLike)).digest("base64url");
}

function publicKeyOf(label: string, pem: string): KeyObject {
  return label.endsWith("PRIVATE KEY")
    ? createPublicKey(createPrivateKey(pem) as unknown as string)
    : createPublicKey(pem);
}

/** Every key of PEM texts: public keys, certificates, and the public halves of private ones. @throws Error when a text has none */
export function verifyKeys(texts: readonly string[]): VerifyKey[] {
  return texts.flatMap((text) => {
    const keys = LABELS.flatMap((label) =>
      fromPem(label, text).map((der) =>
        publicKeyOf(label, `-----BEGIN ${label}-----\n${der.toBase64()}\n-----END ${label}-----\n`)
      )
    );
    if (keys.length === 0) throw new Error("the file holds no key");
    return keys.map((key) => ({ kid: keyId(key), key, algorithms: algorithmsOf(key) }));
  });
}
