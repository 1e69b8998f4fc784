/**
 * Ranges of user and group numbers of the host, one for each pod whose users are its own. A pod keeps its range in a file of its
 * directory, as the public agent does, so that it has the same after another start of the agent.
 */
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { directoriesIn, orAbsent, writeWhole } from "../files.ts";
import type { IdMapping } from "../runtime/types.ts";
import { podDirectory } from "./names.ts";

/** Options that ranges go by. */
export interface RangeOptions {
  readonly rootDir: string;
  /** Length of a range, a multiple of 65536. */
  readonly idsPerPod: number;
  readonly maxPods: number;
}

/** Numbers of the host that pods may have. */
export interface IdRange {
  readonly first: number;
  readonly length: number;
}

const FILE = "userns";

/** What the file says. */
interface Kept {
  readonly uidMappings?: readonly IdMapping[];
  readonly gidMappings?: readonly IdMapping[];
}

/** See the top of the file. */
export class UserRanges {
  /** Number of a pod's range, by uid. */
  readonly #byPod = new Map<string, number>();
  readonly #used = new Set<number>();

  private constructor(readonly options: RangeOptions, readonly first: number, readonly count: number) {}

  /** With what pods have already. @throws Error: there is no room for all pods, or a pod has what it cannot have */
  static async open(options: RangeOptions, { first, length }: IdRange): Promise<UserRanges> {
    const { idsPerPod: each, maxPods, rootDir } = options;
    if (first % each !== 0) throw new Error(`kubelet user assigned ID ${first} is not a multiple of ${each}`);
    // Root of the host is no pod's.
    if (first < each) throw new Error(`kubelet user assigned ID ${first} must be greater or equal to ${each}`);
    if (length % each !== 0) throw new Error(`kubelet user assigned IDs length ${length} is not a multiple of ${each}`);
    if (length / each < maxPods) throw new Error(`kubelet user assigned IDs are not enough to support ${maxPods} pods`);
    const ranges = new UserRanges(options, first / each, length / each);
    for (const uid of await directoriesIn(join(rootDir, "pods"))) {
      await ranges.#kept(uid).catch((e: Error) => {
        throw new Error(`record pod mappings for existing pod ${JSON.stringify(uid)}: ${e.message}`, { cause: e });
      });
    }
    return ranges;
  }

  /** The pod's range, made if it has none. @throws Error: all are taken, or what it had cannot be read */
  async of(uid: string): Promise<IdMapping> {
    const kept = await this.#kept(uid).catch((e: Error) => {
      throw new Error(`user namespace: ${e.message}`, { cause: e });
    });
    return kept ?? await this.#make(uid).catch((e: Error) => {
      throw new Error(`create user namespace: ${e.message}`, { cause: e });
    });
  }

  /** Gives it back. Done twice it does nothing. */
  async release(uid: string): Promise<void> {
    const index = this.#byPod.get(uid);
    if (index === undefined) return;
    await rm(this.#path(uid), { force: true });
    this.#byPod.delete(uid);
    this.#used.delete(index);
  }

  #path(uid: string): string {
    return join(podDirectory(this.options.rootDir, uid), FILE);
  }

  async #kept(uid: string): Promise<IdMapping | undefined> {
    const text = await orAbsent(readFile(this.#path(uid), "utf8"));
    if (!text) return undefined;
    const { uidMappings: uids = [], gidMappings: gids = [] } = JSON.parse(text) as Kept;
    const [range] = uids, [groups] = gids;
    const same = range?.hostId === groups?.hostId && range?.length === groups?.length;
    if (
      !range || !groups || uids.length !== 1 || gids.length !== 1 || !same || range.containerId || groups.containerId
    ) {
      throw new Error("invalid user namespace configuration: one range is mapped, from 0 on, for users as for groups");
    }
    this.#take(uid, range);
    return range;
  }

  #take(uid: string, { hostId, length }: IdMapping): void {
    const { idsPerPod: each } = this.options;
    if (length !== each) throw new Error(`wrong user namespace length ${length}`);
    if (hostId % each !== 0) throw new Error(`wrong user namespace offset specified ${hostId}`);
    const index = hostId / each - this.first, before = this.#byPod.get(uid);
    if (before === index) return;
    if (before !== undefined) {
      throw new Error(`different user namespace range already used by pod ${JSON.stringify(uid)}`);
    }
    if (!(index >= 0 && index < this.count)) throw new Error(`id ${hostId} is out of range`);
    if (this.#used.has(index)) throw new Error(`range picked for pod ${JSON.stringify(uid)} already taken`);
    this.#used.add(index);
    this.#byPod.set(uid, index);
  }

  async #make(uid: string): Promise<IdMapping> {
    let index = 0;
    while (this.#used.has(index)) index++;
    if (index >= this.count) throw new Error("could not find an empty slot to allocate a user namespace");
    const { idsPerPod: length } = this.options;
    const range = { hostId: (this.first + index) * length, containerId: 0, length };
    this.#take(uid, range);
    try {
      await this.#keep(uid, { uidMappings: [range], gidMappings: [range] });
    } catch (e) {
      this.#byPod.delete(uid);
      this.#used.delete(index);
      throw e;
    }
    return range;
  }

  /** It is there even if the machine fails: a range must never be another pod's while files have its numbers. */
  async #keep(uid: string, kept: Kept): Promise<void> {
    const directory = podDirectory(this.options.rootDir, uid), path = this.#path(uid);
    await mkdir(directory, { recursive: true, mode: 0o750 });
    await writeWhole(path, JSON.stringify(kept), 0o600);
  }
}
