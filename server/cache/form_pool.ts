/** The budget of secondary forms: a clock over all kept bytes, whatever entry they belong to. */

/** Who keeps forms. */
export interface FormOwner {
  /** Takes a form out: its bytes were dropped. */
  forget(form: KeptForm): void;
}

/** Bytes of one form of one entry. A member of its entry's list (`sibling`) and of the pool's ring. */
export interface KeptForm {
  readonly form: string;
  readonly bytes: Uint8Array;
  readonly owner: FormOwner;
  /** Asked for since the hand passed. */
  used: boolean;
  sibling: KeptForm | undefined;
  before: KeptForm | undefined;
  after: KeptForm | undefined;
}

/** Heap that a kept form takes beside its bytes. */
const overhead = 300;

/** Keeps forms up to a number of bytes; past it drops those not asked for in a turn of the hand. */
export class FormPool {
  #hand: KeptForm | undefined;
  #bytes = 0;
  #count = 0;
  #dropped = 0;

  constructor(readonly limit: number) {}

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

  /** Takes a form in, just behind the hand: it is looked at last. */
  add(kept: KeptForm): void {
    const hand = this.#hand;
    if (hand === undefined) {
      kept.before = kept.after = this.#hand = kept;
    } else {
      kept.after = hand;
      kept.before = hand.before;
      hand.before!.after = kept;
      hand.before = kept;
    }
    this.#bytes += kept.bytes.byteLength + overhead;
    this.#count++;
    this.#shrink(kept);
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
    this.#bytes -= kept.bytes.byteLength + overhead;
    this.#count--;
  }

  #shrink(newest: KeptForm): void {
    while (this.#bytes > this.limit && this.#count > 1) {
      const kept = this.#hand!;
      this.#hand = kept.after;
      if (kept === newest) continue;
      if (kept.used) {
        kept.used = false;
        continue;
      }
      this.remove(kept);
      this.#dropped++;
      kept.owner.forget(kept);
    }
  }
}
