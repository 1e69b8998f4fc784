/**
 * The budget of secondary forms: rings of all kept bytes, whatever entry they belong to, each with a hand that goes round.
 *
 * A form that came with a write, or that only the writer and watchers took in passing, stands in the first ring: most are
 * never asked for again. One that was asked for stands in the second. What nobody asks for while the hand goes round is
 * dropped: by time, or sooner where a ring is full.
 */
import { Slabs, type Tenant } from "./slabs.ts";

/** Who keeps forms. */
export interface FormOwner {
  /** Takes a form out: its bytes were dropped. */
  forget(form: KeptForm): void;
}

/** One form of one entry, in a slab. A member of its entry's list (`sibling`) and of a ring of the pool. */
export interface KeptForm extends Tenant {
  readonly form: string;
  freed: boolean;
  readonly owner: FormOwner;
  /** Asked for since the hand passed. */
  used: boolean;
  /** The pool's second when it came into its ring. */
  since: number;
  sibling: KeptForm | undefined;
  ring: Ring | undefined;
  before: KeptForm | undefined;
  after: KeptForm | undefined;
}

/** Heap that a kept form takes beside its bytes. */
const overhead = 128;

/**
 * How long a form is kept that nobody asks for, s: in the first ring and in the second. Those who wait for a write read at once what
 * it left; for others it can be made again, while a form beside each stored object would double what a filling server takes.
 */
const passingSeconds = 6;
const askedSeconds = 120;

/** Forms that a hand passes in a second, at most: some 20 ms. */
const mostPassed = 20_000;

/** Members in the order in which the hand comes to them. */
class Ring {
  hand: KeptForm | undefined;
  bytes = 0;
  count = 0;

  /** @param seconds after which the hand comes to a member */
  constructor(readonly seconds: number) {}

  /** Just behind the hand: looked at last. */
  add(kept: KeptForm): void {
    const hand = this.hand;
    if (hand === undefined) kept.before = kept.after = this.hand = kept;
    else {
      kept.after = hand;
      kept.before = hand.before;
      hand.before = hand.before!.after = kept;
    }
    kept.ring = this;
    this.bytes += kept.length + overhead;
    this.count++;
  }

  remove(kept: KeptForm): void {
    if (kept.after === kept) this.hand = undefined;
    else {
      kept.before!.after = kept.after;
      kept.after!.before = kept.before;
      if (this.hand === kept) this.hand = kept.after;
    }
    kept.ring = kept.before = kept.after = undefined;
    this.bytes -= kept.length + overhead;
    this.count--;
  }
}

/** Bounds of a pool, in bytes. */
export interface FormLimits {
  /** Of all forms. */
  readonly all: number;
  /** Of those that nobody but watchers in passing has asked for. */
  readonly passing: number;
}

/** See the top of the file. */
export class FormPool {
  readonly #slabs = new Slabs();
  readonly #passing = new Ring(passingSeconds);
  readonly #asked = new Ring(askedSeconds);
  #dropped = 0;
  #second = 0;

  /** @param stored where the entries that share the pool have their stored bytes: they outlive forms, so they live apart */
  constructor(readonly limits: FormLimits, readonly stored: Slabs) {}

  /** Bytes kept, overhead included. */
  get bytes(): number {
    return this.#passing.bytes + this.#asked.bytes;
  }

  /** Forms kept. */
  get count(): number {
    return this.#passing.count + this.#asked.count;
  }

  /** Forms dropped for want of room or because nobody asked for them, ever. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Keeps bytes of a form for an entry, as the first of its list. */
  keep(
    owner: FormOwner,
    form: string,
    bytes: Uint8Array,
    sibling: KeptForm | undefined,
    passing: boolean,
  ): KeptForm {
    const { slab, offset } = this.#slabs.place(bytes);
    const { length } = bytes;
    const none = undefined;
    const kept: KeptForm = {
      slab,
      offset,
      length,
      freed: false,
      form,
      owner,
      used: false,
      since: this.#second,
      sibling,
      ring: none,
      before: none,
      after: none,
    };
    this.#slabs.settle(kept);
    (passing ? this.#passing : this.#asked).add(kept);
    return kept;
  }

  /** Drops forms until the budgets are met. */
  shrink(): void {
    while (this.#passing.bytes > this.limits.passing && this.#passing.count > 1) this.#turn(this.#passing);
    while (this.bytes > this.limits.all && this.count > 1) {
      this.#turn(this.#asked.count > 0 ? this.#asked : this.#passing);
    }
  }

  /** About once a second: the hands go on. */
  tick(): void {
    this.#second++;
    for (const ring of [this.#passing, this.#asked]) {
      const due = this.#second - ring.seconds;
      for (let left = mostPassed; left > 0 && ring.hand !== undefined && ring.hand.since <= due; left--) {
        this.#turn(ring);
      }
    }
  }

  /** Forgets a form whose entry is going. */
  remove(kept: KeptForm): void {
    if (kept.ring === undefined) return;
    kept.ring.remove(kept);
    kept.freed = true;
    this.#slabs.free(kept);
  }

  /** Moves a hand on by one form. */
  #turn(ring: Ring): void {
    const kept = ring.hand!;
    if (!kept.used) {
      this.remove(kept);
      this.#dropped++;
      kept.owner.forget(kept);
      return;
    }
    kept.used = false;
    kept.since = this.#second;
    ring.remove(kept);
    this.#asked.add(kept);
  }
}
