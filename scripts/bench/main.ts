/**
 * Measures a server of this API, ours or any other: how fast, at what processor time of the server, in how much memory.
 *
 *     deno task bench [--quick] [--program=FILE] [--json=FILE] [--target=URL] [--kubeconfig=FILE] [--pid=N,N] [group…]
 *
 * Groups: get create update merge-patch apply list watch idle start objects pods custom-kinds large-lists ratios shares encryption lag; without a name all of them. Without
 * `--target` and `--kubeconfig` each group gets our own server as `deno task start` runs it (`--program`: another, such as main.ts), fresh, as a process of its own on an empty store; another server is
 * measured with the processes named by `--pid` (its store's included), or without processor time and memory. `cache`, `merge`, `rules`, `storage`
 * and `values` run the programs of that name, which measure parts of ours without a server.
 */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { Client } from "./client.ts";
import { ENCRYPTION } from "./encryption.ts";
import type { Context, Group } from "./context.ts";
import { CUSTOM } from "./custom.ts";
import { LAG } from "./lag.ts";
import { LISTS } from "./lists.ts";
import { LARGE, OBJECTS, PODS, START } from "./memory.ts";
import { OwnServer } from "./own.ts";
import { RATIOS } from "./ratios.ts";
import { REQUESTS } from "./requests.ts";
import { HEAD, print, type Result } from "./result.ts";
import { build, isBuilt } from "../start.ts";
import { fromKubeconfig, type Target } from "./target.ts";
import { IDLE, WATCHES } from "./watches.ts";
import { SHARES } from "./shares.ts";
import { BUDGETS } from "./budgets.ts";

const GROUPS: readonly Group[] = [
  START,
  ...REQUESTS,
  LISTS,
  WATCHES,
  IDLE,
  LARGE,
  OBJECTS,
  PODS,
  CUSTOM,
  RATIOS,
  SHARES,
  ENCRYPTION,
  LAG,
];

/** Programs of their own. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  cache: ["run", "-A", "--v8-flags=--expose-gc"],
  merge: ["run", "-A"],
  rules: ["run", "-A"],
  storage: ["run", "-A"],
  values: ["bench", "-A"],
};

interface Settings {
  readonly quick: boolean;
  /** What is started as our own; undefined: what `deno task start` runs. */
  readonly program: string | undefined;
  /** Undefined: our own. */
  readonly target: Target | undefined;
}

/** A group's figures, as they come. */
async function* figures(group: Group, { quick, target, program }: Settings): AsyncGenerator<Result> {
  if (target) return yield* within(group, { quick, server: target });
  const dir = await Deno.makeTempDir({ prefix: "orch-bench-" });
  let server = await OwnServer.start(dir, { program });
  try {
    const restart = async () => {
      await server.stop();
      return server = await OwnServer.start(dir, { program });
    };
    yield* within(group, { quick, server, own: { server, dir, restart } });
  } finally {
    await server.stop();
    await Deno.remove(dir, { recursive: true });
  }
}

async function* within(group: Group, base: Pick<Context, "quick" | "server" | "own">): AsyncGenerator<Result> {
  const namespaces: string[] = [];
  const client: Context["client"] = (options) => new Client(base.server, options);
  const admin = client({ http: 2, connections: 1 });
  const run = crypto.randomUUID().slice(0, 8);
  const namespace = async (name: string) => {
    const full = `${name}-${run}`;
    const body = JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name: full } });
    await admin.bytes({ method: "POST", path: "/api/v1/namespaces", body, expect: 201 });
    namespaces.push(full);
    return full;
  };
  try {
    yield* group.run({ ...base, ms: base.quick ? 400 : 2_000, client, namespace });
  } finally {
    // Our own goes away as a whole.
    if (!base.own) {
      for (const name of namespaces) await admin.bytes({ method: "DELETE", path: `/api/v1/namespaces/${name}` });
    }
    admin.close();
  }
}

async function machine(): Promise<Record<string, unknown>> {
  const info = await Deno.readTextFile("/proc/cpuinfo").catch(() => "");
  return {
    at: new Date().toISOString(),
    cores: navigator.hardwareConcurrency,
    processor: /^model name\s*: (.*)$/m.exec(info)?.[1],
    deno: Deno.version.deno,
    load: loadavg().map((n) => Number(n.toFixed(2))),
  };
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    args: Deno.args,
    allowPositionals: true,
    options: {
      quick: { type: "boolean" },
      program: { type: "string" },
      json: { type: "string" },
      target: { type: "string" },
      kubeconfig: { type: "string" },
      pid: { type: "string" },
    },
  });
  for (const name of positionals) {
    if (!PARTS[name] && !GROUPS.some((g) => g.name === name)) {
      throw new Error(`no group "${name}": ${[...GROUPS.map((g) => g.name), ...Object.keys(PARTS)].join(" ")}`);
    }
  }
  if (values.target && !values.kubeconfig) throw new Error("--target needs --kubeconfig, which says who asks");
  const pids = (values.pid ?? "").split(",").filter(Boolean).map(Number);
  const target = values.kubeconfig ? await fromKubeconfig(values.kubeconfig, values.target, pids) : undefined;
  const program = values.program && await Deno.realPath(values.program);
  if (!target && !program && !isBuilt()) await build();
  const chosen = GROUPS.filter((g) => positionals.length === 0 || positionals.includes(g.name));
  const before = await machine();
  console.log(Object.entries(before).map(([k, v]) => `${k} ${v}`).join(" · "));
  console.log(HEAD);
  const results: (Result & { aim?: number; public?: number })[] = [];
  for (const group of chosen) {
    if (group.own && target) continue;
    for await (const result of figures(group, { quick: values.quick ?? false, program, target })) {
      console.log(print(result));
      results.push({ ...result, ...BUDGETS[result.name] });
    }
  }
  const after = await machine();
  console.log(`load after: ${after.load}`);
  if (values.json) {
    await Deno.writeTextFile(values.json, JSON.stringify({ before, after, results }, undefined, 2) + "\n");
  }
  for (const name of positionals.filter((n) => PARTS[n])) await part(name);
}

async function part(name: string): Promise<void> {
  const script = new URL(`${name}.ts`, import.meta.url).pathname;
  const { success } = await new Deno.Command(Deno.execPath(), { args: [...PARTS[name]!, script] }).spawn().status;
  if (!success) throw new Error(`${script} failed`);
}

if (import.meta.main) {
  try {
    await main();
  } catch (e) {
    console.error(`error: ${e instanceof Error ? e.message : e}`);
    Deno.exit(1);
  }
}
