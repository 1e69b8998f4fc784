/** Ways to know an object of the API that may change (`configMapAndSecretChangeDetectionStrategy`). */
import type { ConfigMap, Secret } from "../../schema/api/core_v1.ts";
import { type Api, type Clock, unlessNotFound } from "../types.ts";

/** What is known so. */
export type Followed = ConfigMap | Secret;

/** An object, and what it is known by. */
export interface ObjectPlace {
  readonly api: Api;
  readonly clock: Clock;
  /** Of its collection. */
  readonly path: string;
  readonly name: string;
  /** `configmap`, as messages have it. */
  readonly kind: string;
  /** How long what was read counts, ms. */
  readonly ttl: () => number;
}

/** One object. */
export interface ObjectSource {
  /** As it is; undefined: there is none. @throws Error when the server does not say */
  get(): Promise<Followed | undefined>;
  /** One more pod uses it. */
  joined(): void;
  stop(): void;
}

/** Longest wait for the first answer, ms. */
const FIRST_ANSWER = 5_000;
/** An object that nobody asked for in so long is no longer followed, ms; it is again when somebody does. */
const IDLE = 5 * 60_000;

/** Follows the object. */
class Watched implements ObjectSource {
  #object: Followed | undefined;
  #run: { readonly abort: AbortController; readonly known: Promise<void> } | undefined;
  #asked = 0;
  #final = false;

  constructor(readonly place: ObjectPlace) {}

  async get(): Promise<Followed | undefined> {
    if (!await this.#known()) {
      throw new Error(`failed to sync ${this.place.kind} cache: timed out waiting for the condition`);
    }
    // What cannot change need not be followed.
    if (this.#object?.immutable) {
      this.stop();
      this.#final = true;
    }
    return this.#object;
  }

  joined(): void {}

  stop(): void {
    this.#run?.abort.abort();
    this.#run = undefined;
  }

  /** True once the server has said what there is. */
  async #known(): Promise<boolean> {
    const { clock } = this.place;
    this.#asked = clock.ticks();
    if (this.#final) return true;
    const { abort, known } = this.#run ??= this.#follow();
    const end = new AbortController();
    const time = clock.wait(FIRST_ANSWER, AbortSignal.any([end.signal, abort.signal])).then(() => false);
    const answered = await Promise.race([known.then(() => true), time]);
    end.abort();
    return answered;
  }

  #follow() {
    const abort = new AbortController(), { api, path, name } = this.place;
    const known = Promise.withResolvers<void>();
    const take = (object: Followed | undefined) => {
      if (abort.signal.aborted) return;
      this.#object = object;
      known.resolve();
    };
    const to = {
      replace: ([object]: readonly Followed[]) => take(object),
      changed: (type: string, object: Followed) => take(type === "DELETED" ? undefined : object),
    };
    api.follow<Followed>(path, { fieldSelector: `metadata.name=${name}` }, to, abort.signal).catch(() => this.stop());
    void this.#rest(abort);
    return { abort, known: known.promise };
  }

  async #rest(abort: AbortController): Promise<void> {
    const { clock } = this.place;
    while (!abort.signal.aborted) {
      await clock.wait(IDLE, abort.signal);
      if (!abort.signal.aborted && clock.ticks() - this.#asked >= IDLE) this.stop();
    }
  }
}

/** Reads the object each time. */
class Fetched implements ObjectSource {
  constructor(readonly place: ObjectPlace) {}

  async get(): Promise<Followed | undefined> {
    const { api, path, name } = this.place;
    return await unlessNotFound(api.request<Followed>("GET", `${path}/${encodeURIComponent(name)}`));
  }

  joined(): void {}
  stop(): void {}
}

/** Reads the object again when what was read is too old, or another pod begins to use it. */
class Cached extends Fetched {
  #last: { readonly object: Followed; readonly at: number } | undefined;
  #asking: Promise<Followed | undefined> | undefined;

  override async get(): Promise<Followed | undefined> {
    const { clock, ttl } = this.place;
    if (this.#last && clock.ticks() - this.#last.at < ttl()) return this.#last.object;
    return await (this.#asking ??= this.#ask().finally(() => this.#asking = undefined));
  }

  override joined(): void {
    this.#last = undefined;
  }

  /** While the server does not answer, what was read before counts on. */
  async #ask(): Promise<Followed | undefined> {
    const before = this.#last, at = this.place.clock.ticks();
    try {
      const object = await super.get();
      this.#last = object && { object, at };
      return object;
    } catch (e) {
      if (before) return before.object;
      throw e;
    }
  }
}

/** The ways, by their name in the configuration file. */
export const STRATEGIES = {
  Watch: Watched,
  Cache: Cached,
  Get: Fetched,
} as const satisfies Readonly<Record<string, new (place: ObjectPlace) => ObjectSource>>;
