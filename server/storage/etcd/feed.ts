/** One watch on everything of the store, opened again as often as it breaks, so that changes come in order and none is left out. */
import type { Revision } from "../backend.ts";
import type { Cluster } from "./cluster.ts";
import { DENIED } from "./errors.ts";
import { RPC, type WatchResponse } from "./messages.ts";
import type { Transport, WatchCall } from "./transport.ts";

/** Events of a watch. */
export type Events = WatchResponse["events"];

/** What a feed tells. */
export interface FeedHandlers {
  /** Everything up to `revision` has been told with this; events may be none. */
  events(events: Events, revision: Revision): void;
  /** What it has not told yet is compacted. */
  compacted(revision: Revision): void;
  /** The member has not come as far as what was told: it is late, or the store was put back to what it was before. */
  behind?(): void;
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
/**
 * While something is owed a watch says something within this time, or it is opened anew, ms: its connection may be gone
 * without an end. It has twice the time after each time that this was of no use: a member may have much to read before.
 */
const SILENCE = 5_000;
const SILENCE_MAX = 60_000;

interface Waiter {
  readonly revision: Revision;
  readonly until: number;
  readonly end: () => void;
}

/** A watch of a member. */
interface Open {
  readonly call: WatchCall;
  readonly transport: Transport;
  /** Progress is being asked for. */
  asking: boolean;
  /** Whether the member, in the version that it has now, can be asked for it. */
  canAsk: Promise<boolean> | undefined;
}

/** A watch from one revision on. */
export class Feed {
  #watch: Open | undefined;
  #parts: WatchResponse["events"][number][] = [];
  /** In the order of their time. */
  readonly #waiting = new Set<Waiter>();
  #lateTimer: ReturnType<typeof setTimeout> | undefined;
  #proving = 0;
  /** Since when something is owed, as far as nothing was told since. */
  #owedSince: number | undefined;
  #heardAt = 0;
  #silence = SILENCE;
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
    if (transport === this.#watch?.transport) void this.#again(transport);
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
    this.#heardAt = performance.now();
    const mine: { watch?: Open } = {};
    const ours = () => this.#watch === mine.watch && !this.#stopped;
    const call = transport.watch({ create }, {
      message: (response) => ours() && this.#message(response, transport),
      end: () => ours() && this.#again(transport),
    });
    mine.watch = this.#watch = { call, transport, asking: false, canAsk: undefined };
    this.#createTimer = setTimeout(() => ours() && this.#again(transport), CREATE_WITHIN);
  }

  #message(response: WatchResponse, transport: Transport): void {
    clearTimeout(this.#createTimer);
    this.#heardAt = performance.now();
    if (response.canceled) {
      const { compactRevision, cancelReason = "" } = response;
      this.#denied = DENIED.test(cancelReason) ? new Error(`watch: ${cancelReason}`) : undefined;
      if (!compactRevision) return void this.#again(transport);
      this.stop();
      return this.handlers.compacted(compactRevision);
    }
    this.#pause = 0;
    this.#denied = undefined;
    this.#tried.resolve();
    if (response.created) return void (response.header.revision < this.revision && this.handlers.behind?.());
    this.#silence = SILENCE;
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
    this.#owedSince = undefined;
    this.handlers.events(fresh, this.revision);
    this.#end((one) => one.revision <= this.revision);
  }

  #end(which: (one: Waiter) => boolean): void {
    for (const one of this.#waiting) {
      if (!which(one)) continue;
      this.#waiting.delete(one);
      one.end();
    }
  }

  async #again(transport: Transport): Promise<void> {
    clearTimeout(this.#createTimer);
    this.#tried.resolve();
    this.#watch?.call.cancel();
    this.#watch = undefined;
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
  reached(revision: Revision): Promise<void> {
    if (this.revision >= revision || this.#stopped) return Promise.resolve();
    const now = performance.now();
    this.#owedSince ??= now;
    return new Promise((end) => {
      this.#waiting.add({ revision, until: now + TOLD_WITHIN, end });
      this.#lateTimer ??= setTimeout(this.#late, TOLD_WITHIN);
    });
  }

  /** One timer for all who wait: to set one for each would be a cost of every commit. */
  readonly #late = (): void => {
    const now = performance.now();
    this.#doubt(now);
    this.#end((one) => one.until <= now);
    const [next] = this.#waiting;
    this.#lateTimer = next && setTimeout(this.#late, next.until - now);
  };

  /** A watch that owes something and has said nothing for long is opened anew, at the next member. */
  #doubt(now: number): void {
    if (!this.#watch || now - Math.max(this.#owedSince ?? now, this.#heardAt) < this.#silence) return;
    this.#silence = Math.min(SILENCE_MAX, this.#silence * 2);
    void this.#again(this.#watch.transport);
  }

  /** Sees to it that everything up to a revision is told soon, even where no change is left to be told. */
  prove(revision: Revision): void {
    this.#proving = Math.max(this.#proving, revision);
    this.#proveTimer ??= setTimeout(this.#prove, ASK_AFTER);
  }

  readonly #prove = (): void => {
    if (this.#stopped || this.revision >= this.#proving) return this.#proved();
    const now = performance.now();
    this.#owedSince ??= now;
    this.#doubt(now);
    if (this.#watch && !this.#watch.asking) void this.#ask(this.#watch);
    this.#proveTimer = setTimeout(this.#prove, ASK_EVERY);
  };

  async #ask(watch: Open): Promise<void> {
    watch.asking = true;
    if (await (watch.canAsk ??= canAsk(watch.transport))) watch.call.progress();
    else await this.mark().catch(() => {});
    watch.asking = false;
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
    this.#watch?.call.cancel();
    clearTimeout(this.#lateTimer);
    this.#end(() => true);
  }
}

/** Whether a member's progress comes after what it tells of. Members of one cluster may differ while they are replaced. */
async function canAsk(transport: Transport): Promise<boolean> {
  if (!transport.canAsk) return false;
  const status = await transport.call(RPC.status, {}, { timeout: CREATE_WITHIN }).catch(() => undefined);
  const [major = 0, minor = 0, patch = 0] = status?.version.split(".").map((part) => parseInt(part, 10)) ?? [];
  return major > 3 || minor > 5 || (minor === 5 ? patch >= 13 : minor === 4 && patch >= 31);
}
