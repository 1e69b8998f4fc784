/** A whole agent on a host that is files: its kernel, its control groups, and a runtime in memory. */
import assert from "node:assert/strict";
import type { Container, PodSpec } from "../../schema/api/core_v1.ts";
import type { Base } from "../../agent/base.ts";
import { CLOCK } from "../../agent/clock.ts";
import { hostFiles } from "../../agent/config/mod.ts";
import { parseOrchletOptions } from "../../agent/options/mod.ts";
import { Hierarchy } from "../../agent/resources/hierarchy.ts";
import { readMachine } from "../../agent/resources/machine.ts";
import type { Clock } from "../../agent/types.ts";
import { fakeKernel, files } from "../agent/resources/parts.ts";
import { serving, until } from "../listen/_fixture.ts";
import { MemoryRuntime } from "./_memory_runtime.ts";
import { type AgentSurroundings, noAgent, type Whole, withAgent } from "./_orchlet.ts";

/** See the top of the file. */
export interface Host extends Whole {
  readonly memory: MemoryRuntime;
  /** The files of the host: `cgroup`, `sys`, `manifests`. */
  readonly host: string;
  /** A file of a control group, `/kubepods/memory.max`; undefined: it is not there. */
  group(path: string): Promise<string | undefined>;
  /** A container of a pod, once it runs. */
  running(name: string): Promise<MemoryRuntime["containers"][number]>;
  /** Puts the manifest of a static pod there. */
  put(name: string, spec: Partial<PodSpec>): Promise<void>;
}

/** What may differ. */
export interface HostParts extends Omit<AgentSurroundings, "base" | "containerd" | "clock"> {
  /** Version of control groups; default 2. */
  readonly groups?: 1 | 2;
  /** Files below `cgroup`, `sys` and others that are there beside the usual ones. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Files of its `proc`. */
  readonly proc?: Readonly<Record<string, string>>;
  /** Static pods, by name. */
  readonly pods?: Readonly<Record<string, Partial<PodSpec>>>;
  readonly clock?: Clock;
  readonly base?: (base: Base, memory: MemoryRuntime) => Base;
}

/** Files of the control groups of each version. */
const GROUPS: Readonly<Record<1 | 2, Readonly<Record<string, string>>>> = {
  1: Object.fromEntries(["cpu,cpuacct", "cpuset", "memory"].map((name) => [`cgroup/${name}/cgroup.procs`, ""])),
  2: { "cgroup/cgroup.controllers": "cpuset cpu memory hugetlb pids\n", "cgroup/cgroup.subtree_control": "\n" },
};

/** Files of `proc` in the place of those of the machine, which are for the agent's own process and the host as a whole. */
const PROC: Readonly<Record<string, string>> = {
  "swaps": "Filename\tType\tSize\tUsed\tPriority\n",
  "self/oom_score_adj": "0\n",
  "1/comm": "init\n",
};

/** The agent's own defaults, as far as they do no harm to a host that is files. */
const DEFAULTS = ["--cgroups-per-qos=true", "--enforce-node-allocatable=pods", "--fail-swap-on=true"];

/** The host's time, in which nobody waits long: what happens now and then happens often. A test can put it forward. */
export class ImpatientClock implements Clock {
  #moved = 0;

  /** @param longest that anybody waits, ms */
  constructor(readonly longest = 30) {}

  now(): number {
    return CLOCK.now() + this.#moved;
  }

  ticks(): number {
    return this.now();
  }

  wait(ms: number, signal?: AbortSignal): Promise<void> {
    return CLOCK.wait(Math.min(ms, this.longest), signal);
  }

  /** So long, ms. */
  pass(ms: number): void {
    this.#moved += ms;
  }
}

/** A container that asks for and is limited to so much. */
export const sized = (name: string, amounts: Record<string, string> = {}): Container => ({
  name,
  image: `registry.test/${name}:1`,
  imagePullPolicy: "IfNotPresent",
  resources: { requests: amounts, limits: amounts },
});

/** A static pod's manifest; without containers it has one of its name. */
const manifest = (name: string, spec: Partial<PodSpec>): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "default" },
    spec: { containers: [sized(name)], ...spec },
  });

const nameOf = (flag: string): string => flag.split("=")[0]!;

/** Puts a file in the place of a link, or of what a link leads to. */
function putOver(path: string, text: string): void {
  const directory = path.replace(/\/[^/]*$/, "");
  for (const at of [directory, path]) if (isLink(at)) Deno.removeSync(at);
  Deno.mkdirSync(directory, { recursive: true });
  Deno.writeTextFileSync(path, text);
}

function isLink(path: string): boolean {
  try {
    return Deno.lstatSync(path).isSymlink;
  } catch {
    return false;
  }
}

/** Makes a process one of the host's own. */
function ownNamespace(directory: string): void {
  Deno.mkdirSync(directory);
  Deno.symlinkSync("pid:[1]", `${directory}/pid`);
}

/** Tests that need a whole agent: where none can run, each says so in its place. */
export function onHost(rows: Readonly<Record<string, () => Promise<void>>>): typeof rows {
  if (!noAgent) return rows;
  return Object.fromEntries(Object.keys(rows).map((row) => [row, async () => console.log(`skipped: ${noAgent}`)]));
}

/** Checks that an option is taken and said to change nothing. */
export function accepted(flag: string): void {
  const parsed = parseOrchletOptions([flag], hostFiles);
  assert.ok(parsed.kind === "run", flag);
  assert.ok(parsed.warnings.some((w) => w.includes(`${nameOf(flag)} has no effect`)), parsed.warnings.join());
}

/** Runs with an agent of these flags. The machine has 4 processors and 4 GiB. */
export async function withHost(
  flags: readonly string[] | ((host: string) => readonly string[]),
  run: (host: Host) => Promise<void>,
  { groups = 2, texts = {}, proc = {}, pods = {}, clock = new ImpatientClock(), base, ...more }: HostParts = {},
): Promise<void> {
  const host = await fakeKernel(), memory = new MemoryRuntime();
  try {
    await files(host, { ...GROUPS[groups], ...texts });
    await files(host, { "tls/crt": serving.cert, "tls/key": serving.key });
    await Deno.mkdir(`${host}/manifests`);
    const put = (name: string, spec: Partial<PodSpec>) =>
      Deno.writeTextFile(`${host}/manifests/${name}.json`, manifest(name, spec));
    for (const [name, spec] of Object.entries(pods)) await put(name, spec);
    const machine = await readMachine({ proc: `${host}/proc`, sys: `${host}/sys` });
    const hierarchy = await Hierarchy.open(`${host}/cgroup`);
    const parts = (opened: Base): Base => {
      for (const [path, text] of Object.entries({ ...PROC, ...proc })) putOver(`${opened.roots.proc}/${path}`, text);
      for (const pid of ["1", "self"]) ownNamespace(`${opened.roots.proc}/${pid}/ns`);
      const own = {
        ...opened,
        machine,
        hierarchy,
        roots: { proc: opened.roots.proc, sys: `${host}/sys` },
        runtime: memory.client(),
        // Only the rooms are impatient: answers of the API server have their time.
        clock,
      };
      return base?.(own, memory) ?? own;
    };
    const given = typeof flags === "function" ? flags(host) : flags;
    const names = new Set(given.map(nameOf));
    const defaults = [
      `--pod-manifest-path=${host}/manifests`,
      `--tls-cert-file=${host}/tls/crt`,
      `--tls-private-key-file=${host}/tls/key`,
      ...DEFAULTS,
    ].filter((flag) => !names.has(nameOf(flag)));
    await withAgent([...defaults, ...given], (whole) =>
      run({
        ...whole,
        memory,
        host,
        put,
        group: (path) => Deno.readTextFile(`${host}/cgroup${path}`).then((t) => t.trim(), () => undefined),
        running: async (name) => {
          await until(`container ${name} runs`, () => memory.container(name)?.state === "RUNNING");
          return memory.container(name)!;
        },
      }), { ...more, base: parts });
  } finally {
    await Deno.remove(host, { recursive: true });
  }
}
