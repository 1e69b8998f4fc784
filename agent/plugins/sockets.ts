/** Sockets below a directory. */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { orAbsent } from "../files.ts";

/** Most that are looked at. */
const MOST = 1_000;

/** By path, what tells one from another that was made at the same place later. Names that begin with a dot do not count. */
export async function socketsBelow(directory: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>(), directories = [directory];
  for (let looked = 0, at = directories.pop(); at !== undefined && looked < MOST; at = directories.pop()) {
    for (const name of await orAbsent(readdir(at)) ?? []) {
      if (name.startsWith(".") || looked++ >= MOST) continue;
      const path = join(at, name), stats = await orAbsent(lstat(path));
      if (stats?.isDirectory()) directories.push(path);
      else if (stats?.isSocket()) found.set(path, `${stats.ino} ${stats.birthtimeMs}`);
    }
  }
  return found;
}
