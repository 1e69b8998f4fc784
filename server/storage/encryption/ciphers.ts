/**
 * Providers with a key of their own, one transformer a key. That of `secretbox` is in `box.ts`.
 *
 * | provider | stored after its prefix |
 * |---|---|
 * | `aescbc` | IV (16), blocks padded after PKCS #7 |
 * | `aesgcm` | nonce (12), ciphertext, tag (16); the store's key is authenticated with it |
 * | a seed | 32 random bytes from which the value's own key is derived, then as `aesgcm` |
 */
import { createHmac } from "node:crypto";
import { BLOCK, cbcOpen, cbcSeal, gcmOpen, gcmSeal, TOO_SHORT } from "./block.ts";
import { utf8 } from "./bytes.ts";
import type { Opened, Parts, RandomBytes, Transformer } from "./types.ts";

const GCM_NONCE = 12;
/** Bytes that a value's key is derived from, and of a seed at least. */
export const SEED = 32;

const fresh = (plain: Uint8Array): Opened => ({ plain, stale: false });

/**
 * AES-CBC. `key`: 16, 24 or 32 bytes. Nothing is authenticated. `open` throws an Error for bytes that it cannot read.
 */
export function aescbc(key: Uint8Array, random: RandomBytes): Transformer {
  return {
    seal(plain) {
      const iv = random(BLOCK);
      return [iv, ...cbcSeal(key, iv, plain)];
    },
    open(stored) {
      if (stored.length < BLOCK) throw new Error(TOO_SHORT);
      return fresh(cbcOpen(key, stored.subarray(0, BLOCK), stored.subarray(BLOCK)));
    },
  };
}

/**
 * AES-GCM with random nonces. `key`: 16, 24 or 32 bytes, to be changed before some 2^32 writes. `open` throws an Error for what
 * is not authentic.
 */
export function aesgcm(key: Uint8Array, random: RandomBytes): Transformer {
  return {
    seal(plain, where) {
      const nonce = random(GCM_NONCE);
      return [nonce, ...gcmSeal(key, nonce, plain, utf8(where))];
    },
    open(stored, where) {
      return fresh(gcmOpen(key, stored.subarray(0, GCM_NONCE), stored.subarray(GCM_NONCE), utf8(where)));
    },
  };
}

/** AES-GCM with a key for each value, derived from a seed: no number of writes wears the seed out. @throws Error */
export function seeded(seed: Uint8Array, random: RandomBytes): Transformer {
  if (seed.length < SEED) throw new Error(`a seed has ${SEED} bytes at least, not ${seed.length}`);
  return {
    seal(plain, where) {
      const info = random(SEED);
      return [info, ...aesgcm(expand(seed, info), random).seal(plain, where) as Parts];
    },
    open(stored, where) {
      if (stored.length < SEED) throw new Error(TOO_SHORT);
      return aesgcm(expand(seed, stored.subarray(0, SEED)), random).open(stored.subarray(SEED), where);
    },
  };
}

/** The first 32 bytes of HKDF's second step (RFC 5869, 2.3) with SHA-256. */
function expand(seed: Uint8Array, info: Uint8Array): Uint8Array {
  return createHmac("sha256", seed).update(info).update(Uint8Array.of(1)).digest();
}
