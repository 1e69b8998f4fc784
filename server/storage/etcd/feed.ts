/** One watch on everything of the store, opened again as often as it breaks, so that changes come in order and none is left out. */
import type { Revision } from "../backend.ts";
import type { Cluster } from "./cluster.ts";
import { DENIED } from "./errors.ts";
import type { WatchResponse } from "./messages.ts";
import type { Transport, WatchCall } from "./transport.ts";

/** Events of a watch. */
export type Events = WatchResponse["events"];

/** What a feed tells. */
export interface FeedHandlers {
  /** Everything up to `revision` has been told with this; events may be none. */
  events(events: Events, revision: Revision): void;
  /** What it has not told yet is compacted. */
  compacted(revision: Revision): void;
}

/** How often progress is asked for until it comes, ms. */
const ASK_EVERY = 50;
/** Before progress is asked for, changes that are on their way get so long, ms. */
const ASK_AFTER = 5;
const PAUSE_MAX = 2_000;
/** Longest wait for what is to be told, ms. */
const TOLD_WITHIN = 5_000;
/** An open watch is heard of within this time, or another member's turn comes, ms. */
const CREATE_WITHIN = 5_000;

interface Waiter {
  readonly revision: Revision;
  readonly until: number;
  /** True: it has been told. */
  readonly end: (told: boolean) => void;
}

/** A watch from one revision on. */
export class Feed {
  #call: WatchCall | undefined;
  #transport: Transport | undefined;
  #parts: WatchResponse["events"][number][] = [];
  /** In the order of their time. */
  readonly #waiting = new Set<Waiter>();
  #lateTimer: ReturnType<typeof setTimeout> | undefined;
  #proving = 0;
  #stopped = false;
  #pause = 0;
  #createTimer: ReturnType<typeof setTimeout> | undefined;
  #denied: Error | undefined;
  readonly #tried = Promise.withResolvers<void>();
  #proveTimer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param revision everything up to it is known already
   * @param mark writes something that the watch will see; for members that cannot be asked for progress
   */
  constructor(
    readonly cluster: Cluster,
    readonly range: readonly [Uint8Array, Uint8Array],
    public revision: Revision,
    readonly handlers: FeedHandlers,
    readonly mark: () => Promise<void>,
  ) {
    cluster.left.add(this.#left);
    this.#open();
  }

  /** Calls to the member have no answer: the watch would not end by itself for another while. */
  readonly #left = (transport: Transport) => {
    if (transport === this.#transport && this.#call) void this.#again(transport);
  };

  /** What a member says that does not let this user watch; undefined once one does. */
  get denied(): Error | undefined {
    return this.#denied;
  }

  /** Resolves when a member has first opened the watch or refused it, or did not answer. */
  get tried(): Promise<void> {
    return this.#tried.promise;
  }

  #open(): void {
    if (this.#stopped || this.cluster.closed) return;
    const { transport } = this.cluster;
    const [key, rangeEnd] = this.range;
    const create = { key, rangeEnd, startRevision: this.revision + 1, progressNotify: true, fragment: true };
    this.#parts = [];
    this.#transport = transport;
    const mine: { call?: WatchCall } = {};
    const ours = () => this.#call === mine.call && !this.#stopped;
    mine.call = this.#call = transport.watch({ create }, {
      message: (response) => ours() && this.#message(response),
      end: () => ours() && this.#again(transport),
    });
    this.#createTimer = setTimeout(() => ours() && this.#again(transport), CREATE_WITHIN);
  }

  #message(response: WatchResponse): void {
    clearTimeout(this.#createTimer);
    if (response.canceled) {
      const { compactRevision, cancelReason = "" } = response;
      this.#denied = DENIED.test(cancelReason) ? new Error(`watch: ${cancelReason}`) : undefined;
      if (!compactRevision) return void this.#again(this.#transport!);
      this.stop();
      return this.handlers.compacted(compactRevision);
    }
    this.#pause = 0;
    this.#denied = undefined;
    this.#tried.resolve();
    if (response.created) return;
    if (response.events.length === 0 && !response.fragment && this.#parts.length === 0) {
      return this.#told([], response.header.revision);
    }
    this.#parts.push(...response.events);
    if (response.fragment) return;
    const events = this.#parts;
    this.#parts = [];
    this.#told(events, events.at(-1)!.kv.modRevision);
  }

  #told(events: Events, revision: Revision): void {
    // After a reconnect a member may tell again.
    const fresh = events.filter((event) => event.kv.modRevision > this.revision);
    if (revision <= this.revision && fresh.length === 0) return;
    this.revision = Math.max(this.revision, revision);
    this.handlers.events(fresh, this.revision);
    this.#end((one) => one.revision <= this.revision, true);
  }

  #end(which: (one: Waiter) => boolean, told: boolean): void {
    for (const one of this.#waiting) {
      if (!which(one)) continue;
      this.#waiting.delete(one);
      one.end(told);
    }
  }

  async #again(transport: Transport): Promise<void> {
    clearTimeout(this.#createTimer);
    this.#tried.resolve();
    this.#call?.cancel();
    this.#call = undefined;
    this.cluster.leave(transport);
    const pause = this.#pause;
    this.#pause = Math.min(PAUSE_MAX, pause * 2 || 50);
    await this.cluster.pause(pause);
    if (this.cluster.closed) return;
    // Files that cannot be read now leave the old ones in use.
    await this.cluster.refresh().catch(() => {});
    this.#open();
  }

  /** Resolves when everything up to a revision has been told, or after a while. */
  reached(revision: Revision): Promise<boolean> {
    if (this.revision >= revision || this.#stopped) return Promise.resolve(this.revision >= revision);
    return new Promise((end) => {
      this.#waiting.add({ revision, until: performance.now() + TOLD_WITHIN, end });
      this.#lateTimer ??= setTimeout(this.#late, TOLD_WITHIN);
    });
  }

  /** One timer for all who wait: to set one for each would be a cost of every commit. */
  readonly #late = (): void => {
    const now = performance.now();
    this.#end((one) => one.until <= now, false);
    const [next] = this.#waiting;
    this.#lateTimer = next && setTimeout(this.#late, next.until - now);
  };

  /** Sees to it that everything up to a revision is told soon, even where no change is left to be told. */
  prove(revision: Revision, canAsk: boolean): void {
    this.#proving = Math.max(this.#proving, revision);
    this.#proveTimer ??= setTimeout(() => this.#prove(canAsk), ASK_AFTER);
  }

  async #prove(canAsk: boolean): Promise<void> {
    if (this.#stopped || this.revision >= this.#proving) return this.#proved();
    if (canAsk && this.#transport?.canAsk) this.#call?.progress();
    else await this.mark().catch(() => {});
    if (this.#stopped) return;
    this.#proveTimer = setTimeout(() => this.#prove(canAsk), ASK_EVERY);
  }

  #proved(): void {
    clearTimeout(this.#proveTimer);
    this.#proveTimer = undefined;
  }

  stop(): void {
    this.#stopped = true;
    this.cluster.left.delete(this.#left);
    clearTimeout(this.#createTimer);
    this.#tried.resolve();
    this.#proved();
    this.#call?.cancel();
    clearTimeout(this.#lateTimer);
    this.#end(() => true, true);
  }
}
