/**
 * Gives memory back when nothing is going on. The engine keeps what a burst of work (or the start) has taken, since nobody
 * tells it that the work is over: 50,000 creates leave some 170 MB behind that a full collection gives back.
 *
 * Such a collection stops the process for 3 ms a MB of live heap, so it is made of a small heap only, once after each
 * burst, when the heap has been still for two seconds. A server at work is never stopped by it.
 */
import v8 from "node:v8";
import vm from "node:vm";

/** How often is looked, ms, and how many looks in turn must find the heap still. */
const EVERY_MS = 1_000;
const LOOKS = 2;
const MB = 1 << 20;
/** Growth of the used heap between two looks up to which nothing is going on, bytes. */
const STILL = MB / 2;
/** What must have come since the last collection for another to be worth its pause, bytes. */
const WORTHWHILE = 12 * MB;
/** Largest used heap that is collected: a pause of at most some 0.4 s. */
const LARGEST = 128 * MB;

/** Decides by one look after the other when to collect. */
export class Stillness {
  #used = Infinity;
  #after = 0;
  #looks = 0;

  /** Whether to collect now. Bytes of the heap: in use, garbage included, and taken from the system. */
  look(used: number, total: number): boolean {
    this.#looks = Math.abs(used - this.#used) < STILL ? this.#looks + 1 : 0;
    this.#used = used;
    return this.#looks >= LOOKS && used < LARGEST && total - this.#after > WORTHWHILE;
  }

  /** After a collection: what is taken still. */
  collected(used: number, total: number): void {
    this.#used = used;
    this.#after = total;
  }
}

/** Looks after the memory of this process until the signal aborts. */
export function giveBackWhenStill(signal: AbortSignal): void {
  const stillness = new Stillness();
  const heap = (): [used: number, total: number] => {
    const { used_heap_size, total_heap_size } = v8.getHeapStatistics();
    return [used_heap_size, total_heap_size];
  };
  const timer = setInterval(() => {
    if (!stillness.look(...heap())) return;
    collect();
    stillness.collected(...heap());
  }, EVERY_MS);
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}

/** A whole collection that gives free pages back. The engine shows it only to those who ask for it by a flag. */
function collect(): void {
  v8.setFlagsFromString("--expose-gc");
  const gc = vm.runInNewContext("gc") as (how: { type: "major"; flavor: "last-resort" }) => void;
  gc({ type: "major", flavor: "last-resort" });
}
