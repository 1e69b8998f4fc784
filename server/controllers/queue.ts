/**
 * Work by key: each key once at a time, again after a failure with growing, jittered waits. Keys name what is stored, or has just
 * gone: as each waits once, there are no more of them than that.
 */
import { QueueCounts, type QueueMetrics } from "../metrics/queues.ts";

/** How a queue works. Times in ms. */
export interface QueueOptions {
  /** Keys worked on at the same time. */
  readonly workers: number;
  /** Does the work of a key. A number asks to be called again after so long; a throw, after a growing wait. */
  work(key: string): Promise<number | void>;
  /** In [0, 1). */
  random(): number;
  /** What is counted of it, by the clock, ms; by default nobody looks. */
  readonly counts?: QueueCounts;
  now?(): number;
  /** Hears of what failed and is tried again. */
  onError(key: string, error: unknown): void;
  readonly retryMs?: number;
  readonly retryMaxMs?: number;
}

const DEFAULTS = { now: () => 0, retryMs: 50, retryMaxMs: 60_000 };

/** See the top of the file. */
export class WorkQueue {
  readonly #o: QueueOptions & typeof DEFAULTS & { readonly counts: QueueCounts };
  /** Waiting, in order of arrival, and since when. */
  readonly #waiting = new Map<string, number>();
  /** Where the work is: each look from the start would pass over all that has been taken out. */
  #next = this.#waiting.entries();
  readonly #active = new Map<string, number>();
  /** Came again while it was worked on. */
  readonly #again = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  #scheduled = false;
  #signal: AbortSignal | undefined;

  constructor(options: QueueOptions) {
    this.#o = { ...DEFAULTS, counts: new QueueCounts(), ...options };
    this.#o.counts.state = { waiting: this.#waiting, active: this.#active };
  }

  /** Begins to work; what was added before waits until then. */
  start(signal: AbortSignal): void {
    this.#signal = signal;
    signal.addEventListener("abort", () => this.#stop(), { once: true });
    this.#schedule();
  }

  /** Keys waiting or at work. */
  get size(): number {
    return this.#waiting.size + this.#active.size + this.#timers.size;
  }

  /** Asks for a key's work; a key that waits already is not doubled. */
  add(key: string): void {
    if (this.#active.has(key)) return void this.#again.add(key);
    this.#forgetTimer(key);
    if (this.#waiting.has(key)) return;
    this.#waiting.set(key, this.#o.now());
    this.#o.counts.adds++;
    this.#schedule();
  }

  /** Asks for a key's work after a time, unless it is asked for sooner. */
  addAfter(key: string, ms: number): void {
    if (this.#signal?.aborted || this.#waiting.has(key) || this.#timers.has(key)) return;
    this.#timers.set(key, setTimeout(() => (this.#timers.delete(key), this.add(key)), ms));
  }

  #forgetTimer(key: string): void {
    const timer = this.#timers.get(key);
    if (timer === undefined) return;
    clearTimeout(timer);
    this.#timers.delete(key);
  }

  /** Work begins in a turn of its own: keys are added from inside the store's delivery. */
  #schedule(): void {
    if (this.#scheduled || this.#signal === undefined || this.#signal.aborted) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.#fill();
    });
  }

  #fill(): void {
    if (this.#signal?.aborted) return;
    while (this.#waiting.size > 0 && this.#active.size < this.#o.workers) {
      const { value, done } = this.#next.next();
      if (done) this.#next = this.#waiting.entries();
      else this.#begin(...value);
    }
  }

  #begin(key: string, since: number): void {
    const now = this.#o.now();
    this.#waiting.delete(key);
    this.#active.set(key, now);
    this.#o.counts.waited.add((now - since) / 1000);
    void this.#run(key);
  }

  async #run(key: string): Promise<void> {
    let again: number | undefined;
    try {
      again = (await this.#o.work(key)) ?? undefined;
      this.#failures.delete(key);
    } catch (error) {
      again = this.#failed(key, error);
    }
    this.#o.counts.worked.add((this.#o.now() - this.#active.get(key)!) / 1000);
    this.#active.delete(key);
    if (this.#again.delete(key)) this.add(key);
    else if (again !== undefined) this.addAfter(key, again);
    this.#schedule();
  }

  #failed(key: string, error: unknown): number {
    this.#o.counts.retries++;
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    if (!this.#signal?.aborted) this.#o.onError(key, error);
    const longest = Math.min(this.#o.retryMaxMs, this.#o.retryMs * 2 ** Math.min(failures - 1, 20));
    return longest * (0.5 + this.#o.random() / 2);
  }

  #stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#waiting.clear();
    this.#again.clear();
    this.#failures.clear();
  }
}

/** What a controller's queue is made with. */
export interface QueueContext {
  readonly queues: QueueMetrics;
  now(): number;
  /** In [0, 1). */
  random(): number;
}

/** The queue of a controller, counted under a name. */
export function workQueue(
  ctx: QueueContext,
  name: string,
  options: Omit<QueueOptions, "random" | "now" | "counts">,
): WorkQueue {
  return new WorkQueue({ ...options, random: ctx.random, now: ctx.now, counts: ctx.queues.of(name) });
}
