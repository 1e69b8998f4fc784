/** What the ways of sending a watch have in common: batches until the end, and the last word on a failure. */
import type { JsonMap } from "../../schema/model/types.ts";
import { StatusError } from "../../schema/status.ts";
import type { WatchBatch, Watcher } from "../cache/mod.ts";
import type { Store } from "../registry/store.ts";
import type { Frames } from "./watch_frames.ts";

/** Where batches come from: a watcher, one to be opened, or what to tell the client instead. */
export type WatchSource = Watcher | StatusError | ((signal: AbortSignal) => Promise<Watcher>);

/** One watch to be sent. */
export interface WatchRun {
  readonly store: Store;
  readonly frames: Frames;
  /** The watch ends after so many ms. */
  readonly lifeMs: number;
  /** Aborts when the client has gone, or the server stops. */
  readonly gone: AbortSignal;
  readonly source: WatchSource;
  /** Called when the watch is over. */
  ended(): void;
}

/** The next batch; undefined when the signal aborts first. */
export function nextBatch(watcher: Watcher, signal: AbortSignal): Promise<WatchBatch | undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const ended = () => resolve(undefined);
    signal.addEventListener("abort", ended, { once: true });
    watcher.next().then(resolve, reject).finally(() => signal.removeEventListener("abort", ended));
  });
}

/** What an ERROR event carries. */
export function statusOf(e: unknown): JsonMap {
  const status = e instanceof StatusError ? e : new StatusError(500, "InternalError", "Internal error occurred");
  return JSON.parse(JSON.stringify(status.toStatus()));
}
