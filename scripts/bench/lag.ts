/** How long after a write was answered by one server a watch through another one shows it: two processes on one file of Deno KV. */
import { pause } from "../../server/pause.ts";
import { Client } from "./client.ts";
import { configMap, configMaps, type Context, type Group } from "./context.ts";
import { OwnServer } from "./own.ts";
import type { Result } from "./result.ts";
import type { Answer } from "./transport.ts";

const NS = "default";

/** Writes at two rates, each server once the writer. */
export const LAG: Group = {
  name: "lag",
  own: true,
  async *run(context) {
    const { dir, server: first } = context.own!;
    const other = await Deno.makeTempDir({ prefix: "orch-bench-" });
    const second = await OwnServer.start(other, { flags: [`--storage-path=${dir}/store.kv`] });
    try {
      for (const perSecond of [20, 500]) {
        yield await lag(context, first, second, perSecond, "first to second");
        yield await lag(context, second, first, perSecond, "second to first");
      }
    } finally {
      await second.stop();
      await Deno.remove(other, { recursive: true });
    }
  },
};

let made = 0;

async function lag(
  context: Context,
  from: OwnServer,
  to: OwnServer,
  perSecond: number,
  which: string,
): Promise<Result> {
  const writer = new Client(from, { http: 2, connections: 2 });
  const reader = new Client(to, { http: 2, connections: 1 });
  const run = `lag-${++made}`;
  const answered = new Map<string, number>();
  const times: number[] = [];
  const shown = new Map<string, number>();
  const add = (name: string) => {
    const [a, b] = [answered.get(name), shown.get(name)];
    if (a !== undefined && b !== undefined) times.push(Math.max(0, b - a));
  };
  const watch = await reader.send({ path: `${configMaps(NS)}?watch=1` });
  const watching = named(watch, (name) => {
    if (!name.startsWith(`${run}-`) || shown.has(name)) return;
    shown.set(name, performance.now());
    add(name);
  });
  const count = Math.ceil(perSecond * context.ms * 2 / 1000);
  const begun = performance.now();
  const writes: Promise<void>[] = [];
  for (let i = 0; i < count; i++) {
    await pause(Math.max(0, begun + i * 1000 / perSecond - performance.now()));
    const name = `${run}-${i}`;
    writes.push(
      writer.bytes({ method: "POST", path: configMaps(NS), body: configMap(name), expect: 201 }).then(() => {
        answered.set(name, performance.now());
        add(name);
      }),
    );
  }
  await Promise.all(writes);
  for (let i = 0; times.length < count && i < 200; i++) await pause(50);
  watch.cancel();
  await watching.catch(() => {});
  writer.close();
  reader.close();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? NaN;
  return {
    name: `lag of changes, ${which}, ${perSecond}/s`,
    p50: at(0.5),
    p99: at(0.99),
    value: at(0.99),
    unit: "ms",
    note: `${times.length} of ${count} changes shown, the slowest after ${at(1).toFixed(0)} ms`,
  };
}

/** Names of the objects of a watch's events, as they come. */
async function named(watch: Answer, each: (name: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  await watch.read((piece) => {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      const name = /"metadata":\{"name":"([^"]+)"/.exec(line)?.[1];
      if (name) each(name);
    }
  });
}
