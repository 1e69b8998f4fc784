/** The agent's own process, and the rest of the system's. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type Hierarchy, textAt } from "./hierarchy.ts";

const run = promisify(execFile);
/** Processes come while others are moved: as often it is looked again. */
const ROUNDS = 10;

/** The group of a process, of the same name in all trees of v1 that count; undefined: they differ. */
export async function groupOfProcess(pid: number | "self", proc: string, version: 1 | 2): Promise<string | undefined> {
  const lines = (await textAt(`${proc}/${pid}/cgroup`) ?? "").split("\n").map((line) =>
    /^\d+:([^:]*):(.*)$/.exec(line)
  );
  const groups = new Map(lines.flatMap((m) => m ? m[1]!.split(",").map((name) => [name, m[2]!] as const) : []));
  if (version === 2) return groups.get("");
  const cpu = groups.get("cpu");
  return cpu === groups.get("memory") ? groups.get("name=systemd") ?? cpu : undefined;
}

/** Whether a process is in the same process namespace as the first one of this tree. */
async function isOnHost(proc: string): Promise<boolean> {
  const [first, own] = await Promise.all(["1", "self"].map((pid) => Deno.readLink(`${proc}/${pid}/ns/pid`)));
  return first === own;
}

/** Sets how soon the agent is killed for want of memory, in a container too. @throws Error */
export const setScore = (score: number, proc: string): Promise<void> =>
  Deno.writeTextFile(`${proc}/self/oom_score_adj`, `${score}`);

/** Puts the agent into a group. In a container it stays where it is. @throws Error */
export async function joinGroup(hierarchy: Hierarchy, group: string, proc: string): Promise<void> {
  if (!await isOnHost(proc) || await groupOfProcess("self", proc, hierarchy.version) === group) return;
  await hierarchy.make(group);
  await hierarchy.join(group, Deno.pid);
}

/** Moves all processes in the root group but the first and the kernel's own to a group. @throws Error: some stay */
export async function gatherSystem(hierarchy: Hierarchy, group: string, proc: string): Promise<void> {
  await hierarchy.make(group);
  let fault: unknown;
  for (let round = 0; round <= ROUNDS; round++) {
    const pids = await strays(hierarchy, proc);
    if (pids.length === 0) return;
    fault = undefined;
    for (const pid of pids) await hierarchy.join(group, pid).catch((e) => fault = e);
  }
  if (fault !== undefined) throw fault;
}

async function strays(hierarchy: Hierarchy, proc: string): Promise<number[]> {
  const root = hierarchy.directory("memory", "") ?? hierarchy.directories("")[0]!;
  const pids = (await textAt(`${root}/cgroup.procs`) ?? "").split("\n").filter(Boolean).map(Number);
  // A thread of the kernel has no program.
  const isUsers = (pid: number) => Deno.readLink(`${proc}/${pid}/exe`).then(() => true, () => false);
  const wanted = await Promise.all(pids.map(async (pid) => pid !== 1 && await isUsers(pid)));
  return pids.filter((_, i) => wanted[i]);
}

/** Lets a process open so many files. The limit is set from outside: the runtime cannot set its own. @throws Error */
export async function limitOpenFiles(most: number, pid: number = Deno.pid): Promise<void> {
  const call = run("prlimit", ["--pid", `${pid}`, `--nofile=${most}:${most}`], { timeout: 10_000 });
  await call.catch((e) => {
    throw new Error(e.stderr?.trim() || e.message, { cause: e });
  });
}
