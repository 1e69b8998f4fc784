/** The host's control groups: one tree for each controller (v1), or one for all (v2). */
import type { Clock } from "../types.ts";
import { filesOf, type GroupSettings } from "./settings.ts";

/** Controllers of v2 that pods need, where the kernel has them. */
const V2_CONTROLLERS = ["cpu", "cpuset", "memory", "hugetlb", "pids"];
/** Without these in v1 there is no agent. */
const V1_NEEDED = ["cpu", "cpuacct", "cpuset", "memory"];
/** A group that is there is there in these trees of v1; others it may lack. */
const V1_LOOKED_AT = new Set([...V1_NEEDED, "systemd", "pids", "hugetlb"]);
const REMOVALS = 8;
const FIRST_PAUSE = 10;

/** ESRCH and ENODEV, which have no class here: a process ended, or a group was removed, between opening and reading. */
const GONE = /\(os error (3|19)\)/;
/** EOPNOTSUPP: processes of a threaded group of v2 are told by the one above it alone. */
const THREADED = /\(os error 95\)/;

const isMissing = (e: unknown) => e instanceof Deno.errors.NotFound;
const isGone = (e: unknown) => isMissing(e) || e instanceof Deno.errors.NotADirectory || GONE.test(String(e));

/** A file's text without white space around it; undefined where there is no file, or none any more. @throws what reading throws otherwise */
export async function textAt(path: string): Promise<string | undefined> {
  try {
    return (await Deno.readTextFile(path)).trim();
  } catch (e) {
    if (isGone(e)) return undefined;
    throw e;
  }
}

async function directories(path: string): Promise<string[]> {
  try {
    const out: string[] = [];
    for await (const entry of Deno.readDir(path)) if (entry.isDirectory) out.push(entry.name);
    return out;
  } catch (e) {
    if (isMissing(e)) return [];
    throw e;
  }
}

async function isThere(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, (e) => {
    if (isMissing(e)) return false;
    throw e;
  });
}

/** See the top of the file. Paths of groups begin with a slash. */
export class Hierarchy {
  private constructor(
    readonly version: 1 | 2,
    /** Where each controller's tree begins. */
    readonly controllers: ReadonlyMap<string, string>,
    /** Swap is counted by group. */
    readonly swapLimits: boolean,
    /** Trees without controllers, in which a runtime makes groups beside the others: v2 next to v1. */
    readonly bare: readonly string[] = [],
  ) {}

  /** Looks at what is mounted. @param root usually /sys/fs/cgroup. @throws Error: nothing that can be used */
  static async open(root: string, proc = "/proc"): Promise<Hierarchy> {
    const unified = await textAt(`${root}/cgroup.controllers`);
    if (unified !== undefined) {
      const known = unified.split(/\s+/).filter((name) => V2_CONTROLLERS.includes(name));
      // The root has no limits, so the group of this process tells.
      const own = /^0::(.*)$/m.exec(await textAt(`${proc}/self/cgroup`) ?? "")?.[1] ?? "";
      return new Hierarchy(
        2,
        new Map(known.map((name) => [name, root])),
        await isThere(`${root}${own}/memory.swap.max`),
      );
    }
    const controllers = new Map<string, string>(), bare: string[] = [];
    for (const directory of (await directories(root)).sort()) {
      const at = `${root}/${directory}`;
      if (!await isThere(`${at}/cgroup.procs`)) continue;
      if (await isThere(`${at}/cgroup.controllers`)) bare.push(at);
      else for (const name of directory.split(",")) controllers.set(name, at);
    }
    const missing = V1_NEEDED.filter((name) => !controllers.has(name));
    if (missing.length === 0) {
      const swap = await isThere(`${controllers.get("memory")}/memory.memsw.limit_in_bytes`);
      return new Hierarchy(1, controllers, swap, bare);
    }
    throw new Error(`system validation failed - Following Cgroup subsystem not mounted: [${missing.join(" ")}]`);
  }

  /** The directories of a group. */
  directories(path: string): readonly string[] {
    return [...new Set(this.controllers.values())].map((root) => `${root}${path}`);
  }

  /** The same with those that only a runtime has made. */
  #everywhere(path: string): readonly string[] {
    return [...this.directories(path), ...this.bare.map((root) => `${root}${path}`)];
  }

  /** The directory of a group in one controller's tree. */
  directory(controller: string, path: string): string | undefined {
    const root = this.controllers.get(controller);
    return root === undefined ? undefined : `${root}${path}`;
  }

  /** Those of a group's directories that must be there and are not. */
  async missing(path: string): Promise<readonly string[]> {
    const looked = [...this.controllers].filter(([name]) => this.version === 2 || V1_LOOKED_AT.has(name));
    const directories = [...new Set(looked.map(([, root]) => `${root}${path}`))];
    const there = await Promise.all(directories.map(isThere));
    return directories.filter((_, i) => !there[i]);
  }

  /** Makes a group and those above it. */
  async make(path: string): Promise<void> {
    for (const root of new Set(this.controllers.values())) {
      let at = root;
      for (const part of path.split("/").filter(Boolean)) {
        const above = at;
        at = `${at}/${part}`;
        if (this.version === 2) await this.#delegate(above);
        await Deno.mkdir(at).catch((e) => {
          if (!(e instanceof Deno.errors.AlreadyExists)) throw e;
        });
        if (root === this.controllers.get("cpuset") && this.version === 1) await inheritCpus(above, at);
      }
    }
  }

  async #delegate(directory: string): Promise<void> {
    const file = `${directory}/cgroup.subtree_control`;
    const has = (await textAt(file) ?? "").split(/\s+/);
    const lacking = [...this.controllers.keys()].filter((name) => !has.includes(name));
    if (lacking.length > 0) await Deno.writeTextFile(file, lacking.map((name) => `+${name}`).join(" "));
  }

  /** Writes settings of a group that is there. What controllers are missing for is left out. @throws Error that names the file */
  async set(path: string, settings: GroupSettings): Promise<void> {
    const write = async (file: string, value: string) => await Deno.writeTextFile(file, value);
    const again: (readonly [string, string])[] = [];
    for (const { controller, file, value } of filesOf(this.version, settings)) {
      const directory = this.directory(controller, path);
      if (directory === undefined) continue;
      // Some go together (a period and its quota) and are refused in one order only.
      await write(`${directory}/${file}`, value).catch(() => again.push([`${directory}/${file}`, value]));
    }
    for (const [file, value] of again) {
      await write(file, value).catch((e) => {
        throw new Error(`${file} does not take ${JSON.stringify(value)}: ${(e as Error).message}`, { cause: e });
      });
    }
  }

  /** What a group uses of memory, bytes. Undefined: it does not say. */
  async memoryUsed(path: string): Promise<number | undefined> {
    const file = this.version === 1 ? "memory.usage_in_bytes" : "memory.current";
    const text = await textAt(`${this.directory("memory", path)}/${file}`);
    return text === undefined ? undefined : Number(text);
  }

  /** What a group is limited to, bytes; Infinity: it is not, or does not say. */
  async memoryLimit(path: string): Promise<number> {
    const file = this.version === 1 ? "memory.limit_in_bytes" : "memory.max";
    const text = await textAt(`${this.directory("memory", path)}/${file}`);
    return text === undefined || text === "max" ? Infinity : Number(text);
  }

  /** How many processes and threads are in a group and below it. Undefined: it does not say. */
  async tasks(path: string): Promise<number | undefined> {
    const directory = this.directory("pids", path);
    const text = directory === undefined ? undefined : await textAt(`${directory}/pids.current`);
    return text === undefined ? undefined : Number(text);
  }

  /** Groups below one, their last parts. */
  async children(path: string): Promise<ReadonlySet<string>> {
    return new Set((await Promise.all(this.#everywhere(path).map(directories))).flat());
  }

  /** Processes in a group and below it. */
  async processes(path: string): Promise<ReadonlySet<number>> {
    return new Set((await Promise.all(this.#everywhere(path).map(processesBelow))).flat());
  }

  /** Puts a process into a group. */
  async join(path: string, pid: number): Promise<void> {
    for (const directory of this.directories(path)) await Deno.writeTextFile(`${directory}/cgroup.procs`, `${pid}`);
  }

  /** Kills what is in a group and removes it with all below it. @throws Error when it stays */
  async remove(path: string, clock: Clock): Promise<void> {
    for (let i = 0, pause = FIRST_PAUSE;; i++, pause *= 2) {
      for (const pid of await this.processes(path)) kill(pid);
      const left = (await Promise.allSettled(this.#everywhere(path).map(removeTree))).find((r) =>
        r.status === "rejected"
      );
      if (!left) return;
      if (i === REMOVALS) throw new Error(`control group ${path} stays: ${(left.reason as Error).message}`);
      await clock.wait(pause);
    }
  }
}

// In v1 no process enters a group without processors and memory nodes of its own.
async function inheritCpus(above: string, at: string): Promise<void> {
  for (const file of ["cpuset.cpus", "cpuset.mems"]) {
    if (await textAt(`${at}/${file}`) !== "") continue;
    await Deno.writeTextFile(`${at}/${file}`, await textAt(`${above}/${file}`) ?? "");
  }
}

async function processesBelow(directory: string): Promise<number[]> {
  const text = await textAt(`${directory}/cgroup.procs`).catch((e) => {
    if (THREADED.test(String(e))) return undefined;
    throw e;
  });
  const listed = (text ?? "").split("\n").map(Number);
  // 0 is one of a process namespace that cannot be seen from here; to a kill it is all of the agent's own group.
  const own = listed.filter((pid) => pid > 0);
  const below = await Promise.all((await directories(directory)).map((name) => processesBelow(`${directory}/${name}`)));
  return [...own, ...below.flat()];
}

async function removeTree(directory: string): Promise<void> {
  for (const name of await directories(directory)) await removeTree(`${directory}/${name}`);
  await Deno.remove(directory).catch((e) => {
    if (!isMissing(e)) throw e;
  });
}

function kill(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile; what cannot be killed keeps its group, which is said then.
  }
}
