/**
 * What stands in the place of a value that cannot be made plain: the reason. Readers of a store go on with all other
 * keys; who wants this one is told why not. No object at rest begins with a zero byte.
 */
import { StorageError } from "./backend.ts";

const MARK = Uint8Array.from([0, ...new TextEncoder().encode("unreadable:")]);

/** A value that says why the stored one cannot be read. */
export function unreadable(reason: string): Uint8Array {
  const text = new TextEncoder().encode(reason);
  const out = new Uint8Array(MARK.length + text.length);
  out.set(MARK);
  out.set(text, MARK.length);
  return out;
}

/** The same for an error that says that data are damaged. @throws every other error */
export function standIn(error: unknown): Uint8Array {
  if (error instanceof StorageError && error.kind === "corrupt") return unreadable(error.message);
  throw error;
}

/** The reason in such a value; undefined for all others. O(1) for those. */
export function unreadableReason(value: Uint8Array): string | undefined {
  if (value[0] !== 0 || value.length < MARK.length) return undefined;
  for (let i = 1; i < MARK.length; i++) if (value[i] !== MARK[i]) return undefined;
  return new TextDecoder().decode(value.subarray(MARK.length));
}
