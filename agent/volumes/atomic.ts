/**
 * Files that change all at once. They lie in a directory named by time; the link `..data` leads there and is exchanged
 * in one step; what users see are links through it.
 */
import {
  chmod,
  lchown,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  unlink,
  writeFile,
} from "node:fs/promises";
import { randomInt } from "node:crypto";
import { basename, dirname, join, normalize } from "node:path";
import { orAbsent } from "../files.ts";

/** A file to be. */
export interface FileContent {
  readonly data: Uint8Array;
  readonly mode: number;
  /** Its owner, if not the agent's user. */
  readonly user?: number;
}

/** Files by path below the volume. */
export type Payload = ReadonlyMap<string, FileContent>;

const DATA = "..data", NEW_DATA = "..data_tmp";
const MAX_PATH = 4096, MAX_NAME = 255;

function checkPath(path: string): void {
  if (path === "") throw new Error('invalid path: must not be empty: ""');
  if (path.startsWith("/")) throw new Error(`invalid path: must be relative path: ${path}`);
  if (path.length > MAX_PATH) throw new Error(`invalid path: must be less than or equal to ${MAX_PATH} characters`);
  const items = path.split("/");
  if (items.includes("..")) throw new Error(`invalid path: must not contain '..': ${path}`);
  if (items.some((item) => item.length > MAX_NAME)) {
    throw new Error(`invalid path: filenames must be less than or equal to ${MAX_NAME} characters`);
  }
  if (items[0]!.startsWith("..")) throw new Error(`invalid path: must not start with '..': ${path}`);
}

function cleaned(payload: Payload): Payload {
  const out = new Map<string, FileContent>();
  for (const [path, content] of payload) {
    checkPath(path);
    out.set(normalize(path).replace(/\/$/, ""), content);
  }
  return out;
}

async function pathsBelow(dir: string): Promise<string[]> {
  const entries = await orAbsent(readdir(dir, { recursive: true }));
  return entries ?? [];
}

async function isCurrent(payload: Payload, dir: string): Promise<boolean> {
  for (const [path, { data }] of payload) {
    const now = await orAbsent(readFile(join(dir, path)));
    if (!now?.equals(data)) return false;
  }
  return true;
}

async function writeFiles(payload: Payload, dir: string): Promise<void> {
  for (const [path, { data, mode, user }] of payload) {
    const full = join(dir, path);
    await mkdir(dirname(full), { recursive: true });
    await writeFile(full, data, { mode });
    await chmod(full, mode);
    if (user !== undefined) await lchown(full, user, -1);
  }
}

/** By the time and chance: `..2026_03_04_05_06_07.1234567890`. */
const stamp = (now: number) =>
  `..${new Date(now).toISOString().slice(0, 19).replace(/[-T:]/g, "_")}.${randomInt(2 ** 32)}`;

async function publish(target: string, payload: Payload, now: number, before: () => Promise<void>): Promise<void> {
  const fresh = join(target, stamp(now));
  await mkdir(fresh);
  const link = join(target, NEW_DATA);
  try {
    await chmod(fresh, 0o755);
    await writeFiles(payload, fresh);
    await before();
    await rm(link, { force: true });
    await symlink(basename(fresh), link);
    await rename(link, join(target, DATA));
  } catch (e) {
    await rm(fresh, { recursive: true, force: true });
    throw e;
  }
}

async function showLinks(target: string, payload: Payload): Promise<void> {
  for (const [path, { user }] of payload) {
    const name = path.split("/", 1)[0]!;
    const visible = join(target, name);
    if (await orAbsent(lstat(visible))) continue;
    await symlink(join(DATA, name), visible);
    if (user !== undefined) await lchown(visible, user, -1);
  }
}

/**
 * Makes a directory show exactly these files; nothing is touched when it does so already.
 * @param now ms @param before done once the files lie there and before they show @throws Error: a path is bad, or the disk's own
 */
export async function writeAtomically(
  target: string,
  files: Payload,
  now: number,
  before: () => Promise<void> = async () => {},
): Promise<void> {
  const payload = cleaned(files);
  const current = await orAbsent(readlink(join(target, DATA)));
  const old = current === undefined ? undefined : join(target, basename(current));
  const kept = new Set<string>();
  for (const path of payload.keys()) for (let p = path; p !== "."; p = dirname(p)) kept.add(p);
  const gone = old ? (await pathsBelow(old)).filter((p) => !kept.has(p)) : [];
  const fresh = !old || gone.length > 0 || !await isCurrent(payload, old);
  if (fresh) await publish(target, payload, now, before);
  await showLinks(target, payload);
  for (const name of gone) if (!name.includes("/")) await orAbsent(unlink(join(target, name)));
  if (fresh && old) await rm(old, { recursive: true, force: true });
}
