/**
 * Parts of volumes as containers see them. A container may put symbolic links into its volume while a part of it is looked up, so the
 * way there is gone step by step with open directories, never through a link that leads out, and what was found is bound to a place
 * of the agent's own: the runtime is told that one.
 */
import { execFile } from "node:child_process";
import { constants, type Dirent } from "node:fs";
import {
  access,
  chmod,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  rmdir,
  stat,
  writeFile,
} from "node:fs/promises";
import { join, relative, sep } from "node:path";
import process from "node:process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Linux's flag of a name without access to what it names. */
const O_PATH = 0o10000000;
const DIRECTORY = "volume-subpaths";
/** Of commands that bind, ms. */
const LIMIT = 60_000;

/** Which part of which volume, for which mount of which container. */
export interface SubPath {
  /** On the host. */
  readonly volume: string;
  readonly path: string;
  readonly volumeName: string;
  readonly container: string;
  /** Number of the mount in the container. */
  readonly index: number;
  readonly podDirectory: string;
}

/** Makes what is not there yet and binds it. The place to mount from. @throws Error: it leads out of the volume, or is not to be had */
export async function bindSubPath(part: SubPath): Promise<string> {
  const base = await realpath(part.volume);
  await makeMissing(base, part.path);
  const found = await realpath(join(base, part.path));
  const file = await openWithin(base, found);
  try {
    const source = `/proc/${process.pid}/fd/${file.fd}`;
    const target = join(part.podDirectory, DIRECTORY, part.volumeName, part.container, String(part.index));
    // What an earlier try of the container was given may be another thing by now.
    await unbind(target);
    await mkdir(join(target, ".."), { recursive: true, mode: 0o750 });
    if ((await file.stat()).isDirectory()) await mkdir(target, { recursive: true, mode: 0o750 });
    else await writeFile(target, "", { mode: 0o640 });
    await run("mount", ["--no-canonicalize", "-o", "bind", source, target], { timeout: LIMIT });
    return target;
  } finally {
    await file.close();
  }
}

/** Takes back all that was bound for a pod. Done twice it does nothing. */
export async function unbindSubPaths(podDirectory: string): Promise<void> {
  const top = join(podDirectory, DIRECTORY);
  for (const volume of await entries(top)) {
    for (const container of await entries(join(top, volume.name))) {
      const directory = join(top, volume.name, container.name);
      for (const place of await entries(directory)) await unbind(join(directory, place.name));
      await rmdir(directory);
    }
    await rmdir(join(top, volume.name));
  }
  // Never with what is in it: a bind that could not be taken back leads into a volume.
  await rmdir(top).catch(unlessMissing);
}

async function unbind(target: string): Promise<void> {
  const there = await stat(target).catch(unlessMissing);
  if (!there) return;
  while (await isMounted(target)) await run("umount", ["--no-canonicalize", target], { timeout: LIMIT });
  await (there.isDirectory() ? rmdir(target) : rm(target));
}

async function isMounted(target: string): Promise<boolean> {
  const path = await realpath(target);
  const text = await readFile("/proc/self/mountinfo", "utf8");
  return text.split("\n").some((line) => unescape(line.split(" ")[4] ?? "") === path);
}

/** Blanks and the like are written in octal there. */
function unescape(text: string): string {
  return text.replace(/\\(\d{3})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 8)));
}

/** Makes the directories of a path that are not there, each within the one before it. */
async function makeMissing(base: string, path: string): Promise<void> {
  const there = await access(join(base, path)).then(() => true, () => false);
  if (there) return;
  const { mode } = await stat(base);
  let at = base;
  const names = path.split(sep).filter((name) => name !== "" && name !== ".");
  for (const [i, name] of names.entries()) {
    const next = await realpath(join(at, name)).catch(unlessMissing);
    if (next === undefined) return await makeAll(base, at, names.slice(i), mode & 0o7777);
    at = next;
  }
}

async function makeAll(base: string, at: string, names: readonly string[], mode: number): Promise<void> {
  let from = await openWithin(base, at);
  try {
    for (const name of names) {
      const path = `/proc/self/fd/${from.fd}/${name}`;
      await mkdir(path);
      const next = await open(path, O_PATH | constants.O_NOFOLLOW | constants.O_DIRECTORY);
      await from.close();
      from = next;
      // Whatever the process's mask says.
      await chmod(`/proc/self/fd/${from.fd}`, mode);
    }
  } finally {
    await from.close();
  }
}

/** Opens a path below a base, none of whose steps may be a link. @throws Error: it is not below it */
async function openWithin(base: string, path: string) {
  const steps = relative(base, path).split(sep).filter((name) => name !== "");
  if (steps[0] === "..") throw new Error(`subpath "${path}" not within volume path "${base}"`);
  let at = await open(base, O_PATH | constants.O_NOFOLLOW | constants.O_DIRECTORY);
  for (const name of steps) {
    try {
      const next = await open(`/proc/self/fd/${at.fd}/${name}`, O_PATH | constants.O_NOFOLLOW);
      await at.close();
      at = next;
    } catch (fault) {
      await at.close();
      throw fault;
    }
  }
  // A link that was put there meanwhile is what such a name then stands for.
  if ((await at.stat()).isSymbolicLink() || await readlink(`/proc/self/fd/${at.fd}`) !== path) {
    await at.close();
    throw new Error(`subpath "${path}" changed while it was looked up`);
  }
  return at;
}

async function entries(directory: string): Promise<Dirent[]> {
  return await readdir(directory, { withFileTypes: true }).catch(unlessMissing) ?? [];
}

function unlessMissing(fault: unknown): undefined {
  if ((fault as NodeJS.ErrnoException).code !== "ENOENT") throw fault;
}
