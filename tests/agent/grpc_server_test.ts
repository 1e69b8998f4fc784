/** The agent's own gRPC services, with calls of many answers. */
import assert from "node:assert/strict";
import { serveGrpc, type StreamMethod } from "../../agent/grpc_server.ts";
import { Channel } from "../../agent/runtime/channel.ts";
import type { RuntimeError } from "../../agent/runtime/types.ts";
import { callOf } from "../../schema/grpc/call.ts";
import { GrpcError } from "../../schema/grpc/status.ts";
import type { Table } from "../../schema/grpc/wire.ts";

const ASKED: Table = [[1, "word", "string"]], TOLD: Table = [[1, "text", "string"]];
const call = callOf<{ word: string }, { text: string }>("/test/Many", ASKED, TOLD, "zero");
const one = callOf<{ word: string }, { text: string }>("/test/One", ASKED, TOLD, "zero");
const LONG = "x".repeat(10_000), MANY = 1_000;

Deno.test("an agent's service of many answers: in order, with its end, and no more than who asks takes", async () => {
  const directory = await Deno.makeTempDir(), path = `${directory}/s.sock`;
  const sent = new Map<string, number>(), gone = Promise.withResolvers<void>();
  const many: StreamMethod = {
    ...{ path: "/test/Many", request: ASKED, response: TOLD },
    stream: async ({ word }: { word: string }, send, signal) => {
      if (word === "early") throw new GrpcError("NotFound", "before any");
      signal.addEventListener("abort", () => word === "left" && gone.resolve());
      for (let i = 0; i < (word === "all" || word === "slow" ? MANY : word === "left" ? Infinity : 2); i++) {
        await send({ text: `${i} ${word === "late" ? "" : LONG}` });
        sent.set(word, i + 1);
      }
      if (word === "late") throw new Error("after two");
    },
  };
  const echo = {
    path: "/test/One",
    request: ASKED,
    response: TOLD,
    answer: (q: { word: string }) => ({ text: q.word }),
  };
  const server = serveGrpc(path, [many, echo]), channel = new Channel(path);
  const fails = async (word: string): Promise<[number, string]> => {
    let count = 0;
    try {
      for await (const _ of channel.stream(call, { word }, {})) count++;
    } catch (e) {
      return [count, `${(e as RuntimeError).code}: ${(e as Error).message}`];
    }
    return [count, ""];
  };
  try {
    let next = 0;
    for await (const { text } of channel.stream(call, { word: "all" }, {})) assert.ok(text.startsWith(`${next++} `));
    assert.equal(next, MANY);
    assert.deepEqual(await fails("early"), [0, "NotFound: before any"]);
    assert.deepEqual(await fails("late"), [2, "Unknown: after two"]);

    // One that takes its time: what it has not asked for waits with the service.
    const slow = channel.stream(call, { word: "slow" }, {});
    await slow.next();
    for (let i = 0; i < 50; i++) assert.equal((await channel.call(one, { word: "w" }, { timeout: 60_000 })).text, "w");
    assert.ok(sent.get("slow")! < 100, `${sent.get("slow")} were sent`);
    for (next = 1; !(await slow.next()).done;) next++;
    assert.equal(next, MANY);

    const left = channel.stream(call, { word: "left" }, {});
    await left.next();
    await left.return();
    await gone.promise;
  } finally {
    channel.close();
    server.close();
    await Deno.remove(directory, { recursive: true });
  }
});

Deno.test("an agent's service that cannot listen says where", () => {
  assert.throws(() => serveGrpc("/none/s.sock", []), {
    message: 'cannot listen at "/none/s.sock": No such file or directory',
  });
});

Deno.test("an agent's service that ends leaves the socket that another has put in the place of its own", async () => {
  const directory = await Deno.makeTempDir(), path = `${directory}/s.sock`;
  const echo = { path: "/test/One", request: ASKED, response: TOLD, answer: () => ({ text: "the next" }) };
  const first = serveGrpc(path, []), next = serveGrpc(path, [echo]);
  first.close();
  const channel = new Channel(path);
  try {
    assert.equal((await channel.call(one, { word: "w" }, { timeout: 60_000 })).text, "the next");
  } finally {
    channel.close();
    next.close();
    assert.deepEqual(await Array.fromAsync(Deno.readDir(directory)), []);
    await Deno.remove(directory, { recursive: true });
  }
});
