/** Places of containers' logs on the host. */
import { readdir, rm, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { PodRef } from "../types.ts";

/** Longest name without its ending. */
const NAME_LENGTH = 251;

/** Number of the next try, by the logs that earlier ones have left; 0 without any. */
export async function nextByLogs(directory: string): Promise<number> {
  const numbers = (await namesIn(directory)).map((name) => /^(\d+)\.log(?:\..*)?$/.exec(name)?.[1]);
  return Math.max(0, ...numbers.filter((n) => n !== undefined).map((n) => Number(n) + 1));
}

/** The link by which collectors of logs find a container's: `pod_namespace_container-id.log`. */
export function logLink(directory: string, { namespace, name }: PodRef, container: string, id: string): string {
  return join(directory, `${`${name}_${namespace}_${container}-${id}`.slice(0, NAME_LENGTH)}.log`);
}

/** Makes such a link; one that is there already is left. */
export async function linkLog(link: string, log: string): Promise<void> {
  await symlink(log, link).catch((fault) => {
    if (fault.code !== "EEXIST") throw fault;
  });
}

/** Takes away a container's log, with what was rotated out of it. */
export async function removeLog(path: string): Promise<void> {
  if (!path) return;
  const directory = dirname(path), name = basename(path);
  for (const found of await namesIn(directory)) {
    if (found === name || found.startsWith(`${name}.`)) await rm(join(directory, found), { force: true });
  }
}

/** Uids of pods that have a directory of logs, with the directory. */
export async function logDirectories(podLogsDir: string): Promise<ReadonlyMap<string, string>> {
  const found = (await namesIn(podLogsDir)).map((name) => [name.split("_"), join(podLogsDir, name)] as const);
  return new Map(found.flatMap(([parts, path]) => parts.length === 3 ? [[parts[2]!, path]] : []));
}

/** Names in a directory; none of one that is not there. */
export async function namesIn(directory: string): Promise<string[]> {
  return await readdir(directory).catch((fault) => {
    if (fault.code === "ENOENT") return [];
    throw fault;
  });
}
