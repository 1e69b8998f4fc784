/** Changes of which no cache knows yet, for those that are added soon after the store was read. */
import type { Committed } from "../storage/backend.ts";

/** What a cache begins with. */
export interface Past {
  /** The revision that it is read at. */
  readonly from: number;
  /** All changes after it. */
  readonly changes: readonly Committed[];
}

/** Nothing is kept longer (ms): what the store defines has been added by then. */
const KEPT_MS = 60_000;

/**
 * Resources that the store itself defines are added once their definitions are read, after the log was followed from a while ago.
 * With these changes they have a history from there on like all others, and their watches resume over a restart too.
 */
export class Strays {
  readonly #until: number;
  /** Prefixes below which others have taken changes. */
  readonly #barred = new Set<string>();
  #bytes = 0;
  #changes: Committed[] | undefined = [];

  /**
   * @param from the revision that the store was read at
   * @param limit bytes of values; past it there is nothing
   */
  constructor(readonly from: number, now: number, readonly limit: number) {
    this.#until = now + KEPT_MS;
  }

  /** Keeps a change that no cache takes. */
  put({ key, revision, value }: Committed): void {
    if (!this.#changes) return;
    this.#bytes += key.length + (value?.length ?? 0);
    if (this.#bytes > this.limit) this.#changes = undefined;
    else this.#changes.push({ key, revision, value: value && value.slice() });
  }

  /** Says that changes below a prefix are not all here. */
  bar(prefix: string): void {
    this.#barred.add(prefix);
  }

  /** What a cache of a prefix begins with; undefined where something is missing. */
  of(prefix: string): Past | undefined {
    if (!this.#changes || this.#barred.has(prefix)) return undefined;
    return { from: this.from, changes: this.#changes.filter(({ key }) => key.startsWith(prefix)) };
  }

  /** Lets go what is not asked for any more. */
  tick(now: number): void {
    if (now > this.#until) this.#changes = undefined;
  }
}
