/** Watches: an event to many watchers, and what an idle one takes. */
import { pause } from "../../server/pause.ts";
import type { Client } from "./client.ts";
import { configMap, configMaps, type Context, fill, type Group } from "./context.ts";
import { processorMs, resident } from "./process.ts";
import type { Result } from "./result.ts";
import type { Answer } from "./transport.ts";

/** Watches on one connection over HTTP/2. */
const STREAMS = 100;

/** Objects that the events are of: no two writes at once to the same. */
const OBJECTS = 50;

/** Open streams, each read to its end; counts lines, which is to say events. */
export class Watchers {
  readonly #open: Answer[] = [];
  readonly #reading: Promise<void>[] = [];
  #closing = false;
  #broken: unknown;
  lines = 0;
  bytes = 0;
  /** Of the last line, ms. */
  last = 0;

  /** Opens them 50 at a time. */
  async open(client: Client, path: string, count: number): Promise<void> {
    let left = count;
    const loop = async () => {
      while (left-- > 0) {
        const answer = await client.send({ path });
        this.#open.push(answer);
        this.#reading.push(this.#read(answer));
      }
    };
    await Promise.all(Array.from({ length: 50 }, loop));
  }

  /** Waits until so many lines have come. @throws Error when they have not within 20 s, or a watch was ended */
  async until(lines: number): Promise<void> {
    for (const end = performance.now() + 20_000; this.lines < lines;) {
      if (this.#broken) throw this.#broken;
      if (performance.now() > end) throw new Error(`${this.lines} of ${lines} events came`);
      await pause(5);
    }
  }

  async close(): Promise<void> {
    this.#closing = true;
    for (const answer of this.#open) answer.cancel();
    await Promise.all(this.#reading);
  }

  async #read(answer: Answer): Promise<void> {
    try {
      await answer.read((piece) => {
        this.bytes += piece.length;
        for (let i = piece.indexOf(10); i >= 0; i = piece.indexOf(10, i + 1)) this.lines++;
        this.last = performance.now();
      });
      if (!this.#closing) this.#broken = new Error("a watch was ended by the server");
    } catch (e) {
      if (!this.#closing) this.#broken = e;
    }
  }
}

/** What a stretch of events came to. */
export interface Delivery {
  readonly perSecond: number;
  /** The server's, for one event to one watcher, µs. */
  readonly cpu: number | undefined;
  readonly bytes: number;
  /** From the last write's answer to the last event's arrival, ms. */
  readonly behind: number;
}

/** Makes `rate` events a second for `ms`, and waits until all have come to all. */
export async function deliver(
  watchers: Watchers,
  o: { count: number; rate: number; ms: number; pids: readonly number[]; event: (i: number) => Promise<unknown> },
): Promise<Delivery> {
  const { lines, bytes } = watchers;
  const events = Math.round(o.rate * o.ms / 1000);
  const cpu = processorMs(o.pids);
  const start = performance.now();
  const writes: Promise<unknown>[] = [];
  for (let i = 0; i < events; i++) {
    const wait = start + i * 1000 / o.rate - performance.now();
    if (wait > 0) await pause(wait);
    // Past its turn: the events that are due go out together, but a write to an object waits for the one before it.
    if (i >= OBJECTS) await writes[i - OBJECTS];
    writes.push(o.event(i));
  }
  await Promise.all(writes);
  const written = performance.now();
  const due = events * o.count;
  await watchers.until(lines + due);
  const used = processorMs(o.pids) - cpu;
  return {
    perSecond: due / ((watchers.last - start) / 1000),
    cpu: o.pids.length > 0 ? used * 1000 / due : undefined,
    bytes: (watchers.bytes - bytes) / due,
    behind: watchers.last - written,
  };
}

/** Fan-out. */
export const WATCHES: Group = {
  name: "watch",
  async *run(context) {
    for (const [http, count] of [[1, 100], [2, 100], [2, 1_000]] as const) yield* fanOut(context, http, count);
  },
};

/** Objects to write to in turns, and a path that watches them from now on. */
export async function watched(
  context: Context,
  name: string,
): Promise<{ path: string; event: (i: number) => Promise<unknown> }> {
  const ns = await context.namespace(name);
  const writer = context.client({ http: 2, connections: 2 });
  await fill(writer, OBJECTS, (i) => ({ path: configMaps(ns), body: configMap(`object-${i}`) }));
  const { metadata } = await writer.json<{ metadata: { resourceVersion: string } }>({ path: configMaps(ns) });
  let turn = 0;
  const event = (i: number) => {
    const name = `object-${i % OBJECTS}`;
    return writer.bytes({ method: "PUT", path: `${configMaps(ns)}/${name}`, body: configMap(name, { turn: ++turn }) });
  };
  return { path: `${configMaps(ns)}?watch=1&resourceVersion=${metadata.resourceVersion}`, event };
}

async function* fanOut(context: Context, http: 1 | 2, count: number): AsyncGenerator<Result> {
  const { path, event } = await watched(context, `bench-watch-${http}-${count}`);
  const client = context.client({ http, connections: Math.ceil(count / STREAMS) });
  const watchers = new Watchers();
  await watchers.open(client, path, count);
  await deliver(watchers, { count, rate: 20, ms: 500, pids: context.server.pids, event });
  for (const rate of [20, 200]) {
    const ms = context.quick ? 500 : 3_000;
    const d = await deliver(watchers, { count, rate, ms, pids: context.server.pids, event });
    yield {
      name: `fan-out, ${count.toLocaleString("en")} watchers, ${rate} events/s, ${http === 2 ? "h2" : "http/1.1"}`,
      perSecond: d.perSecond,
      ...(d.cpu === undefined ? {} : { cpu: d.cpu }),
      note: `${Math.round(d.bytes)} B an event, last one ${Math.round(d.behind)} ms after its write`,
    };
  }
  await watchers.close();
  client.close();
}

/** Memory of watches that nothing happens to. */
export const IDLE: Group = {
  name: "idle",
  async *run(context) {
    const { pids } = context.server;
    if (pids.length === 0) return;
    const count = context.quick ? 200 : 2_000;
    for (const http of [2, 1] as const) {
      const { path } = await watched(context, `bench-idle-${http}`);
      const client = context.client({ http, connections: Math.ceil(count / STREAMS) });
      const watchers = new Watchers();
      // What is made once for all: code, pools, connections.
      await watchers.open(client, path, 100);
      await pause(2_000);
      const before = resident(pids);
      await watchers.open(client, path, count);
      await pause(2_000);
      const each = (resident(pids) - before) / count / 1024;
      yield {
        name: `an idle watch, ${http === 2 ? "h2" : "http/1.1"}`,
        value: each,
        unit: "KB",
        note: `resident memory of ${count.toLocaleString("en")} more`,
      };
      await watchers.close();
      client.close();
    }
  },
};
