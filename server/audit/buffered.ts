/** Events in batches, beside the requests (mode `batch`). */
import type { AuditEvent } from "./event.ts";
import type { AuditSink, Lost } from "./sinks.ts";

/** Bounds of batches. Times in ms. */
export interface BatchLimits {
  /** Events held; what comes when there are so many is lost. */
  readonly buffer: number;
  readonly size: number;
  /** Longest wait for a batch to fill. */
  readonly wait: number;
  /** Batches a second, and at once; undefined: as many as there are. */
  readonly throttle?: { readonly qps: number; readonly burst: number } | undefined;
  /** Batches on their way at once. */
  readonly atOnce: number;
}

/** See the top of the file. */
export class Buffered implements AuditSink {
  readonly #queue: AuditEvent[] = [];
  readonly #to: AuditSink;
  readonly #limits: BatchLimits;
  readonly #lost: Lost;
  readonly #now: () => number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = false;
  #closed = false;
  #sending: Promise<void> | undefined;
  readonly #going = new Set<Promise<unknown>>();
  #tokens: number;
  #filled: number;

  constructor(to: AuditSink, limits: BatchLimits, lost: Lost, now: () => number) {
    this.#to = to;
    this.#limits = limits;
    this.#lost = lost;
    this.#now = now;
    this.#tokens = limits.throttle?.burst ?? 0;
    this.#filled = now();
  }

  process(events: readonly AuditEvent[]): boolean {
    const room = this.#closed ? 0 : this.#limits.buffer - this.#queue.length;
    this.#queue.push(...events.slice(0, room));
    if (events.length > room) {
      const why = this.#closed ? "the server stops" : "the buffer is full";
      this.#lost("buffered", why, events.slice(room));
    }
    this.#wake();
    return true;
  }

  #wake(): void {
    if (this.#queue.length === 0) return;
    if (this.#due || this.#queue.length >= this.#limits.size) {
      this.#sending ??= this.#send().finally(() => {
        this.#sending = undefined;
        this.#wake();
      });
      return;
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#due = true;
      this.#wake();
    }, this.#limits.wait);
  }

  async #send(): Promise<void> {
    await Promise.resolve(); // what comes in the same turn goes along
    while (this.#queue.length > 0 && (this.#due || this.#queue.length >= this.#limits.size)) {
      await this.#turn();
      while (this.#going.size >= this.#limits.atOnce) await Promise.race(this.#going);
      const batch = this.#queue.splice(0, this.#limits.size);
      const work = Promise.resolve(this.#to.process(batch)).finally(() => this.#going.delete(work));
      this.#going.add(work);
    }
    this.#due = this.#closed;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Waits for a token of the throttle; not once the server stops. */
  async #turn(): Promise<void> {
    const { throttle } = this.#limits;
    if (!throttle) return;
    for (;;) {
      const now = this.#now();
      // A clock that was put back gives nothing, and takes nothing.
      const passed = Math.max(0, now - this.#filled);
      this.#tokens = Math.min(throttle.burst, this.#tokens + passed / 1000 * throttle.qps);
      this.#filled = now;
      if (this.#closed) return;
      if (this.#tokens >= 1) {
        this.#tokens--;
        return;
      }
      const ms = Math.ceil((1 - this.#tokens) / throttle.qps * 1000);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#hurry = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
  #hurry: () => void = () => {};

  async close(): Promise<void> {
    this.#closed = true;
    this.#due = true;
    this.#hurry();
    this.#to.hurry?.();
    this.#wake();
    while (this.#sending) await this.#sending;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await Promise.all([this.#to.close(), ...this.#going]);
  }
}
