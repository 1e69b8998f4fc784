/** The budget of secondary forms: a clock over all kept bytes, whatever entry they belong to. */
import type { Slabs, Tenant } from "./slabs.ts";

/** Who keeps forms. */
export interface FormOwner {
  /** Takes a form out: its bytes were dropped. */
  forget(form: KeptForm): void;
}

/** One form of one entry, in a slab. A member of its entry's list (`sibling`) and of the pool's ring. */
export interface KeptForm extends Tenant {
  readonly form: string;
  freed: boolean;
  readonly owner: FormOwner;
  /** Asked for since the hand passed. */
  used: boolean;
  sibling: KeptForm | undefined;
  before: KeptForm | undefined;
  after: KeptForm | undefined;
}

/** Heap that a kept form takes beside its bytes. */
const overhead = 120;

/** Keeps forms up to a number of bytes; past it drops those not asked for in a turn of the hand. */
export class FormPool {
  #hand: KeptForm | undefined;
  #bytes = 0;
  #count = 0;
  #dropped = 0;

  constructor(readonly limit: number, readonly slabs: Slabs) {}

  /** Bytes kept, overhead included. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Forms kept. */
  get count(): number {
    return this.#count;
  }

  /** Forms dropped for want of room, ever. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Keeps bytes of a form for an entry, as the first of its list. Put just behind the hand: looked at last. */
  keep(owner: FormOwner, form: string, bytes: Uint8Array, sibling: KeptForm | undefined): KeptForm {
    const { slab, offset } = this.slabs.place(bytes);
    const { length } = bytes;
    const before = undefined;
    const after = undefined;
    const kept: KeptForm = { slab, offset, length, freed: false, form, owner, used: false, sibling, before, after };
    this.slabs.settle(kept);
    this.#link(kept);
    this.#bytes += length + overhead;
    this.#count++;
    return kept;
  }

  /** Drops forms until the budget is met. */
  shrink(): void {
    while (this.#bytes > this.limit && this.#count > 1) {
      const kept = this.#hand!;
      this.#hand = kept.after;
      if (kept.used) {
        kept.used = false;
        continue;
      }
      this.remove(kept);
      this.#dropped++;
      kept.owner.forget(kept);
    }
  }

  /** Forgets a form whose entry is going. */
  remove(kept: KeptForm): void {
    if (kept.after === undefined) return;
    if (kept.after === kept) this.#hand = undefined;
    else {
      kept.before!.after = kept.after;
      kept.after.before = kept.before;
      if (this.#hand === kept) this.#hand = kept.after;
    }
    kept.before = kept.after = undefined;
    this.#bytes -= kept.length + overhead;
    this.#count--;
    kept.freed = true;
    this.slabs.free(kept);
  }

  #link(kept: KeptForm): void {
    const hand = this.#hand;
    if (hand === undefined) {
      kept.before = kept.after = this.#hand = kept;
      return;
    }
    kept.after = hand;
    kept.before = hand.before;
    hand.before!.after = kept;
    hand.before = kept;
  }
}
