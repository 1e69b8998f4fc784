/** Fills empty stores: many keys a commit, within what every backend takes. */
import { type Backend, type Change, StorageError } from "./backend.ts";
import type { Part, Whole } from "./whole.ts";

/** Fact of a store that is being filled: by what. One that has it never became whole. */
export const FILLING = "filling";

/** @throws StorageError for a store whose filling was broken off */
export async function mustBeWhole(backend: Backend): Promise<void> {
  const doing = await backend.readMeta(FILLING);
  if (doing) throw new StorageError("format", notWhole(doing));
}

/** What is wrong with a store that has the fact. */
export function notWhole(doing: Uint8Array): string {
  const begun = `store ${new TextDecoder().decode(doing)}`;
  return `the store is not whole: a \`${begun}\` into it was broken off. Remove the store, or name another one, and do that again`;
}

/** @throws StorageError when there is a key already, in any of the stores; `doing` is for its words */
export async function mustBeEmpty(whole: Whole, doing: string): Promise<void> {
  for (const { name, backend } of whole.parts) {
    if ((await backend.range("", { limit: 1 })).items.length > 0) {
      throw new StorageError("unavailable", `${doing}: ${name} is not empty`);
    }
  }
}

/** Most bytes and changes of one commit. */
const BYTES = 400_000;
const CHANGES = 100;

interface Batch {
  changes: Change[];
  bytes: number;
}

/** See the top of the file. */
export class Filling {
  readonly #batches: ReadonlyMap<Part, Batch>;
  #begun = false;

  private constructor(readonly whole: Whole, readonly doing: string) {
    this.#batches = new Map(whole.parts.map((part) => [part, { changes: [], bytes: 0 }]));
  }

  /** @param doing in the words of errors; @throws StorageError when there is a key already, in any of the stores */
  static async of(whole: Whole, doing: string): Promise<Filling> {
    await mustBeEmpty(whole, doing);
    return new Filling(whole, doing);
  }

  /** Takes a key, which nobody else may have made meanwhile. @throws StorageError */
  async put(change: Omit<Change, "expect"> & { readonly value: Uint8Array }): Promise<void> {
    const { key, value } = change;
    const part = this.whole.partOf(key);
    const batch = this.#batches.get(part)!;
    const full = batch.changes.length >= CHANGES || batch.bytes + value.length > BYTES;
    if (full && batch.changes.length > 0) await this.#write(part, batch);
    batch.changes.push({ ...change, expect: 0 });
    batch.bytes += value.length + key.length;
  }

  /** Writes what was taken; all of it is durable then, and the stores are whole. @throws StorageError */
  async end(): Promise<void> {
    for (const [part, batch] of this.#batches) if (batch.changes.length > 0) await this.#write(part, batch);
    if (this.#begun) await this.#tell(null);
  }

  /** Tells all stores what they are being filled by, or that they are whole. */
  async #tell(doing: string | null): Promise<void> {
    const fact = doing === null ? null : new TextEncoder().encode(doing);
    for (const { backend } of this.whole.parts) await backend.writeMeta(FILLING, fact);
  }

  async #write({ backend }: Part, batch: Batch): Promise<void> {
    if (!this.#begun) await this.#tell(this.doing);
    this.#begun = true;
    const { changes } = batch;
    batch.changes = [];
    batch.bytes = 0;
    const result = await backend.commit(changes);
    if (!result.ok) {
      throw new StorageError("unavailable", `${this.doing}: ${changes[result.index]!.key} is there already`);
    }
  }
}
