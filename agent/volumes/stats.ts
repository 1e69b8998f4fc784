/** How full volumes are. */
import { lstat, readdir, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { PersistentVolume, Pod } from "../../schema/api/core_v1.ts";
import { nowTime } from "../../schema/values/time.ts";
import type { MountedVolume } from "../types.ts";
import { claimOf } from "./claims.ts";
import { type CommandError, run } from "./command.ts";
import type { Host, Plugin, Usage } from "./plugin.ts";

/** One volume's part of a pod's statistics, as `/stats/summary` says it. */
export interface VolumeUse extends Usage {
  readonly name: string;
  readonly time: string;
  readonly pvcRef?: { readonly name: string; readonly namespace: string };
}

/** A volume with more files than these is counted to here. */
const MOST_FILES = 1_000_000;
const BLOCK = 512;
/** Names in a directory are held all at once: for those of one that is larger, bytes, there may be no memory. */
const LARGE = 16 * 1024 * 1024;

/** Of a tree. */
interface TreeUse {
  readonly usedBytes: number;
  readonly inodesUsed: number;
}

/** Space and inodes of a tree, other file systems in it left out; each file once. @throws Error */
export async function treeUse(root: string, large = LARGE): Promise<TreeUse> {
  const { dev } = await lstat(root);
  const seen = new Set<number>();
  const stack = [root];
  let usedBytes = 0;
  for (let path = stack.pop(); path !== undefined && seen.size < MOST_FILES; path = stack.pop()) {
    // What is removed while it is looked at does not count.
    const stats = await lstat(path).catch(() => undefined);
    if (!stats || stats.dev !== dev || seen.has(stats.ino)) continue;
    seen.add(stats.ino);
    usedBytes += stats.blocks * BLOCK;
    if (!stats.isDirectory()) continue;
    if (stats.size > large) return await saidUse(root);
    for (const name of await readdir(path).catch(() => [])) stack.push(join(path, name));
  }
  return { usedBytes, inodesUsed: seen.size };
}

/** The same by the command. */
async function saidUse(root: string): Promise<TreeUse> {
  const said = async (how: string): Promise<number> => {
    // Of what is removed while it looks it complains behind the figure.
    const text = await run("du", ["-sx", how, "--", root])
      .catch((e: CommandError) => /^\d/.test(e.output) ? e.output : Promise.reject(e));
    return Number(text.split("\t", 1)[0]);
  };
  return { usedBytes: await said(`--block-size=${BLOCK}`) * BLOCK, inodesUsed: await said("--inodes") };
}

/** Of a volume that was made. */
interface Use {
  readonly plugin: Plugin<unknown>;
  readonly mounted: MountedVolume;
  readonly claimed?: PersistentVolume;
}
type Made = ReadonlyMap<string, Use>;

/** How long who asks waits for a look, ms: what is mounted from elsewhere may never answer. */
const PATIENCE = 5_000;

/** Of one pod. */
interface Known {
  /** When the last look began. */
  readonly at: number;
  /** As the last look that ended saw it. */
  stats: readonly VolumeUse[];
  /** A look is under way. */
  isLooking: boolean;
  /** It is over, or was waited for long enough. */
  waited: Promise<void>;
}

/** Statistics of pods, looked up again when they are older than the period; one look at a time. */
export class VolumeStats {
  readonly #known = new Map<string, Known>();

  /** @param period ms; 0 or less: none */
  constructor(readonly period: number, readonly host: Host) {}

  /** Volumes that cannot be looked at are left out; a look that takes long is not waited for. Never throws. */
  async of(pod: Pod, made: Made): Promise<readonly VolumeUse[]> {
    const uid = pod.metadata?.uid ?? "", now = this.host.clock.ticks();
    if (this.period <= 0 || made.size === 0) return [];
    let known = this.#known.get(uid);
    if (!known || (!known.isLooking && now - known.at >= this.period)) {
      known = this.#begin(pod, made, now, known?.stats ?? []);
      this.#known.set(uid, known);
    }
    await known.waited;
    return known.stats;
  }

  #begin(pod: Pod, made: Made, now: number, stats: readonly VolumeUse[]): Known {
    const known: Known = { at: now, stats, isLooking: true, waited: Promise.resolve() }, end = new AbortController();
    const look = this.#look(pod, made).then((found) => {
      known.stats = found;
      known.isLooking = false;
      end.abort();
    });
    known.waited = Promise.race([look, this.host.clock.wait(PATIENCE, end.signal)]);
    return known;
  }

  forget(uid: string): void {
    this.#known.delete(uid);
  }

  async #look(pod: Pod, made: Made): Promise<readonly VolumeUse[]> {
    const out: VolumeUse[] = [], now = this.host.clock.now();
    for (const volume of pod.spec?.volumes ?? []) {
      const one = made.get(volume.name);
      const use = one && await this.#usage(one).catch(() => undefined);
      if (!use) continue;
      const claim = claimOf(pod, volume);
      out.push({
        name: volume.name,
        time: nowTime(now),
        ...use,
        ...(claim ? { pvcRef: { name: claim.name, namespace: pod.metadata?.namespace ?? "" } } : {}),
      });
    }
    return out;
  }

  async #usage({ plugin, mounted: { path }, claimed }: Use): Promise<Usage | undefined> {
    if (plugin.use) return await plugin.use(path, this.host);
    // Files of the host are not the volume's, and a raw disk has none.
    const counts = plugin.owns || (plugin.takesOptions && claimed?.spec?.volumeMode !== "Block");
    return counts ? await usageOf(path, plugin.owns ?? false) : undefined;
  }
}

async function usageOf(path: string, walk: boolean): Promise<Usage> {
  const { bsize, blocks, bfree, bavail, files, ffree } = await statfs(path);
  const used = walk ? await treeUse(path) : { usedBytes: (blocks - bfree) * bsize, inodesUsed: files - ffree };
  return { availableBytes: bavail * bsize, capacityBytes: blocks * bsize, inodes: files, inodesFree: ffree, ...used };
}
