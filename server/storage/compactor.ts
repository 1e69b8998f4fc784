/** Compacts a store now and then, so that history is kept for one to two intervals; among several servers one does it. */
import { LONGEST_MS } from "../pause.ts";
import type { Backend, Revision } from "./backend.ts";

/** See the top of the file. */
export class Compactor {
  #timer: ReturnType<typeof setInterval> | undefined;
  /** The newest revision at the last tick: what the next one compacts to. */
  #then: Revision | undefined;
  #compacted: Revision | undefined;

  /**
   * @param failed told of compactions that failed; the next tick tries again
   * @param done told of those that did not, where somebody wants to know
   */
  constructor(
    readonly backend: Backend,
    readonly failed: (error: unknown) => void = () => {},
    readonly done?: (text: string) => void,
  ) {}

  /** Ticks every so many ms; 0 never. */
  start(interval: number): void {
    if (interval <= 0) return;
    this.#timer = setInterval(() => this.tick().catch(this.failed), Math.min(interval, LONGEST_MS));
  }

  /** One turn. When somebody else has compacted since the last one, it is left to him. */
  async tick(): Promise<void> {
    const now = await this.backend.revision();
    const then = this.#then;
    const compacted = this.backend.compacted();
    const othersDo = this.#compacted !== undefined && compacted > this.#compacted;
    this.#then = now;
    if (then !== undefined && !othersDo) {
      await this.backend.compact(then);
      this.done?.(`history before revision ${then} is gone`);
    }
    this.#compacted = this.backend.compacted();
  }

  /** Ends it. */
  stop(): void {
    clearInterval(this.#timer);
  }
}
