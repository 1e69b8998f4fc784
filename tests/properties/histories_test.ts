/** Several clients in parallel against one set of objects: what they are told is one history (scripts/soak/judge.ts judges). */
import assert from "node:assert/strict";
import { type Item, Judge } from "../../scripts/soak/judge.ts";
import { load, type Way } from "../../scripts/soak/load.ts";
import type { TestServer } from "../fixture/server.ts";
import { forSeeds, namespaceOf, STORES, withServer } from "./_runs.ts";

const SEEDS = 3, REQUESTS = 300;

for (const store of STORES) {
  Deno.test(`properties: parallel clients see one history, on ${store}`, async () => {
    await withServer(store, async (server) => {
      await forSeeds(SEEDS, async (random, seed) => {
        const judge = new Judge(), namespace = await namespaceOf(server, `history-${seed}`);
        let left = REQUESTS;
        const counts = await load({
          way: wayTo(server),
          judge,
          namespace,
          random: random.next,
          clients: 2 + random.below(8),
          own: 1 + random.below(8),
          shared: 1 + random.below(3),
          next: async () => {
            // Now and then clients lose step with each other.
            if (random.below(4) === 0) await new Promise((done) => setTimeout(done, random.below(3)));
            return left-- > 0 && judge.faults.length === 0;
          },
          watchSeconds: 1,
          bytes: 8,
        });
        assert.deepEqual(judge.faults, []);
        assert.equal(counts.errors, 0);
        assert.ok(judge.counts.lists > 0 && judge.counts.events > REQUESTS / 4);
      });
    });
  });
}

Deno.test("properties: the judge of histories finds what is lost, phantom, doubled, stale and out of order", () => {
  const item = (rv: number, prev: string, n = String(rv)): Item => ({
    metadata: { name: "x", resourceVersion: String(rv) },
    data: { n, prev },
  });
  const added = { type: "ADDED", object: item(5, "") };
  const stories: Record<string, [RegExp, (judge: Judge) => void]> = {
    lost: [/^lost: x at 5/, (j) => j.put(item(5, ""))],
    phantom: [/^phantom: x at 5/, (j) => j.event(added)],
    doubled: [
      /goes back/,
      (j) => (j.put(item(5, "")), j.event(added), j.event({ type: "MODIFIED", object: item(5, "") })),
    ],
    another: [/^shown/, (j) => (j.put(item(5, "")), j.event({ type: "ADDED", object: item(5, "", "6") }))],
    overwritten: [/written over 4, but follows 5/, (j) => {
      for (const i of [item(5, ""), item(6, "4")]) j.put(i);
      for (const [type, object] of [["ADDED", item(5, "")], ["MODIFIED", item(6, "4")]] as const) {
        j.event({ type, object });
      }
    }],
    "type of an event": [
      /MODIFIED of x/,
      (j) => (j.put(item(5, "")), j.event({ type: "MODIFIED", object: item(5, "") })),
    ],
    "list short of one": [/misses/, (j) => (j.put(item(5, "")), j.event(added), j.list(5n, []))],
    "list of an old one": [/list at 6 has/, (j) => {
      for (const i of [item(5, ""), item(6, "5")]) j.put(i);
      for (const [type, object] of [["ADDED", item(5, "")], ["MODIFIED", item(6, "5")]] as const) {
        j.event({ type, object });
      }
      j.list(6n, [item(5, "")]);
    }],
    "selected short of one": [/lost: watch w/, (j) => (j.select("w", () => true), j.put(item(5, "")), j.event(added))],
    "deletion lost": [/lost: 1 deletions/, (j) => (j.put(item(5, "")), j.event(added), j.deleted("x"))],
  };
  for (const [name, [fault, tell]] of Object.entries(stories)) {
    const judge = new Judge();
    tell(judge);
    judge.end();
    assert.ok(judge.faults.some((f) => fault.test(f)), `${name}: ${judge.faults.join("; ") || "nothing"}`);
  }
});

/** Requests to a server in this process. */
function wayTo(server: TestServer): Way {
  return {
    send: (method, path, body, type = "application/json") =>
      server.fetch(path, body === undefined ? { method } : { method, body, headers: { "content-type": type } }),
    // In this process nobody hangs up: the watch is ended by reading no further.
    open: async (path, signal) => {
      const response = await server.open(path);
      const ended = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
      response.body!.pipeTo(ended.writable, { signal }).catch(() => {});
      return new Response(ended.readable, { status: response.status });
    },
  };
}
