/** Every kind's whole life, in every encoding and served version, by default in one dialect and with all turned on in the other. */
import assert from "node:assert/strict";
import { startTestServer, type TestServer } from "../fixture/server.ts";
import { NAMESPACE, Story } from "./_story.ts";
import { SAMPLES } from "./objects.ts";

const ALL = ["--runtime-config=api/all=true", "--feature-gates=AllAlpha=true,AllBeta=true"];
/** Stored objects have a life; reviews, bindings and component statuses have none. */
const lives = (verbs: readonly string[]): boolean => verbs.includes("delete");

async function withServer(flags: readonly string[], work: (t: TestServer) => Promise<void>): Promise<void> {
  // The clock stands: what the server dates itself is the same however an object comes.
  const now = Date.now(), t = await startTestServer(flags, { now: () => now });
  try {
    assert.equal((await t.fetch("/api/v1/namespaces", { body: { metadata: { name: NAMESPACE } } })).status, 201);
    const account = { metadata: { name: "default" } };
    assert.equal((await t.fetch(`/api/v1/namespaces/${NAMESPACE}/serviceaccounts`, { body: account })).status, 201);
    await work(t);
  } finally {
    await t.stop();
  }
}

/** Each dialect once, each state once: what differs by both is nothing. */
const SERVERS: readonly (readonly [string, string, readonly string[]])[] = [
  ["kubernetes", "with all versions and gates", ALL],
  ["orch", "by default", []],
];

for (const [dialect, state, flags] of SERVERS) {
  Deno.test({
    name: `every kind lives, in dialect ${dialect}, ${state}`,
    fn: () =>
      withServer([`--api-dialect=${dialect}`, ...flags], async (t) => {
        const problems: string[] = [];
        const left = [...t.server.catalog.resources()].filter((r) => lives(r.served[0]!.verbs));
        const tell = async () => {
          for (let r = left.shift(); r; r = left.shift()) {
            const sample = SAMPLES[r.id];
            if (sample) problems.push(...await new Story(t, r.served[0]!, sample, flags.length > 0).tell());
            else problems.push(`${r.id}: no sample`);
          }
        };
        await Promise.all(Array.from({ length: 8 }, tell));
        assert.deepEqual(problems, []);
      }),
    sanitizeOps: false, // watches that were left end a moment later
    sanitizeResources: false,
  });
}
