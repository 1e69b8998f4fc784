/** What is read from files that may be replaced while the server runs. */

/** How often they are looked at, at most, and again after a change: what was found may be a part of what is being written, ms. */
const LOOK_MS = 60_000, AGAIN_MS = 1_000;

/**
 * What was read, as it is when asked for, or was up to a minute before; at first `first`. Where `read` throws, as while a file is being
 * replaced, what was there holds until the next look. `now` in ms. `changed`: it is looked at again soon. `failed` hears what was thrown.
 */
export function current<T>(
  first: T,
  read: () => T,
  now: () => number,
  changed: (value: T, before: T) => boolean = () => false,
  failed: (error: unknown) => void = () => {},
): () => T {
  let value = first, due = now() + LOOK_MS;
  return () => {
    const at = now();
    if (at < due) return value;
    due = at + LOOK_MS;
    try {
      const before = value;
      value = read();
      if (changed(value, before)) due = at + AGAIN_MS;
    } catch (e) {
      failed(e);
    }
    return value;
  };
}
