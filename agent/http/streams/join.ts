/** Joins two connections: bytes both ways at the slower side's pace, one end for both. */
import type { Duplex } from "node:stream";
import { setTimeout } from "node:timers";

/** After one side's end the other is sent what is left of it for so long, ms. */
const LINGER_MS = 5_000;
/** The longest time that timers keep, ms. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Joins them until one ends or nothing has come from either for so long. @param idleMs 0: however long */
export function join(a: Duplex, b: Duplex, idleMs: number): void {
  const both = [[a, b], [b, a]] as const;
  const cut = () => both.forEach(([side]) => side.destroy());
  const idle = idleMs > 0 ? setTimeout(cut, Math.min(idleMs, MAX_TIMER_MS)) : undefined;
  let ended = false;
  const end = (rest: Duplex) => {
    if (ended) return;
    ended = true;
    clearTimeout(idle);
    rest.end();
    const linger = setTimeout(cut, LINGER_MS);
    rest.once("close", () => {
      clearTimeout(linger);
      cut();
    });
    if (rest.destroyed) cut();
  };
  for (const [from, to] of both) {
    from.on("data", (chunk: Uint8Array) => {
      idle?.refresh();
      if (!to.destroyed && to.writable && !to.write(chunk)) from.pause();
    });
    to.on("drain", () => from.resume());
    from.on("error", () => end(to));
    from.once("end", () => end(to)).once("close", () => end(to));
  }
  // Sides that were gone before say nothing.
  for (const [from, to] of both) if (from.destroyed) end(to);
}
