/** Contracts of encryption at rest. */

/** What a stored value holds. */
export interface Opened {
  readonly plain: Uint8Array;
  /** It should be written again: another provider or key writes now. */
  readonly stale: boolean;
}

/** Bytes one after the other, not joined yet. */
export type Parts = readonly Uint8Array[];

/**
 * Turns values into what is stored and back. `key` is the store's key of the value: providers that authenticate bind the
 * value to it. Local providers answer at once, others by a promise.
 */
export interface Transformer {
  /** The parts may be overwritten by the next call. @throws StorageError when it cannot be done now */
  seal(plain: Uint8Array, key: string): Parts | Promise<Parts>;
  /** @throws Error when the value cannot be read; StorageError when it may be readable later */
  open(stored: Uint8Array, key: string): Opened | Promise<Opened>;
}

/** Random bytes of the system's own generator: nonces and data keys. */
export type RandomBytes = (n: number) => Uint8Array;

/** A resource by its group (empty: core) and plural name, `*` for any. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}
