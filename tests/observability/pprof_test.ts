/** Profiles of time: what they tell, and how the server gives them. */
import assert from "node:assert/strict";
import { cpuProfile } from "../../host/cpu_profile.ts";
import { decode } from "../../schema/grpc/wire.ts";
import { PPROF, pprofOf } from "../../schema/pprof.ts";
import { withServer } from "../spec/_spec.ts";

interface Told {
  readonly kinds: readonly { readonly type: number; readonly unit: number }[];
  readonly samples: readonly { readonly stack: readonly number[]; readonly values: readonly number[] }[];
  readonly functions: readonly { readonly id: number; readonly name: number; readonly line: number }[];
  readonly texts: readonly string[];
  readonly startedAt: bigint;
  readonly lasted: bigint;
}

const told = (bytes: Uint8Array): Told => decode(PPROF, bytes);

Deno.test("a profile tells stacks with looks and time at work, and nothing of idle times", () => {
  const frame = (functionName: string, lineNumber = 0) => ({ functionName, url: "file:///a.ts", lineNumber });
  const profile = {
    nodes: [
      { id: 1, callFrame: frame("(root)", -1), children: [2, 4] },
      { id: 2, callFrame: frame("outer"), children: [3] },
      { id: 3, callFrame: frame("", 6) },
      { id: 4, callFrame: frame("(idle)", -1) },
    ],
    samples: [3, 4, 3, 2],
    timeDeltas: [10, 1000, 20, -5],
    startTime: 500,
    endTime: 1525,
  };
  const { samples, kinds, functions, texts, startedAt, lasted } = told(pprofOf(profile, 7));
  assert.deepEqual(samples, [{ stack: [3, 2], values: [2, 30_000] }, { stack: [2], values: [1, 0] }]);
  assert.deepEqual(kinds.map(({ type, unit }) => [texts[type], texts[unit]]), [
    ["samples", "count"],
    ["cpu", "nanoseconds"],
  ]);
  assert.deepEqual(functions.map(({ name, line }) => [texts[name], line]), [
    ["(root)", 0],
    ["outer", 1],
    ["(anonymous)", 7],
    ["(idle)", 0],
  ]);
  assert.deepEqual([texts[0], startedAt, lasted], ["", 7_000_000n, 1_025_000n]);
});

Deno.test("profiles of time are made one at once, for the seconds asked, and not longer than the client stays", async () => {
  const asked: number[] = [];
  const timeProfile = (ms: number, signal: AbortSignal) => {
    asked.push(ms);
    return cpuProfile(ms > 1000 ? ms : 5, signal);
  };
  await withServer([], async (t) => {
    const path = "/debug/pprof/profile";
    const answer = await t.open(`${path}?seconds=1`);
    assert.deepEqual([answer.status, answer.headers.get("content-type")], [200, "application/octet-stream"]);
    const bytes = new Response(answer.body!.pipeThrough(new DecompressionStream("gzip")));
    assert.ok(told(new Uint8Array(await bytes.arrayBuffer())).texts.includes("nanoseconds"));
    assert.equal((await t.fetch(`${path}?seconds=601`)).status, 400);
    const client = new AbortController();
    const left = t.server.app.fetch(new Request(`https://test${path}`, { signal: client.signal }));
    while (asked.length < 2) await new Promise((done) => setTimeout(done, 1));
    assert.equal((await t.fetch(`${path}?seconds=1`)).status, 500);
    client.abort();
    await (await left).body?.cancel();
    while ((await t.fetch(`${path}?seconds=1`)).status !== 200) await new Promise((done) => setTimeout(done, 1));
    assert.deepEqual([asked[0], asked[1]], [1000, 30_000]);
    assert.match((await t.fetch("/debug/pprof/")).text, /^profile: /m);
  }, { timeProfile });
});
