/**
 * The provider `secretbox`: XSalsa20 and Poly1305, which neither WebCrypto nor Node has. By libsodium, whose box it is: WebAssembly
 * takes a third of the time that script needs. Loaded by who needs it.
 *
 * Stored after its prefix: nonce (24), tag (16), ciphertext.
 */
import sodium from "libsodium-wrappers";
import { TOO_SHORT } from "./block.ts";
import type { RandomBytes, Transformer } from "./types.ts";

await sodium.ready;

const NONCE = 24;
const TAG = 16;

/** `key`: 32 bytes. `open` throws an Error for what is not authentic. */
export function secretbox(key: Uint8Array, random: RandomBytes): Transformer {
  return {
    seal(plain) {
      const nonce = random(NONCE);
      return [nonce, sodium.crypto_secretbox_easy(plain, nonce, key)];
    },
    open(stored) {
      if (stored.length < NONCE + TAG) throw new Error(TOO_SHORT);
      try {
        const plain = sodium.crypto_secretbox_open_easy(stored.subarray(NONCE), stored.subarray(0, NONCE), key);
        return { plain, stale: false };
      } catch (cause) {
        throw new Error("the value is not authentic: other key, or changed bytes", { cause });
      }
    },
  };
}
