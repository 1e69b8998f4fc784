/** Files that may not be there. */
import { readdir } from "node:fs/promises";

/** Undefined when there is no such entry. */
export async function orAbsent<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (e) {
    if ((e as { code?: string }).code === "ENOENT") return undefined;
    throw e;
  }
}

/** Names in a directory; none of one that is not there. */
export async function namesIn(directory: string): Promise<string[]> {
  return await orAbsent(readdir(directory)) ?? [];
}
