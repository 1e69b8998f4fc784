/** AES in the two modes that are used at rest, from the runtime where it has them (128 and 256 bits), else in script. */
import { createCipheriv, createDecipheriv } from "node:crypto";
import { cbc, gcm } from "@noble/ciphers/aes.js";
import { concat } from "../../../schema/values/bytes.ts";
import type { Parts } from "./types.ts";

/** Bytes of a block. */
export const BLOCK = 16;
const TAG = 16;

const native = (key: Uint8Array): boolean => key.length !== 24;

/** Ciphertext, and the tag where that is a part of its own. */
export function gcmSeal(key: Uint8Array, nonce: Uint8Array, plain: Uint8Array, bound: Uint8Array): Parts {
  if (!native(key)) return [gcm(key, nonce, bound).encrypt(plain)];
  const cipher = createCipheriv(key.length === 16 ? "aes-128-gcm" : "aes-256-gcm", key, nonce);
  cipher.setAAD(bound);
  const body = cipher.update(plain);
  cipher.final();
  return [body, cipher.getAuthTag()];
}

/** @throws Error when the bytes, the key or what they are bound to are not those of the sealing */
export function gcmOpen(key: Uint8Array, nonce: Uint8Array, sealed: Uint8Array, bound: Uint8Array): Uint8Array {
  if (sealed.length < TAG) throw new Error(TOO_SHORT);
  try {
    if (!native(key)) return gcm(key, nonce, bound).decrypt(sealed);
    const decipher = createDecipheriv(key.length === 16 ? "aes-128-gcm" : "aes-256-gcm", key, nonce);
    decipher.setAAD(bound);
    decipher.setAuthTag(sealed.subarray(sealed.length - TAG));
    const plain = decipher.update(sealed.subarray(0, sealed.length - TAG));
    decipher.final();
    return own(plain);
  } catch (cause) {
    throw new Error("the value is not authentic: other key, other place, or changed bytes", { cause });
  }
}

/** Whole blocks, padded after PKCS #7. */
export function cbcSeal(key: Uint8Array, iv: Uint8Array, plain: Uint8Array): Parts {
  if (!native(key)) return [cbc(key, iv).encrypt(plain)];
  const cipher = createCipheriv(key.length === 16 ? "aes-128-cbc" : "aes-256-cbc", key, iv);
  return [cipher.update(plain), cipher.final()];
}

/** @throws Error when the padding is not as it should be: most other keys and changed bytes are noticed by that alone */
export function cbcOpen(key: Uint8Array, iv: Uint8Array, sealed: Uint8Array): Uint8Array {
  if (sealed.length === 0 || sealed.length % BLOCK !== 0) throw new Error("the value does not end with a whole block");
  const padded = unpadded(key, iv, sealed);
  const padding = padded[padded.length - 1]!;
  const end = padded.length - padding;
  if (padding === 0 || padding > BLOCK || padded.subarray(end).some((b) => b !== padding)) {
    throw new Error("the value is not padded as it should be: other key, or changed bytes");
  }
  return padded.subarray(0, end);
}

function unpadded(key: Uint8Array, iv: Uint8Array, sealed: Uint8Array): Uint8Array {
  if (!native(key)) return cbc(key, iv, { disablePadding: true }).decrypt(sealed);
  const decipher = createDecipheriv(key.length === 16 ? "aes-128-cbc" : "aes-256-cbc", key, iv);
  decipher.setAutoPadding(false);
  return concat([decipher.update(sealed), decipher.final()]);
}

/** Not a Buffer, whose `slice` is no copy. */
function own(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Said of values that cannot hold what their layout begins with. */
export const TOO_SHORT = "the value is shorter than it should be";
