/** Joins an outer and an inner socket: bytes both ways, back-pressure both ways, one end for both. */
import type { Socket } from "node:net";
import type { Buffer } from "node:buffer";
import type { Flow } from "./flow.ts";

/** Looks at, or changes, the bytes of one direction. */
export interface Tap {
  (chunk: Buffer): Uint8Array;
}

/** Optional taps of a pipe. */
export interface Taps {
  readonly toInner?: Tap;
  readonly toOuter?: Tap;
}

function forward(from: Socket, flow: Flow, to: Socket, tap: Tap | undefined): void {
  from.on("data", (chunk: Buffer) => {
    const bytes = tap === undefined ? chunk : tap(chunk);
    if (bytes.length > 0 && !to.destroyed && !to.write(bytes)) flow.pause();
  });
  to.on("drain", () => flow.resume());
}

/** Two sockets to join. */
export interface Pipe {
  readonly outer: Socket;
  /** Of the outer socket. */
  readonly flow: Flow;
  readonly inner: Socket;
  readonly taps: Taps;
  readonly lingerMs: number;
  onEnd(): void;
}

/**
 * Pipes until either side ends. The outer client's end cuts the inner side at once, which is how a request of a client that went
 * away is aborted; the inner side's end lets the outer one flush for at most `lingerMs`.
 * `onEnd` is called once, before the first socket is destroyed.
 */
export function pipe({ outer, flow, inner, taps, lingerMs, onEnd }: Pipe): void {
  let ended = false, flushing = false;
  const end = () => {
    if (ended) return;
    ended = true;
    onEnd();
  };
  const cutInner = () => {
    end();
    inner.destroy();
  };
  const flushOuter = () => {
    end();
    if (flushing || outer.destroyed) return;
    flushing = true;
    outer.end();
    const timer = setTimeout(() => outer.destroy(), lingerMs);
    outer.once("close", () => clearTimeout(timer));
  };
  outer.once("end", cutInner).once("close", cutInner).on("error", cutInner);
  inner.once("end", flushOuter).once("close", flushOuter).on("error", flushOuter);
  forward(outer, flow, inner, taps.toInner);
  forward(inner, inner, outer, taps.toOuter);
}
