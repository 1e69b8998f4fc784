/** Where logs of containers are found: links for those who collect them, and what is left of pods that are gone. */
import { mkdir, rm, stat, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { LogLine } from "../../schema/log/log.ts";
import { namesIn, orAbsent } from "../files.ts";
import { type Runtime, RuntimeError } from "../runtime/types.ts";
import type { PodRef } from "../types.ts";

const SUFFIX = ".log";
/** Longest name of a file. */
const MAX_NAME = 255;
/** Shortest name by which the runtime is asked for a container. */
const MIN_ID = 6;

/** The link of a container's log: `<pod>_<namespace>_<container>-<id>.log`. */
export function logLink(containerLogsDir: string, { name, namespace }: PodRef, container: string, id: string): string {
  const base = `${name}_${namespace}_${container}-${id}`.slice(0, MAX_NAME - SUFFIX.length);
  return join(containerLogsDir, base + SUFFIX);
}

/** Links a log that is there; one that is linked stays so. @throws Error of the file system */
export async function linkLog(link: string, log: string): Promise<void> {
  if (!await orAbsent(stat(log))) return;
  await mkdir(join(link, ".."), { recursive: true });
  await symlink(log, link).catch((e) => {
    if (e.code !== "EEXIST") throw e;
  });
}

/** Number of a container's next try, by the logs that earlier ones have left in its directory; 0 without any. */
export async function nextByLogs(directory: string): Promise<number> {
  const numbers = (await namesIn(directory)).map((name) => /^(\d+)\.log(?:\..*)?$/.exec(name)?.[1]);
  return Math.max(0, ...numbers.filter((n) => n !== undefined).map((n) => Number(n) + 1));
}

/** Removes all that a container wrote, with what was rotated out of it. Done twice it does nothing. @param path empty: none */
export async function removeLogs(path: string): Promise<void> {
  if (!path) return;
  const directory = dirname(path), name = basename(path);
  const names = (await namesIn(directory)).filter((n) => n === name || n.startsWith(`${name}.`));
  for (const n of names) await rm(join(directory, n), { force: true });
}

/** What cleaning needs of the agent. */
export interface LogPlaces {
  readonly runtime: Pick<Runtime, "containerStatus">;
  readonly log: LogLine;
  /** `/var/log/pods` */
  readonly podLogsDir: string;
  /** `/var/log/containers`; undefined: there are no links. */
  readonly containerLogsDir?: string;
  /** Whether all sources have said what they have; until then no directory is one too many. */
  allDelivered(): boolean;
  /** Whether nothing of the pod is wanted any more. */
  gone(uid: string): boolean;
}

/** Removes logs of pods that are gone, and links that lead nowhere. Never throws. */
export async function cleanLogs(places: LogPlaces): Promise<void> {
  const { podLogsDir, containerLogsDir, log } = places;
  const each = async (directory: string, wanted: (name: string) => Promise<boolean> | boolean) => {
    for (const name of await namesIn(directory).catch((): string[] => [])) {
      const path = join(directory, name);
      try {
        if (await wanted(name)) continue;
        await rm(path, { recursive: true, force: true });
      } catch (e) {
        log("error", "Failed to remove logs", { path, err: (e as Error).message });
      }
    }
  };
  if (places.allDelivered()) await each(podLogsDir, (name) => !places.gone(name.slice(name.lastIndexOf("_") + 1)));
  if (containerLogsDir) await each(containerLogsDir, (name) => leads(places, containerLogsDir, name));
}

/** While a log is rotated its link leads nowhere for a moment: of what still runs it stays. */
async function leads({ runtime }: LogPlaces, containerLogsDir: string, name: string): Promise<boolean> {
  if (!name.endsWith(SUFFIX) || await orAbsent(stat(join(containerLogsDir, name)))) return true;
  const id = name.slice(name.lastIndexOf("-") + 1, -SUFFIX.length);
  if (id.length < MIN_ID) return false;
  try {
    return (await runtime.containerStatus(id)).state !== "EXITED";
  } catch (e) {
    if (e instanceof RuntimeError && e.code === "NotFound") return false;
    throw e;
  }
}
