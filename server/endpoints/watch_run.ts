/** What the ways of sending a watch have in common: batches until the end, and the last word on a failure. */
import type { JsonMap } from "../../schema/model/types.ts";
import { expired, type StatusError } from "../../schema/status.ts";
import type { WatchBatch, WatchEnded, Watcher } from "../cache/mod.ts";
import { statusOf } from "../filters/errors.ts";
import type { EventTally } from "../request.ts";
import type { Store } from "../registry/store.ts";
import type { Frames } from "./watch_frames.ts";
import type { Gzip } from "./watch_gzip.ts";

/** Where batches come from: a watcher, one to be opened, or what to tell the client instead. */
export type WatchSource = Watcher | StatusError | ((signal: AbortSignal) => Promise<Watcher>);

/** Where it is heard of that a watch has ended by itself, though nobody waits for its next batch. */
export interface Ending {
  heard?: (error: WatchEnded) => void;
}

/** One watch to be sent. */
export interface WatchRun {
  readonly store: Store;
  readonly frames: Frames;
  /** The watch ends after so many ms. */
  readonly lifeMs: number;
  /** Aborts when the client has gone, or the server stops. */
  readonly gone: AbortSignal;
  readonly source: WatchSource;
  readonly ending: Ending;
  /** Hears of what is sent. */
  readonly tally?: EventTally | undefined;
  /** Hears that all objects of before were sent, where the client asked for them. */
  readonly listed?: (() => void) | undefined;
  /** Compresses the stream, where the client takes that. */
  readonly gzip?: Gzip | undefined;
  /** Called when the watch is over. */
  ended(): void;
}

/** Whether a batch closes what was there before: it stands alone. */
export const closesList = ({ events: [first] }: WatchBatch): boolean =>
  first !== undefined && first.type === "BOOKMARK" && first.initialEnd === true;

/** Batches of a watcher until a signal aborts. It is listened to once: to do so for each batch costs more than to send one. */
export class Batches {
  #stop: (() => void) | undefined;

  constructor(readonly watcher: Watcher, readonly signal: AbortSignal) {
    signal.addEventListener("abort", () => this.#stop?.(), { once: true });
  }

  /** The next one; undefined when there is none any more, or the signal aborts first. One call at a time. */
  next(): Promise<WatchBatch | undefined> {
    if (this.signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      this.#stop = () => resolve(undefined);
      this.watcher.next().then(resolve, reject);
    });
  }
}

/** Ends after which the same version can be asked for again: when the log is back, or of what has been defined anew. */
const RESUMED: ReadonlySet<WatchEnded["reason"]> = new Set(["not-ready", "closed"]);

/** What a client is told when its watch ends before its time; undefined: nothing, it tries to resume. */
export const lastWord = ({ reason, message }: WatchEnded): StatusError | undefined =>
  RESUMED.has(reason) ? undefined : expired(message);

/** What an ERROR event carries: what a request that fails so is answered with. */
export const errorObject = (e: unknown): JsonMap => JSON.parse(JSON.stringify(statusOf(e).toStatus()));
