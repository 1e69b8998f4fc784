/**
 * One priority level: seats for requests at work, and queues for those that wait. Flows are dealt a hand of queues and wait
 * in the shortest of theirs; queues are served in turn by what they have had, so that one busy flow cannot hold up others.
 */
import { fnv64a } from "../../schema/values/fnv.ts";
import { FlowCounts, type Refusal } from "./counts.ts";

/** How a level works. */
export interface LevelRules {
  readonly name: string;
  readonly uid: string;
  /** Never limited. */
  readonly exempt: boolean;
  /** Seats of its own. */
  readonly seats: number;
  /** Of those, seats that others may use while they are free. */
  readonly lendable: number;
  /** Seats that it may borrow beside its own; Infinity is as many as there are. */
  readonly borrowing: number;
  /** Undefined: what finds no seat is rejected. */
  readonly queues?: { readonly count: number; readonly hand: number; readonly length: number };
}

/** A request that asks for seats. */
export interface Asking<Of = unknown> {
  /** `SCHEMA/DISTINGUISHER`: requests of one flow wait in the same queues. */
  readonly flow: string;
  /** The schema of the flow. */
  readonly schema: string;
  readonly seats: number;
  /** The request itself, of which the level knows nothing. */
  readonly of: Of;
  /** When it was let in, ms since the epoch, if it had to wait. */
  startedAt?: number;
  /** The queue that it waits in, or waited in; undefined: none. */
  queue?: number | undefined;
}

interface Waiting<Of> {
  readonly asking: Asking<Of>;
  settle(refusal: Refusal | undefined): void;
}

class Queue<Of> {
  readonly waiting: Waiting<Of>[] = [];
  /** Seats given to it, in the time of its level: the one that had least is next. */
  turn = 0;
}

/** See the top of the file. */
export class Level<Of = unknown> {
  #rules: LevelRules;
  #queues: Queue<Of>[] = [];
  #turn = 0;
  #inUse = 0;
  readonly #executing = new Set<Asking<Of>>();
  #queued = 0;
  /** It is configured no more, and goes when nobody is in it. */
  quiescing = false;
  /** What became of requests, by flow schema: of all that ever had any. */
  readonly counts = new Map<string, FlowCounts>();

  /** @param mayBorrow whether so many seats beyond its own are free among all levels */
  constructor(rules: LevelRules, readonly mayBorrow: (seats: number) => boolean) {
    this.#rules = rules;
    this.#resize(0);
  }

  get rules(): LevelRules {
    return this.#rules;
  }

  /** Takes new rules; those who wait go on waiting, be the queues shorter now or none. */
  set rules(rules: LevelRules) {
    const waiting = this.#queues.flatMap((q) => q.waiting);
    this.#rules = rules;
    this.#resize(waiting.length > 0 ? 1 : 0);
    this.#queued = 0;
    for (const w of waiting) this.#put(w, this.#shortest(w.asking.flow));
    this.wake();
  }

  /** Seats in use, requests at work and waiting. */
  get state(): { readonly inUse: number; readonly executing: number; readonly queued: number } {
    return { inUse: this.#inUse, executing: this.#executing.size, queued: this.#queued };
  }

  /** It is configured no more, and nobody is in it. */
  get over(): boolean {
    return this.quiescing && this.#executing.size + this.#queued === 0;
  }

  /** Seats that nobody else can have now: in use, or kept for itself. */
  get held(): number {
    return this.#rules.exempt ? 0 : Math.max(this.#inUse, this.#rules.seats - this.#rules.lendable);
  }

  /** The counts of a flow schema. */
  countsOf(schema: string): FlowCounts {
    let counts = this.counts.get(schema);
    if (!counts) this.counts.set(schema, counts = new FlowCounts());
    return counts;
  }

  /** Requests that have their seats. */
  atWork(): Iterable<Asking<Of>> {
    return this.#executing;
  }

  /** The queues as they are now: seats given to each, and who waits in it. */
  queues(): { readonly turn: number; readonly waiting: readonly Asking<Of>[] }[] {
    return this.#queues.map(({ turn, waiting }) => ({ turn, waiting: waiting.map((w) => w.asking) }));
  }

  /**
   * Waits for seats, at most so many ms; undefined, or a promise of it: they are there, and {@linkcode leave} must be called; else
   * the promise tells why there are none.
   */
  enter(asking: Asking<Of>, waitMs: number, signal: () => AbortSignal): Promise<Refusal | undefined> | undefined {
    if (this.#queued === 0 && this.#fits(asking.seats)) return void this.#take(asking);
    return this.#wait(asking, waitMs, signal);
  }

  /** Seats of a request that would like so many: no more than the level has. */
  width(seats: number): number {
    return Math.min(seats, Math.max(1, this.#rules.seats));
  }

  /** Gives seats back. */
  leave(asking: Asking<Of>): void {
    this.#inUse -= asking.seats;
    this.#executing.delete(asking);
    this.wake();
  }

  /** Lets in those who wait, as far as there are seats. */
  wake(): void {
    while (this.#queued > 0) {
      const queue = this.#next();
      const first = queue.waiting[0]!;
      if (!this.#fits(first.asking.seats)) return;
      queue.waiting.shift();
      this.#queued--;
      this.#turn = queue.turn;
      queue.turn += first.asking.seats;
      this.#take(first.asking);
      first.settle(undefined);
    }
  }

  #fits(seats: number): boolean {
    const { exempt, seats: own, borrowing } = this.#rules;
    if (exempt || this.#inUse + seats <= own || (this.#inUse === 0 && own > 0)) return true;
    return this.#inUse + seats <= own + borrowing && this.mayBorrow(seats);
  }

  #take(asking: Asking<Of>): void {
    this.#inUse += asking.seats;
    this.#executing.add(asking);
    this.countsOf(asking.schema).dispatched++;
  }

  #wait(asking: Asking<Of>, waitMs: number, signal: () => AbortSignal): Promise<Refusal | undefined> {
    const { promise, resolve } = Promise.withResolvers<Refusal | undefined>();
    const gone = () => waiting.settle("cancelled");
    const timer = setTimeout(() => waiting.settle("time-out"), waitMs);
    const source = signal();
    const waiting: Waiting<Of> = {
      asking,
      settle: (refusal) => {
        clearTimeout(timer);
        source.removeEventListener("abort", gone);
        if (refusal) this.#refuse(refusal, waiting);
        resolve(refusal);
      },
    };
    // Its client may have gone while it was looked at who asks.
    const refusal = source.aborted ? "cancelled" : this.#enqueue(waiting);
    if (refusal) waiting.settle(refusal);
    else source.addEventListener("abort", gone, { once: true });
    return promise;
  }

  #refuse(refusal: Refusal, waiting: Waiting<Of>): void {
    const { refused } = this.countsOf(waiting.asking.schema);
    refused.set(refusal, (refused.get(refusal) ?? 0) + 1);
    for (const { waiting: line } of this.#queues) {
      const at = line.indexOf(waiting);
      if (at < 0) continue;
      line.splice(at, 1);
      this.#queued--;
    }
  }

  #enqueue(waiting: Waiting<Of>): Refusal | undefined {
    const { queues } = this.#rules;
    if (!queues) return "concurrency-limit";
    const index = this.#shortest(waiting.asking.flow);
    if (this.#length(index) >= queues.length) return "queue-full";
    this.#put(waiting, index);
    return undefined;
  }

  /** The shortest queue of a flow's hand; without queues the one that there is of those from before. */
  #shortest(flow: string): number {
    const { count, hand } = this.#rules.queues ?? { count: 1, hand: 1 };
    return dealHand(flow, count, hand).reduce((a, b) => this.#length(b) < this.#length(a) ? b : a);
  }

  #length(index: number): number {
    return this.#queues[index]!.waiting.length;
  }

  #put(waiting: Waiting<Of>, index: number): void {
    const queue = this.#queues[index]!;
    if (queue.waiting.length === 0) queue.turn = Math.max(queue.turn, this.#turn);
    queue.waiting.push(waiting);
    waiting.asking.queue = index;
    this.#queued++;
  }

  #next(): Queue<Of> {
    let best: Queue<Of> | undefined;
    for (const q of this.#queues) if (q.waiting.length > 0 && (!best || q.turn < best.turn)) best = q;
    return best!;
  }

  /** @param least so many queues though the rules have none: for those who wait from before */
  #resize(least: number): void {
    this.#queues = Array.from({ length: this.#rules.queues?.count ?? least }, () => new Queue<Of>());
  }
}

/** So many different queues for a flow, always the same ones. */
export function dealHand(flow: string, count: number, hand: number): number[] {
  const dealt = new Set<number>();
  let hash = fnv64a(flow);
  while (dealt.size < Math.min(hand, count)) {
    const left = BigInt(count - dealt.size);
    let card = Number(hash % left);
    hash /= left;
    for (const other of [...dealt].sort((a, b) => a - b)) if (other <= card) card++;
    dealt.add(card);
  }
  return [...dealt];
}
