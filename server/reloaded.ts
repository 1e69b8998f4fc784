/** What is made of a configuration that may be replaced while the server runs. */

/** A configuration's text, and who hears what became of another one. */
export interface Reloading {
  /** As it is when asked for, or was a little before. */
  text(): string;
  /** Another text was taken into use, or, with an error, refused. */
  told?(text: string, error?: Error): void;
  /** Is given what looks whether there is another text, to call it by and by though nobody asks. */
  looks?(look: () => void): void;
}

/**
 * What is made of the text as it is now; made again where it is another. One that nothing can be made of is told once, and what was
 * there before stays.
 * @throws Error when nothing can be made of the first text
 */
export function reloaded<T>(source: Reloading, make: (text: string) => T): () => T {
  let seen = source.text(), made = make(seen);
  const current = () => {
    const text = source.text();
    if (text === seen) return made;
    seen = text;
    try {
      made = make(text);
      source.told?.(text);
    } catch (e) {
      source.told?.(text, e instanceof Error ? e : new Error(String(e)));
    }
    return made;
  };
  source.looks?.(current);
  return current;
}

/** What takes the place of what is in use as soon as it is ready. */
export interface Coming<T> {
  readonly made: T;
  /** Whether it has taken that place; false: not for now. */
  readonly ready: Promise<boolean>;
}

/** What is in use, and what comes after it. */
export interface Successive<T> {
  current(): T;
  /** Undefined where nothing is on its way. */
  coming(): Coming<T> | undefined;
}

/** What did not get ready is tried again after that long, ms. */
const AGAIN_MS = 10_000;

interface Next<T> {
  readonly text: string;
  readonly made: T;
  triedAt: number;
  refused: boolean;
  ready?: Promise<boolean>;
}

/** How a configuration comes into use. */
export interface Readying<T> {
  make(text: string): T;
  /** Resolves when what is made may be used. @throws Error when it does not get there */
  ready(made: T): Promise<void>;
  /** It is in use from now on. */
  taken?(made: T): void;
  /** ms */
  now(): number;
}

/**
 * The same, but what is made of another text is in use only when it is ready. What does not get there is told once, tried again by and
 * by, and what was there before stays.
 * @throws Error when nothing can be made of the first text, whose readiness is not waited for
 */
export function reloadedOnceReady<T>(
  source: Reloading,
  { make, ready, taken, now }: Readying<T>,
): Successive<T> {
  let used = source.text(), seen = used, made = make(used);
  let next: Next<T> | undefined;
  taken?.(made);
  const refused = (text: string, e: unknown) => source.told?.(text, e instanceof Error ? e : new Error(String(e)));

  const attempt = async (one: Next<T>): Promise<boolean> => {
    try {
      await ready(one.made);
    } catch (e) {
      delete one.ready;
      if (next === one && !one.refused) refused(one.text, e);
      one.refused = true;
      return false;
    }
    if (next !== one) return false;
    [used, made, next] = [one.text, one.made, undefined];
    taken?.(made);
    source.told?.(used);
    return true;
  };
  const renew = (text: string) => {
    seen = text;
    next = undefined;
    if (text === used) return;
    try {
      next = { text, made: make(text), triedAt: -Infinity, refused: false };
    } catch (e) {
      refused(text, e);
    }
  };
  const look = () => {
    const text = source.text(), at = now();
    if (text !== seen) renew(text);
    if (!next || next.ready || at >= next.triedAt && at - next.triedAt < AGAIN_MS) return;
    next.triedAt = at;
    next.ready = attempt(next);
  };
  source.looks?.(look);
  return {
    current() {
      look();
      return made;
    },
    coming: () => next?.ready ? { made: next.made, ready: next.ready } : undefined,
  };
}
