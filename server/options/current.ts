/** What is read from files that may be replaced while the server runs. */

/** How often they are looked at, at most, ms. */
const LOOK_MS = 60_000, SOON_MS = 1_000;

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

/**
 * The same, up to a second before. `read` is given what was read before; what it throws changes nothing, and `failed` hears of it once.
 */
export function currentSoon<T>(
  first: T,
  read: (before: T) => T,
  now: () => number,
  failed: (error: unknown) => void = () => {},
): () => T {
  let value = first, due = now() + SOON_MS, fault = "";
  return () => {
    const at = now();
    if (at < due) return value;
    due = at + SOON_MS;
    try {
      value = read(value);
      fault = "";
    } catch (e) {
      const said = String(e);
      if (said !== fault) failed(e);
      fault = said;
    }
    return value;
  };
}
