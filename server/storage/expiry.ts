/** Keys by the time they expire. Adding is O(log n); taking what is due is O(due · log n). */
import BTree from "sorted-btree";
import type { Change, Revision } from "./backend.ts";

interface Due {
  readonly key: string;
  readonly revision: Revision;
  readonly expiresAt: number;
}

function byTime(a: Due, b: Due): number {
  return a.expiresAt - b.expiresAt || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
}

/** Longest wait of a timer; also bounds how late a clock that jumped ahead is noticed. */
const MAX_WAIT = 1_000;
const MIN_WAIT = 20;

/** What expires when. */
export class ExpiryIndex {
  readonly #order = new BTree.default<Due, true>(undefined, byTime);
  readonly #byKey = new Map<string, Due>();

  /** Keys that will expire. */
  get size(): number {
    return this.#byKey.size;
  }

  /** A key was written (with or without a time) or deleted. */
  set(key: string, revision: Revision, expiresAt: number | undefined): void {
    if (expiresAt === undefined && this.#byKey.size === 0) return;
    const old = this.#byKey.get(key);
    if (old) {
      this.#order.delete(old);
      this.#byKey.delete(key);
    }
    if (expiresAt === undefined) return;
    const due = { key, revision, expiresAt };
    this.#byKey.set(key, due);
    this.#order.set(due, true);
  }

  /** When the key expires. */
  get(key: string): number | undefined {
    return this.#byKey.get(key)?.expiresAt;
  }

  /** When the next one is due. */
  next(): number | undefined {
    return this.#order.minKey()?.expiresAt;
  }

  /** Deletions of what is due, each only if the key has not changed since; at most `limit`. */
  due(now: number, limit: number): Change[] {
    const out: Change[] = [];
    for (const due of this.#order.keys()) {
      if (due.expiresAt > now || out.length >= limit) break;
      out.push({ key: due.key, value: null, expect: due.revision });
    }
    return out;
  }
}

/**
 * Runs `sweep` when something is due, while anything is. `next` gives that time by `now`'s clock. Errors of a sweep are
 * the store's own trouble and tried again a second later.
 */
export class ExpiryTimer {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;

  constructor(
    readonly next: () => number | undefined,
    readonly sweep: () => Promise<unknown>,
    readonly now: () => number,
  ) {}

  /** To be called when the index has changed. */
  arm(): void {
    this.#arm(MIN_WAIT);
  }

  #arm(least: number): void {
    if (this.#timer !== undefined || this.#stopped) return;
    const next = this.next();
    if (next === undefined) return;
    const wait = Math.min(MAX_WAIT, Math.max(least, next - this.now()));
    this.#timer = setTimeout(() => this.#run(), wait);
  }

  async #run(): Promise<void> {
    const next = this.next();
    const due = next !== undefined && next <= this.now();
    const failed = due && await this.sweep().then(() => false, () => true);
    this.#timer = undefined;
    this.#arm(failed ? MAX_WAIT : MIN_WAIT);
  }

  /** Ends it. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
