/** Files that may not be there, and such as are there whole. */
import { closeSync, constants, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { type FileHandle, open, readdir, readFile, readlink, realpath, rename, rm } from "node:fs/promises";
import { dirname, join, sep } from "node:path";

/** Undefined when there is no such entry. */
export async function orAbsent<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (e) {
    if ((e as { code?: string }).code === "ENOENT") return undefined;
    throw e;
  }
}

/** What the runtime says of a file, in either of its forms, without code, call and path. */
const SAID = /^E[A-Z]+: ([^,]+), |^(.+?) \(os error \d+\)/;

/** Why something could not be done with a file, for a text that names it. */
export function fileReason(cause: unknown): string {
  const said = cause instanceof Error ? cause.message : String(cause);
  const [, ofNode, ofDeno] = SAID.exec(said) ?? [];
  return ofNode ?? ofDeno ?? said;
}

/** That a file cannot be read, made …, with its path and why. `option`: what named it, without dashes. */
export function fileFault(doing: string, path: string, cause: unknown, option?: string): Error {
  const why = `cannot ${doing} ${JSON.stringify(path)}: ${fileReason(cause)}`;
  return new Error(option === undefined ? why : `--${option}: ${why}`, { cause });
}

/** Names in a directory; none of one that is not there. */
export async function namesIn(directory: string): Promise<string[]> {
  return await orAbsent(readdir(directory)) ?? [];
}

/** Entries of a directory one after the other, as they are read; none of one that is not there. */
export async function* entriesIn(directory: string): AsyncGenerator<Deno.DirEntry> {
  try {
    yield* Deno.readDir(directory);
  } catch (e) {
    if (!(e instanceof Deno.errors.NotFound)) throw e;
  }
}

/** Names of directories in a directory; none of one that is not there. */
export async function directoriesIn(directory: string): Promise<string[]> {
  const entries = await orAbsent(readdir(directory, { withFileTypes: true })) ?? [];
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** Of a path that leads out of its directory. */
export const ESCAPES = "path escapes from parent";

/** Where what is open lies, as long as it is open. */
export const placeOf = ({ fd }: FileHandle): string => `/proc/self/fd/${fd}`;

/** Opens the thing itself, not its content. */
export const O_PATH = 0o10000000;
/** To read it. A pipe to which nobody writes is not waited for. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK;

/**
 * Opens what is below a directory, or the directory. Where that leads is looked at once it is open: others may put links there at any
 * time.
 * @throws Error: it is not there, or leads out of the directory
 */
export async function openInside(directory: string, path: string, flags: number = READ): Promise<FileHandle> {
  const top = await realpath(directory), file = await open(join(top, path), flags);
  try {
    const real = await readlink(placeOf(file));
    if (real !== top && !real.startsWith(top + sep)) throw new Error(ESCAPES);
    return file;
  } catch (e) {
    await file.close();
    throw e;
  }
}

/** What {@linkcode writeWhole} adds to a name while it writes. */
export const FRESH = ".new";

/**
 * Writes a file whole or not at all, even if the disk is full or the machine fails. One that says so already is left alone.
 * @throws Error
 */
export async function writeWhole(path: string, text: string, mode?: number): Promise<void> {
  if (await readFile(path, "utf8").catch(() => undefined) === text) return;
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

/** {@linkcode writeWhole} while all else waits. @throws Error */
export function writeWholeSync(path: string, text: string, mode?: number): void {
  if (readSync(path) === text) return;
  const fresh = path + FRESH;
  try {
    synced(fresh, "w", mode, (file) => writeFileSync(file, text));
    renameSync(fresh, path);
  } catch (e) {
    rmSync(fresh, { force: true });
    throw e;
  }
  synced(dirname(path), "r", undefined, () => {});
}

function readSync(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function synced(path: string, flags: string, mode: number | undefined, work: (file: number) => void): void {
  const file = openSync(path, flags, mode);
  try {
    work(file);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
