/**
 * Parts of volumes for containers. Containers can write links into their volumes, so the path is walked step by step
 * without following any, and what was reached is bound to a place that only the agent writes to.
 */
import { type BigIntStats, constants } from "node:fs";
import { chmod, type FileHandle, lstat, mkdir, open, realpath, rmdir, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { O_PATH, orAbsent } from "../files.ts";
import { mount, mountedAt, unmount } from "./mounts.ts";
import { entryName, type PodPaths, withoutBacksteps } from "./paths.ts";

const STEP = constants.O_NOFOLLOW | O_PATH;

/** What is bound for which container. */
export interface SubPath {
  readonly volume: string;
  /** Of the volume, on the host. */
  readonly path: string;
  readonly container: string;
  readonly index: number;
  readonly subPath: string;
}

const through = (handle: FileHandle) => `/proc/${process.pid}/fd/${handle.fd}`;
const same = (a: BigIntStats, b: BigIntStats) => a.dev === b.dev && a.ino === b.ino;

const namesOf = (path: string) => path.split("/").filter((n) => n !== "" && n !== ".");

/**
 * Walks from a directory by names, none of which may be a link; directories that are absent are made, as open as the volume is. The
 * caller closes what it gets.
 */
async function walk(from: string, names: readonly string[], mode: number): Promise<FileHandle> {
  let at = await open(from, STEP | constants.O_DIRECTORY);
  for (const name of names) {
    try {
      const next = await enter(`${through(at)}/${name}`, name, mode);
      await at.close();
      at = next;
    } catch (e) {
      await at.close();
      throw e;
    }
  }
  return at;
}

async function enter(path: string, name: string, mode: number): Promise<FileHandle> {
  const isNew = await mkdir(path).then(() => true, (e) => {
    if (e.code === "EEXIST") return false;
    throw e;
  });
  const handle = await open(path, STEP | (isNew ? constants.O_DIRECTORY : 0));
  try {
    if ((await handle.stat()).isSymbolicLink()) throw new Error(`${name} is a link`);
    // Not by its name: a container may have put something else there by now.
    if (isNew) await chmod(through(handle), mode & 0o7777);
    return handle;
  } catch (e) {
    await handle.close();
    throw e;
  }
}

/** The path as names below the volume, the links in what there is of it resolved. @throws Error: it leads out of it */
async function inside(volume: string, subPath: string): Promise<readonly string[]> {
  const names = namesOf(subPath);
  for (let n = names.length;; n--) {
    const real = await orAbsent(realpath(join(volume, ...names.slice(0, n))));
    if (real === undefined && n > 0) continue;
    if (real !== volume && !real?.startsWith(`${volume}/`)) {
      throw new Error(`subpath "${real}" not within volume path "${volume}"`);
    }
    return [...namesOf(real.slice(volume.length)), ...names.slice(n)];
  }
}

async function bind(handle: FileHandle, place: string): Promise<void> {
  const source = await handle.stat({ bigint: true });
  if (await mountedAt(place)) {
    if (same(source, await lstat(place, { bigint: true }))) return;
    await unmount(place);
  }
  // What an earlier try of the container was given may have been of another kind.
  const old = await orAbsent(lstat(place));
  if (old) await (old.isDirectory() ? rmdir(place) : unlink(place));
  if (source.isDirectory()) await mkdir(place, { recursive: true, mode: 0o750 });
  else await writeFile(place, "", { mode: 0o640 });
  await mount(through(handle), place, "", ["bind"]);
}

/** @throws Error: it leads out of its volume */
export function checkSubPath(subPath: string): void {
  if (subPath.startsWith("/")) throw new Error(`error SubPath \`${subPath}\` must not be an absolute path`);
  try {
    withoutBacksteps(subPath);
  } catch (e) {
    throw new Error(`unable to provision SubPath \`${subPath}\`: ${(e as Error).message}`);
  }
}

/** Where the container is to mount from. @throws Error: it is not there or leads out; the text tells nothing of the host */
export async function bindSubPath(
  paths: PodPaths,
  { volume, path, container, index, subPath }: SubPath,
): Promise<string> {
  checkSubPath(subPath);
  try {
    const root = await realpath(path);
    const { mode } = await lstat(root);
    const handle = await walk(root, await inside(root, subPath), mode);
    const parent = join(paths.subpaths, entryName(volume), entryName(container));
    const place = join(parent, String(index));
    try {
      await mkdir(parent, { recursive: true, mode: 0o750 });
      await bind(handle, place);
    } finally {
      await handle.close();
    }
    return place;
  } catch (e) {
    throw new Error(`failed to prepare subPath for volumeMount "${volume}" of container "${container}"`, { cause: e });
  }
}
