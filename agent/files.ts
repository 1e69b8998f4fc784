/** Files that may not be there, and such as are there whole. */
import { open, readdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

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

/** What {@linkcode writeWhole} adds to a name while it writes. */
export const FRESH = ".new";

/** Writes a file whole or not at all, even if the disk is full or the machine fails. @throws Error */
export async function writeWhole(path: string, text: string, mode?: number): Promise<void> {
  const fresh = path + FRESH;
  try {
    await using file = await open(fresh, "w", mode);
    await file.writeFile(text);
    await file.sync();
    await rename(fresh, path);
  } catch (e) {
    await rm(fresh, { force: true });
    throw e;
  }
  await using entries = await open(dirname(path));
  await entries.sync();
}
