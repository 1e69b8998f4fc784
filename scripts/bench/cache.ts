/**
 * What the watch cache costs, without a server around it.
 *
 *     deno run -A --v8-flags=--expose-gc scripts/bench/cache.ts [section…]
 *
 * Sections: memory, list, past, fanout, selective, idle, write. Each prints a line a figure. Times are of this process's
 * processor; run on a quiet machine.
 */
import process from "node:process";
import {
  type CachedResource,
  Cacher,
  type EntryCodec,
  type Form,
  type Obj,
  type ResourceCache,
  type WatchOptions,
} from "../../server/cache/mod.ts";
import { pause } from "../../server/pause.ts";
import { jsonLines } from "../../tests/fixture/json_lines.ts";
import type { Backend, ChangeBatch, Committed, RangeRead } from "../../server/storage/backend.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const json: Form = { key: "v1/json", version: "v1", media: "json", as: "object" };
const lines = jsonLines("bench", (event) => encoder.encode(`{"metadata":{"resourceVersion":"${event.revision}"}}`));

const codec: EntryCodec = {
  decode: (stored) => JSON.parse(decoder.decode(stored)) as Obj,
  encode: (object) => encoder.encode(JSON.stringify(object)),
  facts: (object) => {
    const { metadata, spec } = object as unknown as {
      metadata: { uid: string; labels: Record<string, string> };
      spec: { nodeName: string };
    };
    return { uid: metadata.uid, labels: metadata.labels, fields: { "spec.nodeName": spec.nodeName } };
  },
};

/** A store of made-up objects of about `size` bytes; changes are pushed by the benchmark. */
class MadeUp {
  newest = 1;
  deliver: ((batch: ChangeBatch) => void) | undefined;

  readonly #order: string[];
  /** Pages are read one after the other. */
  #at = 0;

  constructor(readonly count: number, readonly size: number) {
    this.#order = Array.from({ length: count }, (_, i) => this.key(i)).sort();
  }

  key(i: number): string {
    return `/registry/pods/ns-${String(i % 100).padStart(4, "0")}/pod-${String(i).padStart(8, "0")}-abcde`;
  }

  object(i: number, filler = this.size - 330): Obj {
    const labels = {
      app: `app-${i % 100}`,
      "pod-template-hash": `hash-${i % 500}`,
      tier: "backend",
      one: `${i % 100}`,
    };
    return {
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        name: `pod-${String(i).padStart(8, "0")}-abcde`,
        namespace: `ns-${String(i % 100).padStart(4, "0")}`,
        uid: `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`,
        labels,
        creationTimestamp: "2026-01-01T00:00:00Z",
      },
      spec: { nodeName: `node-${i % 1000}`, data: "x".repeat(Math.max(0, filler)) },
    };
  }

  value(i: number): Uint8Array {
    return encoder.encode(JSON.stringify(this.object(i)));
  }

  async range(_prefix: string, page: { after?: string; limit?: number } = {}): Promise<RangeRead> {
    const from = page.after === undefined || this.#at >= this.count ? 0 : this.#at;
    const keys = this.#order.slice(from, from + (page.limit ?? Infinity));
    this.#at = from + keys.length;
    const items = keys.map((key) => ({ key, value: this.value(Number(key.slice(-14, -6))), revision: 1 }));
    return { revision: this.newest, items, more: from + keys.length < this.count };
  }

  changes(_prefix: string, _since: number, deliver: (batch: ChangeBatch) => void, signal: AbortSignal): Promise<void> {
    this.deliver = deliver;
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
  }

  revision(): number {
    return this.newest;
  }

  compacted(): number {
    return 0;
  }

  /** One write of one object, as the registry would make it. */
  write(i: number, note = true): void {
    const object = this.object(i);
    const value = encoder.encode(JSON.stringify(object));
    const revision = ++this.newest;
    const change: Committed = {
      key: this.key(i),
      revision,
      value,
      ...(note ? { note: { object, json: { form: json, make: () => value.slice() } } } : {}),
    };
    this.deliver!({ changes: [change], revision });
  }
}

async function running(store: MadeUp): Promise<{ cache: ResourceCache; cacher: Cacher; stop: () => void }> {
  const resource: CachedResource = {
    id: "pods",
    prefix: "/registry/pods/",
    namespaced: true,
    codec,
    indexFields: ["spec.nodeName"],
  };
  const cacher = new Cacher(store as unknown as Backend, [resource], {
    now: Date.now,
    random: Math.random,
    onError: (error) => {
      throw error;
    },
  });
  const stop = new AbortController();
  cacher.start(stop.signal);
  await cacher.whenReady();
  return { cache: cacher.mustHave("pods"), cacher, stop: () => stop.abort() };
}

function collect(): void {
  const { gc } = globalThis as { gc?: () => void };
  if (gc === undefined) throw new Error("run with --v8-flags=--expose-gc");
  gc();
  gc();
}

function resident(): { heap: number; external: number; rss: number } {
  collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed, external, rss };
}

function heapSlack(): number {
  const { heapTotal, heapUsed } = process.memoryUsage();
  return heapTotal - heapUsed;
}

function report(what: string, value: number, unit: string): void {
  console.log(`${what.padEnd(60)} ${value.toFixed(value < 10 ? 2 : 0).padStart(10)} ${unit}`);
}

/** Processor µs of one of `count` runs. */
async function cpu(count: number, run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

/** Wall µs of one run, the best of some. */
function wall(run: () => unknown, times = 20): number {
  let best = Infinity;
  for (let i = 0; i < times; i++) {
    const start = performance.now();
    run();
    best = Math.min(best, performance.now() - start);
  }
  return best * 1000;
}

const sections: Record<string, () => Promise<void>> = {
  async memory() {
    const count = 50_000;
    const store = new MadeUp(count, 2048);
    // What making up objects leaves in the allocator is not the cache's.
    for (let page = await store.range("", { limit: 1000 }); page.more;) {
      page = await store.range("", { after: "", limit: 1000 });
    }
    const before = resident();
    const { cache, cacher, stop } = await running(store);
    const loaded = resident();
    const per = (key: "heap" | "external" | "rss", now: typeof before) => (now[key] - before[key]) / count;
    report("a 2 KB object as loaded, heap", per("heap", loaded), "B");
    report("a 2 KB object as loaded, outside the heap", per("external", loaded), "B");
    report("a 2 KB object as loaded, resident", per("rss", loaded), "B");
    for (const entry of cache.snapshot().range()) void entry.labels;
    const selected = resident();
    report("… with its facts read, resident", per("rss", selected), "B");
    report("… with its facts read, heap", per("heap", selected), "B");
    for (const entry of cache.snapshot().range()) entry.bytes(json);
    const listed = resident();
    report("… and its JSON beside (2 KB more of bytes), resident", per("rss", listed), "B");
    report("what memory() tells of it", cacher.memory() / count, "B");
    report("room in the heap that V8 keeps, in all", heapSlack() / 1e6, "MB");
    stop();
  },

  async list() {
    const { cache, stop } = await running(new MadeUp(10_000, 1024));
    const snapshot = cache.snapshot();
    const all = () => {
      let bytes = 0;
      for (const entry of snapshot.range()) bytes += entry.bytes(json).byteLength;
      return bytes;
    };
    all();
    report("visiting 10,000 objects' bytes", wall(all), "µs");
    const one = () => {
      let count = 0;
      for (const entry of snapshot.range()) if (entry.labels["one"] === "7") count++;
      return count;
    };
    one();
    report("a label that 1 % of 10,000 carry", wall(one), "µs");
    const namespace = () => {
      let count = 0;
      for (const _ of snapshot.range({ namespace: "ns-0050", after: "ns-0050/pod-00008" })) count++;
      return count;
    };
    report(`a namespace of ${namespace()} beside 10,000`, wall(namespace), "µs");
    const field = { name: "spec.nodeName", value: "node-7" };
    const nodes = () => [...cache.snapshot().range({ field })].length;
    nodes();
    store: {
      report(`by node, first time (${nodes()} found)`, wall(nodes, 1), "µs");
      break store;
    }
    report("count of a namespace", wall(() => snapshot.count("ns-0050")), "µs");
    stop();
  },

  async past() {
    const store = new MadeUp(10_000, 1024);
    const { cache, stop } = await running(store);
    for (let i = 0; i < 10_000; i++) store.write(i % 10_000);
    const revision = store.newest;
    let back = 0;
    report(
      "a snapshot of the past, mean",
      wall(() => {
        for (let i = 0; i < 100; i++) cache.snapshotAt(revision - 97 * (1 + back++ % 100));
      }, 1) / 100,
      "µs",
    );
    report("the same again, a page later", wall(() => cache.snapshotAt(revision - 97 * 100)), "µs");
    stop();
  },

  async fanout() {
    for (const rate of [20, 200]) {
      const store = new MadeUp(1000, 1024);
      const { cache, stop } = await running(store);
      const events = rate * 5;
      let delivered = 0;
      let batches = 0;
      let bytes = 0;
      const abort = new AbortController();
      const watch = async () => {
        const watcher = cache.watch({ since: cache.revision, signal: abort.signal });
        for (let batch = await watcher.next(); batch !== undefined; batch = await watcher.next()) {
          delivered += batch.events.length;
          bytes += cache.batchBytes(batch, json, lines).byteLength;
          batches++;
        }
      };
      const all = Array.from({ length: 1000 }, watch);
      const cost = await cpu(events, async () => {
        for (let i = 0; i < events; i++) {
          store.write(i % 1000);
          await pause(1000 / rate);
        }
        await pause(100);
      });
      report(`an event to 1,000 watchers at ${rate}/s, without writing`, cost, "µs");
      report("… to one of them", cost / 1000, "µs");
      report("… batches a watcher and second", batches / 1000 / 5, "");
      if (delivered !== events * 1000) console.error(`delivered ${delivered} of ${events * 1000}, ${bytes} bytes`);
      abort.abort();
      await Promise.all(all);
      stop();
    }
  },

  /** All watchers see everything; one takes a batch and comes back at the end. */
  async storm() {
    const store = new MadeUp(1000, 1024), rate = 5_000, seconds = 5, step = 10;
    const { cache, stop } = await running(store);
    const abort = new AbortController(), options = () => ({ since: cache.revision, signal: abort.signal });
    let delivered = 0;
    const watch = async () => {
      const watcher = cache.watch(options());
      for (let batch = await watcher.next(); batch !== undefined; batch = await watcher.next()) {
        delivered += batch.events.length;
        cache.batchBytes(batch, json, lines);
      }
    };
    const all = Array.from({ length: 1000 }, watch), stuck = cache.watch(options());
    await Promise.resolve();
    const first = stuck.next(), before = resident(), events = rate * seconds, start = performance.now();
    const cost = await cpu(1, async () => {
      for (let i = 0; i < events; i++) {
        store.write(i % 1000);
        const ahead = start + i / rate * 1000 - performance.now();
        if (ahead > step || i % 200 === 0) await pause(Math.max(0, ahead));
      }
      await pause(200);
    });
    const took = (performance.now() - start) / 1000;
    report("5,000 changes/s to 1,000 watchers, without writing: changes a second", events / took, "");
    report("… of a core", cost / took / 1e6, "");
    report("… of the events delivered at the end", delivered / events / 1000, "");
    report("… growth of resident memory", (resident().rss - before.rss) / 1e6, "MB");
    // Its position is in the history still: it reads on from there. Past the history's bound it would be ended.
    let late = (await first)?.events.length ?? 0;
    while (late < events) {
      const batch = await stuck.next();
      if (batch === undefined || batch.error !== undefined) break;
      late += batch.events.length;
    }
    report("… of them read late by the one that waited", late / events, "");
    abort.abort();
    await Promise.all(all);
    stop();
  },

  async selective() {
    const store = new MadeUp(10_000, 1024);
    const { cache, stop } = await running(store);
    const watchers = Array.from({ length: 1000 }, (_, i) => {
      const since = cache.revision;
      const field = { name: "spec.nodeName", value: `node-${i}` };
      const options: WatchOptions = { since, field };
      return cache.watch(options);
    });
    let delivered = 0;
    const all = watchers.map(async (watcher) => {
      for (let batch = await watcher.next(); batch !== undefined; batch = await watcher.next()) {
        delivered += batch.events.length;
      }
    });
    const count = 20_000;
    const cost = await cpu(count, async () => {
      for (let i = 0; i < count; i++) {
        store.write(i % 10_000);
        if (i % 100 === 0) await pause(0);
      }
      await pause(100);
    });
    report("a write with 1,000 watchers of one node each, all told", cost, "µs");
    if (delivered !== count) console.error(`delivered ${delivered} of ${count}`);
    for (const watcher of watchers) watcher.close();
    await Promise.all(all);
    stop();
  },

  async idle() {
    const store = new MadeUp(100, 1024);
    const { cache, cacher, stop } = await running(store);
    const resources = 5_000, empty = resident();
    for (let i = 0; i < resources; i++) {
      cacher.add({ id: `r${i}`, prefix: `/registry/r${i}/`, namespaced: true, codec });
    }
    await cacher.whenReady();
    report("a resource that nobody uses, heap", (resident().heap - empty.heap) / resources, "B");
    for (const named of [false, true]) {
      const count = 20_000;
      const before = resident();
      const aborts: AbortController[] = [];
      const pending: unknown[] = [];
      for (let i = 0; i < count; i++) {
        const abort = new AbortController();
        aborts.push(abort);
        const watcher = cache.watch({
          since: cache.revision,
          signal: abort.signal,
          bookmarks: { everyMs: 60_000 },
          ...(named ? { namespace: "ns-0001", name: `pod-${i}` } : {}),
        });
        pending.push(watcher.next());
      }
      const now = resident();
      report(`an idle watcher${named ? " of one object" : ""}, heap`, (now.heap - before.heap) / count, "B");
      report(`an idle watcher${named ? " of one object" : ""}, resident`, (now.rss - before.rss) / count, "B");
      for (const abort of aborts) abort.abort();
      await Promise.all(pending as Promise<unknown>[]);
    }
    stop();
  },

  async write() {
    const store = new MadeUp(10_000, 1024);
    const { cache, stop } = await running(store);
    const count = 50_000;
    const made = Array.from(
      { length: 10_000 },
      (_, i) => ({ key: store.key(i), value: store.value(i), object: store.object(i) }),
    );
    const run = (snapshots: boolean) => () => {
      for (let i = 0; i < count; i++) {
        const { key, value, object } = made[(i * 7919) % 10_000]!;
        const revision = ++store.newest;
        const note = { object, json: { form: json, make: () => value } };
        store.deliver!({ changes: [{ key, revision, value, note }], revision });
        if (snapshots) cache.snapshot();
      }
    };
    run(false)();
    report("applying a write", await cpu(count, run(false)), "µs");
    report("applying a write and taking a snapshot", await cpu(count, run(true)), "µs");
    stop();
  },
};

const chosen = process.argv.slice(2);
for (const [name, run] of Object.entries(sections)) {
  if (chosen.length === 0 || chosen.includes(name)) await run();
}
process.exit(0);
