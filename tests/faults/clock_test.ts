/** Clocks that are set while a server works: what lasts so and so long goes by another one. */
import assert from "node:assert/strict";
import { until } from "../controllers/_world.ts";
import { startTestServer, type TestServer } from "../fixture/server.ts";
import { soon } from "../listen/_fixture.ts";

const HOUR = 60 * 60_000;
const MAPS = "/api/v1/namespaces/default/configmaps";

/** Runs a test on a server whose clock `set` sets so many ms on, or back. */
async function withClock(
  flags: readonly string[],
  run: (s: TestServer, set: (ms: number) => void) => Promise<void>,
): Promise<void> {
  let shift = 0;
  const s = await startTestServer(flags, { now: () => Date.now() + shift, elapsed: () => performance.now() });
  try {
    await run(s, (ms) => shift += ms);
  } finally {
    await s.stop();
  }
}

const made = async (s: TestServer, name: string): Promise<string> =>
  (await s.fetch(MAPS, { body: { metadata: { name } } })).body.metadata.resourceVersion;

Deno.test("a clock that is set on takes no history from who resumes a watch", () =>
  withClock([], async (s, set) => {
    const since = await made(s, "a");
    await made(s, "b");
    set(HOUR);
    s.server.cacher.tick();
    const text = await (await s.open(`${MAPS}?watch=1&resourceVersion=${since}&timeoutSeconds=1`)).text();
    assert.deepEqual(text.trim().split("\n").map((line) => JSON.parse(line).type), ["ADDED"]);
  }));

Deno.test("a clock that is set back holds no watch that has a pace", () =>
  withClock(["--max-connection-bytes-per-sec=1000000"], async (s, set) => {
    const watch = await s.open(`${MAPS}?watch=1&resourceVersion=${await made(s, "a")}`);
    const reader = watch.body!.getReader();
    for (const name of ["b", "c"]) {
      await made(s, name);
      await soon(reader.read(), `the event of ${name}`);
      set(-HOUR);
    }
    await reader.cancel();
  }));

Deno.test("a clock that is set back keeps nothing of a quota that is given back", () =>
  withClock(["--controllers=resourcequota"], async (s, set) => {
    const quota = "/api/v1/namespaces/default/resourcequotas/q", count = "count/configmaps";
    const used = async (): Promise<string> => (await s.fetch(quota)).body.status?.used?.[count];
    await s.fetch("/api/v1/namespaces/default/resourcequotas", {
      body: { metadata: { name: "q" }, spec: { hard: { [count]: "5" } } },
    });
    await until("it is counted", async () => await used() === "0");
    await made(s, "a");
    assert.equal(await used(), "1");
    set(-HOUR);
    await s.fetch(`${MAPS}/a`, { method: "DELETE" });
    await until("it is given back", async () => await used() === "0");
  }));
