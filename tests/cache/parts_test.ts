/** The small parts, each for itself. */
import assert from "node:assert/strict";
import { Progress } from "../../server/cache/progress.ts";
import { nextReadiness, type Readiness } from "../../server/cache/readiness.ts";
import { Routes } from "../../server/cache/routes.ts";
import { Wheel } from "../../server/cache/wheel.ts";

Deno.test("a key belongs to the longest prefix", () => {
  const routes = new Routes<string>();
  for (const prefix of ["/registry/pods/", "/registry/services/specs/", "/registry/g.io/things/"]) {
    routes.set(prefix, prefix);
  }
  assert.equal(routes.find("/registry/pods/a/b"), "/registry/pods/");
  assert.equal(routes.find("/registry/services/specs/a/b"), "/registry/services/specs/");
  assert.equal(routes.find("/registry/services/endpoints/a/b"), undefined);
  assert.equal(routes.find("/registry/pods"), undefined);
  routes.set("/registry/pods/x/", "inner");
  assert.equal(routes.find("/registry/pods/x/y"), "inner");
  routes.delete("/registry/pods/x/");
  assert.equal(routes.find("/registry/pods/x/y"), "/registry/pods/");
});

Deno.test("the wheel gives each its turn once, in order, unless cancelled", () => {
  const wheel = new Wheel();
  const turns: string[] = [];
  const thing = (name: string) => ({ slot: 0, turn: (now: number) => void turns.push(`${name}@${now}`) });
  const [a, b, c] = [thing("a"), thing("b"), thing("c")];
  wheel.schedule(a, 2500);
  wheel.schedule(b, 1000);
  wheel.schedule(c, 1500);
  wheel.cancel(c);
  wheel.run(900);
  assert.deepEqual(turns, []);
  wheel.run(3000);
  wheel.run(9000);
  assert.deepEqual(turns, ["b@3000", "a@3000"]);
});

Deno.test("what another one's turn cancels has none any more, though it was due with it", () => {
  const wheel = new Wheel();
  const turns: string[] = [];
  const first = { slot: 0, turn: () => (turns.push("first"), wheel.cancel(second)) };
  const second = { slot: 0, turn: () => (turns.push("second"), wheel.schedule(second, 5000)) };
  wheel.schedule(first, 1000);
  wheel.schedule(second, 1000);
  wheel.run(1000);
  wheel.run(5000);
  assert.deepEqual(turns, ["first"]);
});

Deno.test("waiting for a revision ends by reaching it, by time, or by the signal", async () => {
  const progress = new Progress();
  progress.advance(5);
  assert.equal(await progress.waitFor(5, 0), true);
  assert.equal(await progress.waitFor(6, 1), false);
  const stop = new AbortController();
  const stopped = progress.waitFor(7, 60_000, stop.signal);
  stop.abort();
  assert.equal(await stopped, false);
  const reached = progress.waitFor(7, 60_000);
  progress.advance(6);
  progress.advance(8);
  assert.equal(await reached, true);
  assert.equal(progress.revision, 8);
});

Deno.test("readiness: only what was loaded is ready, what is closed stays closed", () => {
  const error = new Error("x");
  let now: Readiness = { state: "starting" };
  now = nextReadiness(now, { type: "load" });
  assert.deepEqual(now, { state: "loading", attempt: 1 });
  now = nextReadiness(now, { type: "broke", error });
  assert.deepEqual(now, { state: "broken", error, attempt: 1 });
  now = nextReadiness(now, { type: "load" });
  assert.deepEqual(now, { state: "loading", attempt: 2 });
  now = nextReadiness(now, { type: "loaded", revision: 3 });
  assert.deepEqual(now, { state: "ready", revision: 3 });
  now = nextReadiness(now, { type: "close" });
  assert.deepEqual(nextReadiness(now, { type: "load" }), { state: "closed" });
});
