/**
 * Bytes a second of each connection's long-running answers (`--max-connection-bytes-per-sec`; specification, "API server request
 * handling options").
 */
import type { Filter } from "../app_types.ts";
import type { Connection } from "../request.ts";
import { pause } from "../pause.ts";
import { isLongRunning } from "./long_running.ts";

/** Pieces of a stream are cut to this part of a second's bytes: what comes next waits for it, not for more. */
const PART = 8;
const LEAST_PIECE = 512;

/** What one connection may send. What long-running answers of it send is one sum. */
export class Pace {
  /** When what was sent so far is paid for, ms. */
  #paid = 0;

  constructor(
    readonly bytesPerSecond: number,
    readonly now: () => number,
    readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>,
  ) {}

  /** Longest piece that should be sent at once, bytes. */
  get piece(): number {
    return Math.max(LEAST_PIECE, Math.floor(this.bytesPerSecond / PART));
  }

  /** Resolves when so many bytes may be sent, or the signal aborts. */
  async take(bytes: number, signal?: AbortSignal): Promise<void> {
    const now = this.now();
    const from = Math.max(this.#paid, now);
    this.#paid = from + bytes * 1000 / this.bytesPerSecond;
    if (from > now) await this.sleep(from - now, signal);
  }
}

/** Undefined for 0, which is no limit. */
export function paceFilter(bytesPerSecond: number, now: () => number): Filter | undefined {
  if (bytesPerSecond === 0) return undefined;
  const paces = new WeakMap<Connection, Pace>();
  return async (scope, next) => {
    if (!isLongRunning(scope.info)) return next(scope);
    const { connection } = scope;
    let pace = paces.get(connection);
    if (!pace) paces.set(connection, pace = new Pace(bytesPerSecond, now, pause));
    scope.pace = pace;
    const response = await next(scope);
    if (response.status === 101 || !response.body) return response;
    const { status, headers } = response;
    return new Response(paced(response.body, pace), { status, headers });
  };
}

function paced(body: ReadableStream<Uint8Array>, pace: Pace): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let left = new Uint8Array(0);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (left.length === 0) {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        left = value as Uint8Array<ArrayBuffer>;
      }
      const piece = left.subarray(0, pace.piece);
      left = left.subarray(piece.length);
      await pace.take(piece.length);
      controller.enqueue(piece);
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
}
