/** Fills an empty store: many keys a commit, within what every backend takes. */
import { type Backend, type Change, StorageError } from "./backend.ts";

/** Most bytes and changes of one commit. */
const BYTES = 400_000;
const CHANGES = 100;

/** See the top of the file. */
export class Filling {
  #batch: Change[] = [];
  #bytes = 0;

  private constructor(readonly backend: Backend, readonly doing: string) {}

  /** @param doing in the words of errors; @throws StorageError when there is a key already */
  static async of(backend: Backend, doing: string): Promise<Filling> {
    if ((await backend.range("", { limit: 1 })).items.length > 0) {
      throw new StorageError("unavailable", `${doing}: the store is not empty`);
    }
    return new Filling(backend, doing);
  }

  /** Takes a key, which nobody else may have made meanwhile. @throws StorageError */
  async put(change: Omit<Change, "expect"> & { readonly value: Uint8Array }): Promise<void> {
    const { key, value } = change;
    const full = this.#batch.length >= CHANGES || this.#bytes + value.length > BYTES;
    if (full && this.#batch.length > 0) await this.end();
    this.#batch.push({ ...change, expect: 0 });
    this.#bytes += value.length + key.length;
  }

  /** Writes what was taken; all of it is durable then. @throws StorageError */
  async end(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    this.#bytes = 0;
    if (batch.length === 0) return;
    const result = await this.backend.commit(batch);
    if (!result.ok) {
      throw new StorageError("unavailable", `${this.doing}: ${batch[result.index]!.key} is there already`);
    }
  }
}
