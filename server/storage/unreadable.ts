/**
 * What stands in the place of a value that cannot be made plain, or cannot be now: the reason. Readers of a store go on with
 * all other keys; who wants this one is told why not. No object at rest begins with a zero byte.
 */
import { beginsWith, concat } from "../../schema/values/bytes.ts";
import { StorageError } from "./backend.ts";

const marked = (text: string): Uint8Array => new TextEncoder().encode(`\0${text}`);
const UNREADABLE = marked("unreadable:"), LATER = marked("later:");

/** A value that says why the stored one cannot be read. */
export const unreadable = (reason: string): Uint8Array => concat([UNREADABLE, new TextEncoder().encode(reason)]);

/** A value that says why the stored one cannot be read now: who needs it reads again. */
export const later = (reason: string): Uint8Array => concat([LATER, new TextEncoder().encode(reason)]);

/** The same for an error that says that data are damaged. @throws every other error */
export function standIn(error: unknown): Uint8Array {
  if (error instanceof StorageError && error.kind === "corrupt") return unreadable(error.message);
  throw error;
}

/** The reason in a value of {@linkcode unreadable}; undefined for all others. O(1) for those. */
export const unreadableReason = (value: Uint8Array): string | undefined => behind(UNREADABLE, value);

/** The reason in a value of {@linkcode later}; undefined for all others. O(1) for those. */
export const laterReason = (value: Uint8Array): string | undefined => behind(LATER, value);

function behind(mark: Uint8Array, value: Uint8Array): string | undefined {
  return beginsWith(value, mark) ? new TextDecoder().decode(value.subarray(mark.length)) : undefined;
}
