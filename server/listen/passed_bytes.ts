/**
 * Has the collector look at its young objects after so many bytes went to clients. Buffers that sockets are read into are small objects
 * with much memory outside the heap, of which the engine takes notice only every 64 MB, by a collection of everything.
 */

/** Bytes from one look to the next; what is under way at once fits several times. */
const EVERY = 16 << 20;

/** Counts bytes, and collects after every 16 MB of them. */
export class PassedBytes {
  #left = EVERY;

  /** @param collect looks at the young objects; undefined where it cannot be had */
  constructor(readonly collect: (() => void) | undefined) {}

  add(bytes: number): void {
    if ((this.#left -= bytes) > 0) return;
    this.#left = EVERY;
    this.collect?.();
  }
}

/** Of V8, some 0.2 to 2 ms a call; undefined unless the process was started with `--v8-flags=--expose-gc`, as `deno task start` does. */
function youngCollection(): (() => void) | undefined {
  const gc: unknown = Reflect.get(globalThis, "gc");
  return typeof gc === "function" ? () => void gc({ type: "minor" }) : undefined;
}

/** What all listeners of this process pass to clients. */
export const passedToClients: PassedBytes = new PassedBytes(youngCollection());
