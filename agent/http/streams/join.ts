/** Joins a client's connection and the runtime's: bytes both ways at the slower side's pace, one end for both. */
import type { Duplex } from "node:stream";
import { setInterval, setTimeout } from "node:timers";
import { NOTHING } from "./spdy.ts";
import type { FrameBounds } from "./spdy_bounds.ts";

/** After its client's end the runtime is sent what is left for so long, ms. */
const LINGER_MS = 5_000;
/** So often a client that is held back is written to: that it has gone is told by nothing else. */
const ASK_MS = 5_000;
/** The longest time that timers keep, ms. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Joins them until one ends or nothing has come from either for so long. A client is sent all that the runtime has said, however slowly
 * it takes it: who closes before, or leaves something unread, resets the connection, and what is on its way is lost.
 * @param idleMs 0: however long
 * @param bounds of the frames that the client is sent, where they speak SPDY
 */
export function join(client: Duplex, runtime: Duplex, idleMs: number, bounds?: FrameBounds): void {
  const both = [[client, runtime], [runtime, client]] as const;
  const cut = () => both.forEach(([side]) => side.destroy());
  const idle = idleMs > 0 ? setTimeout(cut, Math.min(idleMs, MAX_TIMER_MS)) : undefined;
  // Of what says nothing to a client: one that has to answer it could not, with its input before the answer.
  const asks = bounds && setInterval(() => {
    if (client.isPaused() && client.writableLength === 0 && bounds.between) client.write(NOTHING);
  }, ASK_MS);
  let ended = false;
  const end = (rest: Duplex) => {
    if (ended) return;
    ended = true;
    clearInterval(asks);
    const linger = rest === runtime ? setTimeout(cut, LINGER_MS) : undefined;
    rest.once("close", () => {
      clearTimeout(idle);
      clearTimeout(linger);
      cut();
    });
    rest.end();
    rest.resume();
    if (rest.destroyed) cut();
  };
  for (const [from, to] of both) {
    from.on("data", (chunk: Uint8Array) => {
      idle?.refresh();
      if (from === runtime) bounds?.pass(chunk);
      if (!ended && to.writable && !to.write(chunk)) from.pause();
    });
    to.on("drain", () => {
      idle?.refresh();
      from.resume();
    });
    from.on("error", () => end(to));
    from.once("end", () => end(to)).once("close", () => end(to));
  }
  // Sides that were gone before say nothing.
  for (const [from, to] of both) if (from.destroyed) end(to);
}
