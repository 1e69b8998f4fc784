/** Start, and resident memory: at rest, with many objects, under many large lists at once. */
import { pause } from "../../server/pause.ts";
import type { Client } from "./client.ts";
import { configMap, configMaps, type Context, fill, type Group } from "./context.ts";
import { peak, resident } from "./process.ts";
import type { Result } from "./result.ts";
import { TYPICAL } from "./typical.ts";

const MB = 1024 * 1024;

/** How long a server is left alone before its memory counts, ms. */
const SETTLE_MS = 4_000;

/** The same where much was written: garbage is collected once there is little to do, and forms that nobody asked for go. */
const COLLECT_MS = 20_000;

/** After this long nothing is kept that only the writes left. */
const REST_MS = 120_000;

/** Start to ready on an empty store, and memory at rest. The first start makes keys and certificates, the others find them. */
export const START: Group = {
  name: "start",
  own: true,
  async *run({ own, quick }) {
    yield { name: "first start to /readyz, empty directory", value: own!.server.readyMs, unit: "ms" };
    const times: number[] = [];
    let server = own!.server;
    for (let i = 0; i < (quick ? 1 : 5); i++) times.push((server = await own!.restart()).readyMs);
    times.sort((a, b) => a - b);
    const each = `of ${times.map(Math.round).join(", ")}`;
    yield { name: "start to /readyz, empty store", value: times[times.length >> 1]!, unit: "ms", note: each };
    await pause(SETTLE_MS);
    yield { name: "memory at rest", value: resident(server.pids) / MB, unit: "MB" };
  },
};

/** Memory by objects, and the start that reads them. */
export const OBJECTS: Group = {
  name: "objects",
  run: (context) => many(context, "config maps", (ns) => [configMaps(ns), (i) => configMap(`object-${i}`)]),
};

/** The same of what most objects are. */
export const PODS: Group = {
  name: "pods",
  run: (context) => many(context, "pods", (ns) => [`/api/v1/namespaces/${ns}/pods`, typicalPod]),
};

/** A pod of some 3 KB, as most are in use. */
const typicalPod = (i: number): string =>
  JSON.stringify(TYPICAL["pods"]!(`object-${i}`)).replace('"spec":{', '"spec":{"serviceAccountName":"bench",');

async function* many(
  context: Context,
  what: string,
  of: (ns: string) => [path: string, body: (i: number) => string],
): AsyncGenerator<Result> {
  const { pids } = context.server;
  if (pids.length === 0) return;
  const count = context.quick ? 2_000 : 50_000, name = `${count.toLocaleString("en")} ${what}`;
  await pause(SETTLE_MS);
  const before = resident(pids);
  const client = context.client({ http: 2, connections: 4 });
  const ns = await context.namespace("bench-objects");
  const account = JSON.stringify({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "bench" } });
  await client.bytes({ method: "POST", path: `/api/v1/namespaces/${ns}/serviceaccounts`, body: account, expect: 201 });
  const [path, body] = of(ns);
  const first = count / 5;
  await fill(client, first, (i) => ({ path, body: body(i) }), 64);
  await pause(COLLECT_MS);
  const written = resident(pids);
  await fill(client, count - first, (i) => ({ path, body: body(first + i) }), 64);
  client.close();
  await pause(COLLECT_MS);
  const now = resident(pids);
  yield* objects(name, now, before, count);
  // What writing takes, whatever the number of objects, is in both.
  const more = (now - written) / (count - first) / 1024;
  yield { name: `${name}: an object after the first ${first.toLocaleString("en")}`, value: more, unit: "KB" };
  if (!context.quick) {
    await pause(REST_MS - COLLECT_MS);
    yield* objects(`${name}, two minutes after`, resident(pids), before, count);
  }
  if (!context.own) return;
  const again = await context.own.restart();
  yield { name: `start to /readyz, ${name}`, value: again.readyMs, unit: "ms" };
  await pause(SETTLE_MS);
  yield* objects(`${name}, after a new start`, resident(again.pids), before, count);
}

function* objects(name: string, now: number, before: number, count: number): Generator<Result> {
  yield { name: `${name}: memory in all`, value: now / MB, unit: "MB" };
  yield { name: `${name}: an object`, value: (now - before) / count / 1024, unit: "KB" };
}

/** Ten readers of one large list at the same time. */
export const LARGE: Group = {
  name: "large-lists",
  async *run(context) {
    if (context.server.pids.length === 0) return;
    for (const count of context.quick ? [100] : [1_000, 3_000]) yield* tenLists(context, count);
  },
};

async function* tenLists(context: Context, count: number): AsyncGenerator<Result> {
  const { pids } = context.server;
  const client = context.client({ http: 2, connections: 10 });
  const ns = await context.namespace(`bench-large-${count}`);
  await fill(client, count, (i) => ({ path: configMaps(ns), body: configMap(`object-${i}`, { size: 100_000 }) }), 4);
  await pause(SETTLE_MS);
  const before = resident(pids);
  const start = performance.now();
  const most = await peak(pids, Promise.all(Array.from({ length: 10 }, () => read(client, ns, count))));
  const seconds = (performance.now() - start) / 1000;
  const name = `ten lists of ${count / 10} MB`;
  yield { name: `${name}: memory before`, value: before / MB, unit: "MB" };
  yield {
    name: `${name}: growth`,
    value: (most - before) / MB,
    unit: "MB",
    note: `in ${seconds.toFixed(1)} s, ${Math.round(count / seconds)} MB/s`,
  };
  client.close();
}

async function read(client: Client, ns: string, count: number): Promise<void> {
  const length = await client.length({ path: configMaps(ns) });
  if (length < count * 100_000) throw new Error(`a list of ${length} bytes is too short`);
}
