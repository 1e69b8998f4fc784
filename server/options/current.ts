/** What is read from files that may be replaced while the server runs. */

/** How often they are looked at, at most, ms. */
const LOOK_MS = 60_000;

/**
 * What was read, as it is when asked for, or was up to a minute before; at first `first`. Where `read` throws, as while a file is being
 * replaced, what was there holds until the next look. `now` in ms.
 */
export function current<T>(first: T, read: () => T, now: () => number): () => T {
  let value = first, due = now() + LOOK_MS;
  return () => {
    const at = now();
    if (at < due) return value;
    due = at + LOOK_MS;
    try {
      value = read();
    } catch { /* looked at again */ }
    return value;
  };
}
