/** Giving back what a pod had on this host. What was mounted from elsewhere is unmounted, never emptied. */
import { readdir, rmdir, unlink } from "node:fs/promises";
import type { Dirent } from "node:fs";
import { join } from "node:path";
import { withEach } from "../each.ts";
import { orAbsent } from "../files.ts";
import { type CommandError, run } from "./command.ts";
import type { FlexDrivers } from "./flex_drivers.ts";
import { mountPoints, unmount } from "./mounts.ts";
import type { PodPaths } from "./paths.ts";
import type { Host } from "./plugin.ts";
import { GIVING_BACK, KNOWN, OWNED } from "./plugins.ts";

const entries = async (dir: string): Promise<Dirent[]> => await orAbsent(readdir(dir, { withFileTypes: true })) ?? [];

/** Mount points below a directory, the last mounted first. */
async function below(dir: string): Promise<string[]> {
  return (await mountPoints()).filter((m) => m.path.startsWith(`${dir}/`)).map((m) => m.path).reverse();
}

/**
 * Removes a tree. The command is used for what containers may leave: it stays on one file system, follows no link and
 * takes trees of any depth.
 */
async function removeTree(path: string): Promise<void> {
  try {
    await run("rm", ["-rf", "--one-file-system", "--", path]);
  } catch (e) {
    throw new Error(`cannot remove ${path}: ${(e as CommandError).output}`, { cause: e });
  }
}

/** Removes the places that were mounted at: empty directories, and the empty files that stand for files. */
async function removePlaces(dir: string): Promise<void> {
  for (const entry of await entries(dir)) {
    const path = join(dir, entry.name);
    await orAbsent(entry.isDirectory() ? rmdir(path) : unlink(path));
  }
  await orAbsent(rmdir(dir));
}

async function removeVolumes(dir: string): Promise<void> {
  for (const { name } of await entries(dir)) {
    const plugin = join(dir, name);
    if (OWNED.has(name)) await removeTree(plugin);
    else await removePlaces(plugin);
  }
  await orAbsent(rmdir(dir));
}

async function removeSubpaths(dir: string): Promise<void> {
  for (const volume of await entries(dir)) {
    const path = join(dir, volume.name);
    for (const container of await entries(path)) await removePlaces(join(path, container.name));
    await orAbsent(rmdir(path));
  }
  await orAbsent(rmdir(dir));
}

/** Volumes of drivers are given back by them; where there is no such driver any more, or it cannot, by what comes after. */
async function unmountByDrivers(dir: string, drivers: FlexDrivers): Promise<void> {
  for (const { name } of await entries(dir)) {
    const driver = KNOWN.has(name) ? undefined : await drivers.find(name);
    if (driver) {
      for (const volume of await entries(join(dir, name))) await driver.call("unmount", join(dir, name, volume.name));
    }
  }
}

/** Unmounts all below a pod's directory and removes it. @throws Error: something is in use; then nothing of it is lost */
export async function tearDown(paths: PodPaths, uid: string, host: Host): Promise<void> {
  await withEach(await below(paths.subpaths), unmount);
  for (const plugin of GIVING_BACK) await plugin.takeBack!(paths, uid, host);
  await unmountByDrivers(paths.volumes, host.drivers);
  await withEach(await below(paths.pod), unmount);
  const [left] = await below(paths.pod);
  if (left) throw new Error(`${left} is still mounted`);
  await removeSubpaths(paths.subpaths);
  await removeVolumes(paths.volumes);
  await removeTree(paths.pod);
}
