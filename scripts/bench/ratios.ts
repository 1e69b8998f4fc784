/** Ratios in one run: our server beside the least that could do the same, in turns, on the same machine and listener. */
import { AT_REST, startApplication } from "./application.ts";
import { Client, type ClientOptions } from "./client.ts";
import { configMap, configMaps, type Context, type Group } from "./context.ts";
import { fillLabelled } from "./lists.ts";
import { inTurns, type Load, type LoadOptions } from "./load.ts";
import { identityIn } from "./own.ts";
import type { Result } from "./result.ts";
import type { Target } from "./target.ts";
import { openDenoKv } from "../../server/storage/denokv/mod.ts";
import { TYPICAL } from "./typical.ts";
import { deliver, watched, Watchers } from "./watches.ts";

/** All of them. */
export const RATIOS: Group = {
  name: "ratios",
  own: true,
  async *run(context) {
    const baseline = await Baseline.start(context.own!.dir);
    try {
      yield* getRatio(context, baseline);
      yield* listRatio(context, baseline);
      yield* fanOutRatio(context, baseline);
      yield* listenedCreateRatio(context, baseline);
    } finally {
      await baseline.stop();
    }
    yield* createRatio(context);
    yield* applicationRatio(context);
    yield* podRatio(context);
  },
};

/** The process of baseline.ts. */
class Baseline implements Target {
  private constructor(
    readonly url: string,
    readonly identity: Target["identity"],
    readonly child: Deno.ChildProcess,
  ) {}

  get pids(): readonly number[] {
    return [this.child.pid];
  }

  static async start(dir: string): Promise<Baseline> {
    const script = new URL("baseline.ts", import.meta.url).pathname;
    const child = new Deno.Command(Deno.execPath(), { args: ["run", "-A", script, dir], stdout: "piped" }).spawn();
    for await (const line of child.stdout.pipeThrough(new TextDecoderStream())) {
      return new Baseline(line.trim(), await identityIn(dir), child);
    }
    throw new Error("the baseline did not start");
  }

  client(options: ClientOptions): Client {
    return new Client(this, options);
  }

  async stop(): Promise<void> {
    this.child.kill("SIGTERM");
    await this.child.status;
  }
}

async function* getRatio(context: Context, baseline: Baseline): AsyncGenerator<Result> {
  const ns = await context.namespace("bench-ratio-get");
  const ours = context.client({ http: 2, connections: 4 });
  await ours.bytes({ method: "POST", path: configMaps(ns), body: configMap("one"), expect: 201 });
  const path = `${configMaps(ns)}/one`;
  yield* besideBytes("get", "static", { context, baseline, ours, path, inFlight: 64 });
}

async function* listRatio(context: Context, baseline: Baseline): AsyncGenerator<Result> {
  const ns = await context.namespace("bench-ratio-list");
  const ours = context.client({ http: 2, connections: 4 });
  await fillLabelled(ours, ns, context.quick ? 1_000 : 10_000);
  yield* besideBytes("list", "prepared buffer", { context, baseline, ours, path: configMaps(ns), inFlight: 1 });
}

/** Headers that the runtime sets. */
const SET_BY_RUNTIME = new Set([":status", "date", "content-length", "transfer-encoding", "vary"]);

/** One answer of ours, its headers and bytes, again and again from both. */
async function* besideBytes(
  name: string,
  beside: string,
  o: { context: Context; baseline: Baseline; ours: Client; path: string; inFlight: number },
): AsyncGenerator<Result> {
  const theirs = o.baseline.client({ http: 2, connections: 4 });
  const body = await o.ours.bytes({ path: o.path });
  await theirs.bytes({ method: "PUT", path: "/bytes", body });
  const head = Object.entries(await o.ours.head({ path: o.path })).filter(([name]) => !SET_BY_RUNTIME.has(name));
  await theirs.bytes({ method: "PUT", path: "/head", body: JSON.stringify(Object.fromEntries(head)) });
  const run = (client: Client, path: string, pids: readonly number[]): LoadOptions => ({
    inFlight: o.inFlight,
    ms: o.context.ms * 2,
    pids,
    one: () => client.length({ path }),
  });
  const [a, b] = await inTurns(run(o.ours, o.path, o.context.server.pids), run(theirs, "/bytes", o.baseline.pids));
  yield* ratios(name, beside, a, b);
  theirs.close();
  o.ours.close();
}

function* ratios(name: string, beside: string, ours: Load, theirs: Load): Generator<Result> {
  const note =
    `ours ${Math.round(ours.cpu!)} µs, ${Math.round(ours.perSecond)}/s; ${beside} ${Math.round(theirs.cpu!)} µs, ` +
    `${Math.round(theirs.perSecond)}/s`;
  yield { name: `ratio ${name}: ${beside} / ours, cpu`, value: theirs.cpu! / ours.cpu!, note };
  yield { name: `ratio ${name}: ours / ${beside}, rate`, value: ours.perSecond / theirs.perSecond };
}

async function* fanOutRatio(context: Context, baseline: Baseline): AsyncGenerator<Result> {
  const count = context.quick ? 100 : 1_000;
  const rate = 20;
  const ms = context.quick ? 500 : 2_000;
  const { path, event } = await watched(context, "bench-ratio-watch");
  const options = { http: 2, connections: Math.ceil(count / 100) } as const;

  const ours = context.client(options);
  const watchers = new Watchers();
  await watchers.open(ours, path, count);
  await deliver(watchers, { count, rate, ms: 500, pids: [], event });

  const theirs = baseline.client(options);
  const line = new Uint8Array(1_500).fill(120);
  line[line.length - 1] = 10;
  const streams = new Watchers();
  await streams.open(theirs, "/stream", count);
  const emit = () => theirs.bytes({ method: "POST", path: "/emit" });
  const first = await deliver(watchers, { count, rate, ms: 500, pids: [], event });
  // Events as long as ours.
  await theirs.bytes({ method: "PUT", path: "/bytes", body: line.slice(line.length - Math.round(first.bytes)) });
  await deliver(streams, { count, rate, ms: 500, pids: [], event: emit });

  const cpu = { ours: 0, theirs: 0 };
  const rounds = 3;
  for (let i = 0; i < rounds; i++) {
    cpu.ours += (await deliver(watchers, { count, rate, ms, pids: context.server.pids, event })).cpu! / rounds;
    cpu.theirs += (await deliver(streams, { count, rate, ms, pids: baseline.pids, event: emit })).cpu! / rounds;
  }
  yield {
    name: "ratio fan-out: ours / writing the bytes, cpu",
    value: cpu.ours / cpu.theirs,
    note: `${cpu.ours.toFixed(1)} and ${
      cpu.theirs.toFixed(1)
    } µs an event and watcher, ${count} watchers, ${rate} events/s`,
  };
  await Promise.all([watchers.close(), streams.close()]);
  ours.close();
  theirs.close();
}

async function* createRatio(context: Context): AsyncGenerator<Result> {
  const ns = await context.namespace("bench-ratio-create");
  const client = context.client({ http: 2, connections: 4 });
  let made = 0;
  const create = () =>
    client.bytes({ method: "POST", path: configMaps(ns), body: configMap(`object-${++made}`), expect: 201 });
  const size = (await create()).length;
  const kv = await Deno.openKv(`${context.own!.dir}/raw.db`);
  const value = crypto.getRandomValues(new Uint8Array(size));
  const ms = context.ms * 2;
  const [ours, raw] = await inTurns(
    { inFlight: IN_FLIGHT, ms, pids: context.server.pids, one: create },
    { inFlight: 1, ms, pids: [], one: () => commitRaw(kv, value) },
  );
  kv.close();
  client.close();
  const rawRate = raw.perSecond * IN_FLIGHT;
  yield {
    name: "ratio create: ours / raw group commits, rate",
    value: ours.perSecond / rawRate,
    note: `ours ${Math.round(ours.perSecond)}/s, raw ${Math.round(rawRate)}/s of ${size} B, ${IN_FLIGHT} to a commit`,
  };
}

/** Beside raw rows that come in by the same listener, all that came while the last atomic was made in the next one. */
async function* listenedCreateRatio(context: Context, baseline: Baseline): AsyncGenerator<Result> {
  const ns = await context.namespace("bench-ratio-listened");
  const options = { http: 2, connections: 4 } as const;
  const client = context.client(options), theirs = baseline.client(options);
  let made = 0;
  const create = () =>
    client.bytes({ method: "POST", path: configMaps(ns), body: configMap(`object-${++made}`), expect: 201 });
  const row = await create();
  const load = { inFlight: IN_FLIGHT, ms: context.ms * 2 };
  const [ours, raw] = await inTurns(
    { ...load, pids: context.server.pids, one: create },
    {
      ...load,
      pids: baseline.pids,
      one: () => theirs.bytes({ method: "POST", path: "/rows", body: row, expect: 201 }),
    },
  );
  client.close();
  theirs.close();
  yield* ratios("create", "raw rows by the same listener", ours, raw);
}

/** What a pod takes, defaulted, validated, admitted, beside a config map of 1 KB: rates of creating each, in turns. */
async function* podRatio(context: Context): AsyncGenerator<Result> {
  const ns = await context.namespace("bench-ratio-pods");
  const client = context.client({ http: 2, connections: 4 });
  const at = `/api/v1/namespaces/${ns}`;
  const account = JSON.stringify({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "bench" } });
  await client.bytes({ method: "POST", path: `${at}/serviceaccounts`, body: account, expect: 201 });
  let made = 0;
  const create = (resource: string, change: (body: string) => string = (b) => b): LoadOptions => ({
    inFlight: IN_FLIGHT,
    ms: context.ms * 2,
    pids: context.server.pids,
    one: () => {
      const body = change(JSON.stringify(TYPICAL[resource]!(`object-${++made}`)));
      return client.bytes({ method: "POST", path: `${at}/${resource}`, body, expect: 201 });
    },
  });
  const withAccount = (body: string) => body.replace('"spec":{', '"spec":{"serviceAccountName":"bench",');
  const [pods, maps] = await inTurns(create("pods", withAccount), create("configmaps"));
  client.close();
  yield {
    name: "ratio create: pods / config maps, rate",
    value: pods.perSecond / maps.perSecond,
    note: `${Math.round(pods.perSecond)}/s and ${Math.round(maps.perSecond)}/s, ${Math.round(pods.cpu!)} and ${
      Math.round(maps.cpu!)
    } µs of processor`,
  };
}

const IN_FLIGHT = 64;
let rows = 0;

/**
 * The same create in one process with the raw commits, called as the listener calls it: what a client and the sockets between take of
 * the two cores is left out, as it is of the raw commits.
 */
async function* applicationRatio(context: Context): AsyncGenerator<Result> {
  const { dir } = context.own!;
  const backend = await openDenoKv(`${dir}/application.kv`);
  const application = await startApplication(backend);
  const kv = await Deno.openKv(`${dir}/raw2.db`);
  const value = crypto.getRandomValues(new Uint8Array(AT_REST));
  const ms = context.ms * 4;
  const [ours, raw] = await inTurns(
    { inFlight: IN_FLIGHT, ms, pids: [], one: application.create },
    { inFlight: 1, ms, pids: [], one: () => commitRaw(kv, value) },
    12,
  );
  kv.close();
  await application.stop();
  await backend.close();
  const rawRate = raw.perSecond * IN_FLIGHT;
  yield {
    name: "ratio create: the application / raw group commits, rate",
    value: ours.perSecond / rawRate,
    note: `application ${Math.round(ours.perSecond)}/s, raw ${Math.round(rawRate)}/s, ${IN_FLIGHT} to a commit`,
  };
}

/** As many plain rows in one atomic as there are requests in flight: what the database gives at best, without a server. */
async function commitRaw(kv: Deno.Kv, value: Uint8Array): Promise<void> {
  let atomic = kv.atomic();
  for (let i = 0; i < IN_FLIGHT; i++) atomic = atomic.set(["objects", ++rows], value);
  await atomic.set(["counter"], rows).commit();
}
