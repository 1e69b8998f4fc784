/** Lists a collection and watches it, again and again. */
import { fraction, type RandomBytes } from "../../schema/values/random.ts";
import type { LogLine } from "../../schema/log/log.ts";
import { ApiError, type Clock, type Follower, hasCode } from "../types.ts";
import { statusError } from "./answers.ts";
import { growing } from "./pauses.ts";
import type { WatchEvent } from "./media.ts";

/** Pauses after faults, ms. */
const PAUSE_MS = 800;
const MAX_PAUSE_MS = 30_000;
/** A watch ends by itself after so long, s, and a random part of it more: a connection that nobody answers on is found out. */
const WATCH_S = 300;
/** The same while it is not sure that the server has the version that it is asked to go on from. */
const DOUBTED_S = 30;
/** A watch that ends sooner, without an event, is a fault, ms. */
const SHORT_MS = 1_000;

type Query = Readonly<Record<string, string>>;

/** What following needs of a client. */
export interface Lister {
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: LogLine;
  list(path: string, query: Query, signal: AbortSignal): Promise<unknown>;
  /** Resolves when the watch has ended. `seconds` is its time. */
  watch(
    path: string,
    query: Query,
    seconds: number,
    event: (event: WatchEvent) => void,
    signal: AbortSignal,
  ): Promise<void>;
}

interface List {
  readonly metadata?: { readonly resourceVersion?: string };
  readonly items?: readonly unknown[];
}

interface Watched {
  readonly metadata?: { readonly resourceVersion?: string };
}

/** See `Api.follow`. */
export async function follow<T>(
  { clock, random, log, list, watch }: Lister,
  path: string,
  query: Query,
  to: Follower<T>,
  signal: AbortSignal,
): Promise<void> {
  const pauses = growing(PAUSE_MS, MAX_PAUSE_MS, random);
  /** What is known is of this version; undefined: the next step is a list. */
  let version: string | undefined;
  /** The version that a list must have reached: `0` any, empty the newest. */
  let least = "0";
  /** Whoever answers now may have another store: one that has not come to the version says nothing in a watch, not even at its end. */
  let doubted = false;
  const faulted = async (e: unknown) => {
    if (signal.aborted) return;
    const gone = hasCode(e, 410, 504);
    if (gone && version !== undefined) return void (version = undefined);
    // The version that a list asked for is lost, or from before the server lost its store.
    if (gone) least = "";
    doubted = true;
    const after = e instanceof ApiError && e.retryAfter ? e.retryAfter * 1000 : 0;
    log("warn", `${path} is not followed for a moment`, e instanceof Error ? e.message : e);
    await clock.wait(Math.max(after, pauses.next()), signal);
  };
  const listed = async () => {
    const found = await list(path, { ...query, resourceVersion: least }, signal) as List;
    least = found.metadata?.resourceVersion ?? "";
    to.replace(found.items as readonly T[] ?? []);
    version = least;
    doubted = false;
  };
  const watched = async () => {
    const seconds = Math.floor((doubted ? DOUBTED_S : WATCH_S) * (1 + fraction(random)));
    const began = clock.ticks();
    let seen = 0;
    const event = ({ type, object }: WatchEvent) => {
      if (type === "ERROR") throw statusError(object);
      seen++;
      doubted = false;
      if (type === "ADDED" || type === "MODIFIED" || type === "DELETED") to.changed(type, object as T);
      version = least = (object as Watched).metadata?.resourceVersion ?? version!;
    };
    const more = { watch: "true", allowWatchBookmarks: "true", timeoutSeconds: String(seconds) };
    await watch(path, { ...query, ...more, resourceVersion: version! }, seconds, event, signal);
    const lasted = clock.ticks() - began;
    if (seen === 0 && lasted < SHORT_MS) throw new Error("the watch ended at once");
    pauses.reset();
    if (seen > 0) return;
    if (lasted < seconds * 1000 - SHORT_MS) doubted = true;
    else version = undefined;
  };
  while (!signal.aborted) {
    try {
      await (version === undefined ? listed() : watched());
    } catch (e) {
      await faulted(e);
    }
  }
}
