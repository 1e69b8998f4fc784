/** A key of its own, and the request that proves to have it: PKCS #10 with an empty name. */
import { generateKeyPair, type KeyObject, sign } from "node:crypto";
import { Buffer } from "node:buffer";
import { promisify } from "node:util";

const SEQUENCE = 0x30, BIT_STRING = 0x03, ATTRIBUTES = 0xa0;
const VERSION = Uint8Array.of(0x02, 0x01, 0x00);

/** How keys of a kind are made, and how they sign. */
interface KeyKind {
  make(): Promise<{ publicKey: KeyObject; privateKey: KeyObject }>;
  /** Undefined: the key has one of its own. */
  readonly hash: string | undefined;
  /** DER of the signature's algorithm, within its sequence, hexadecimal. */
  readonly algorithm: string;
}

const generate = promisify(generateKeyPair);
const rsa = (modulusLength: number): KeyKind => ({
  make: () => generate("rsa", { modulusLength }),
  hash: "sha256",
  algorithm: "06092a864886f70d01010b0500",
});
const ecdsa = (namedCurve: string, hash: string, last: string): KeyKind => ({
  make: () => generate("ec", { namedCurve }),
  hash,
  algorithm: `06082a8648ce3d0403${last}`,
});
const KINDS: Readonly<Record<string, KeyKind>> = {
  RSA3072: rsa(3072),
  RSA4096: rsa(4096),
  ECDSAP256: ecdsa("P-256", "sha256", "02"),
  ECDSAP384: ecdsa("P-384", "sha384", "03"),
  ECDSAP521: ecdsa("P-521", "sha512", "04"),
  ED25519: { make: () => generate("ed25519"), hash: undefined, algorithm: "06032b6570" },
};

function tagged(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const content = Buffer.concat(parts), size = content.length;
  const long = size < 0x80 ? [] : size < 0x100 ? [0x81] : [0x82, size >> 8];
  return Buffer.concat([Uint8Array.of(tag, ...long, size & 0xff), content]);
}

/** A key as PEM (PKCS #8) and its request as DER. */
export interface KeyAndRequest {
  readonly key: string;
  readonly request: Uint8Array;
}

/** @param kind `ECDSAP256` and so on @throws Error for another one */
export async function keyAndRequest(kind: string): Promise<KeyAndRequest> {
  const known = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (!known) throw new Error(`while generating keypair: unknown key type ${JSON.stringify(kind)}`);
  const { publicKey, privateKey } = await known.make();
  const spki = publicKey.export({ type: "spki", format: "der" });
  const info = tagged(SEQUENCE, VERSION, tagged(SEQUENCE), spki, tagged(ATTRIBUTES));
  const signature = sign(known.hash, info, privateKey);
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    request: tagged(
      SEQUENCE,
      info,
      tagged(SEQUENCE, Buffer.from(known.algorithm, "hex")),
      tagged(BIT_STRING, Uint8Array.of(0), signature),
    ),
  };
}
