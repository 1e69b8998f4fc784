/** Bounds on requests (specification, "Limits"). */
import assert from "node:assert/strict";
import { inFlightFilter } from "../../server/filters/in_flight.ts";
import { isLongRunning } from "../../server/filters/long_running.ts";
import { requestInfo } from "../../server/filters/request_info.ts";
import { ShutdownGate } from "../../server/filters/shutdown.ts";
import { Deadlines } from "../../server/filters/timeout.ts";
import type { Filter, Handle } from "../../server/app_types.ts";
import type { RequestScope, User } from "../../server/request.ts";
import { ADMIN } from "../fixture/server.ts";
import { served, somebody } from "./_server.ts";

/** A request as filters see it. */
function scopeOf(method: string, path: string, user: User = somebody("jo")): RequestScope & { cancelled: boolean } {
  const url = new URL(`https://test${path}`);
  const abort = new AbortController();
  return {
    request: new Request(url, { method }),
    headers: new Headers(),
    url,
    query: url.searchParams,
    head: {},
    warned: false,
    info: requestInfo(method, url.pathname, url.searchParams),
    connection: { remoteAddress: "", peerCertificates: [], tls: false },
    auditId: "",
    user,
    signal: abort.signal,
    get cancelled() {
      return abort.signal.aborted;
    },
    cancel: () => abort.abort(),
    startedAt: 0,
    warnings: new Set(),
    auditAnnotations: new Map(),
  };
}

const PODS = "/api/v1/namespaces/default/pods";

/** Runs a filter; what it throws at once is a rejection too. */
const run = (filter: Filter, scope: RequestScope, next: Handle): Promise<Response> =>
  Promise.try(() => filter(scope, next));

/** An answer that comes when it is told to. */
function held() {
  const { promise, resolve } = Promise.withResolvers<Response>();
  return { next: () => promise, answer: () => resolve(new Response("ok")) };
}

const LONG: [string, string, boolean][] = [
  ["GET", PODS, false],
  ["GET", `${PODS}?watch=1`, true],
  ["GET", `${PODS}/p/log`, true],
  ["POST", `${PODS}/p/exec`, true],
  ["POST", `${PODS}/p/attach`, true],
  ["POST", `${PODS}/p/portforward`, true],
  ["GET", `${PODS}/p/proxy/x`, true],
  ["POST", `${PODS}/p/eviction`, false],
  ["GET", "/debug/pprof/profile", true],
  ["GET", "/healthz", false],
];

Deno.test("a method that objects have by themselves is no verb", () => {
  for (const method of ["constructor", "toString", "FOO"]) assert.equal(scopeOf(method, `${PODS}/p`).info.verb, "");
});

for (const [method, path, long] of LONG) {
  Deno.test(`${method} ${path} ${long ? "lasts" : "ends by itself"}`, () => {
    assert.equal(isLongRunning(scopeOf(method, path).info), long);
  });
}

Deno.test("--request-timeout: 504 and the request is cancelled", async () => {
  const scope = scopeOf("GET", PODS);
  const error = await run(new Deadlines(5, () => 0).filter, scope, held().next).then(() => undefined, (e) => e);
  assert.equal(error.code, 504);
  assert.equal(error.reason, "Timeout");
  assert.ok(scope.cancelled);
});

Deno.test("the usual time is looked after once for all", async () => {
  const deadlines = new Deadlines(60_000, () => 0);
  const [slow, fast] = [scopeOf("GET", PODS), scopeOf("GET", PODS)];
  const work = held();
  const answers = [run(deadlines.filter, slow, held().next), run(deadlines.filter, fast, work.next)];
  work.answer();
  assert.equal((await answers[1]!).status, 200);
  deadlines.tick(59_999);
  assert.ok(!slow.cancelled);
  deadlines.tick(60_000);
  assert.equal((await answers[0]!.catch((e) => e)).code, 504);
  assert.deepEqual([slow.cancelled, fast.cancelled], [true, false]);
});

Deno.test("whoever is answered first, the time of those before, after and later is looked after", async () => {
  for (const quick of [0, 1, 2]) {
    const deadlines = new Deadlines(60_000, () => 0), work = held();
    const ask = (next: Handle) =>
      run(deadlines.filter, scopeOf("GET", PODS), next).then((r) => r.status, (e) => e.code);
    const answers = [0, 1, 2].map((i) => ask(i === quick ? work.next : held().next));
    work.answer();
    assert.equal(await answers[quick], 200);
    answers.push(ask(held().next));
    deadlines.tick(60_000);
    assert.deepEqual(await Promise.all(answers), [0, 1, 2, 3].map((i) => i === quick ? 200 : 504));
  }
});

Deno.test("who was told that it takes too long may come to an end later: the time of others is looked after all the same", async () => {
  const deadlines = new Deadlines(60_000, () => now), work = held();
  let now = 0;
  const ask = (next: Handle) => run(deadlines.filter, scopeOf("GET", PODS), next).then((r) => r.status, (e) => e.code);
  const late = ask(work.next);
  now = 1;
  const others = [ask(held().next)];
  deadlines.tick(60_000);
  assert.equal(await late, 504);
  work.answer();
  await work.next();
  others.push(ask(held().next));
  deadlines.tick(60_001);
  assert.deepEqual(await Promise.all(others), [504, 504]);
});

Deno.test("a request that was answered within its own short time is not ended after it", async () => {
  const { filter } = new Deadlines(60_000, () => 0);
  const quick = scopeOf("GET", `${PODS}?timeout=5ms`), slow = scopeOf("GET", `${PODS}?timeout=5ms`);
  assert.equal((await run(filter, quick, () => new Response())).status, 200);
  await assert.rejects(run(filter, slow, held().next), { code: 504 });
  assert.deepEqual([quick.cancelled, quick.timedOut], [false, undefined]);
});

Deno.test("clocks that are set, on or back, change nothing of a request's time", async () => {
  const set = { ...scopeOf("GET", PODS), startedAt: 3_600_000 }, deadlines = new Deadlines(60_000, () => 0);
  const answers = [run(deadlines.filter, set, held().next), run(deadlines.filter, scopeOf("GET", PODS), held().next)];
  deadlines.tick(60_000);
  for (const answer of answers) assert.equal((await answer.catch((e) => e)).code, 504);
});

Deno.test("a request may ask for less time, not for more, and not for nonsense", async () => {
  const less = await run(new Deadlines(60_000, () => 0).filter, scopeOf("GET", `${PODS}?timeout=5ms`), held().next)
    .catch((e) => e);
  assert.equal(less.code, 504);
  const more = await run(new Deadlines(5, () => 0).filter, scopeOf("GET", `${PODS}?timeout=1h`), held().next).catch((
    e,
  ) => e);
  assert.equal(more.code, 504);
  const limitOf = async (limitMs: number, asked: string) => {
    const scope = scopeOf("GET", `${PODS}${asked}`), work = held();
    work.answer();
    await run(new Deadlines(limitMs, () => 0).filter, scope, work.next);
    return scope.limitMs;
  };
  const [none, hour] = [0, 3_600_000];
  assert.deepEqual(
    await Promise.all([
      limitOf(hour, "?timeout=0"),
      limitOf(none, "?timeout=1m"),
      limitOf(none, ""),
      limitOf(hour, ""),
      limitOf(hour, "?timeout="),
      limitOf(hour, "?timeout=-5s"),
    ]),
    [hour, 60_000, undefined, hour, hour, hour],
  );
  await served([], async (s) => assert.equal((await s.fetch(`${PODS}?timeout=soon`)).status, 400));
});

Deno.test("a watch has no such time", async () => {
  const work = held();
  const answer = run(new Deadlines(1, () => 0).filter, scopeOf("GET", `${PODS}?watch=1`), work.next);
  await new Promise((done) => setTimeout(done, 10));
  work.answer();
  assert.equal((await answer).status, 200);
});

Deno.test("reads and writes in flight have limits of their own; administrators pass, watches do not count", async () => {
  const filter = inFlightFilter({ reads: 1, writes: 1 });
  const [read, write, watch] = [held(), held(), held()];
  const busy = [
    run(filter, scopeOf("GET", PODS), read.next),
    run(filter, scopeOf("POST", PODS), write.next),
    run(filter, scopeOf("GET", `${PODS}?watch=1`), watch.next),
  ];
  for (const method of ["GET", "POST"]) {
    const refused = await run(filter, scopeOf(method, PODS), held().next).catch((e) => e);
    assert.equal(refused.code, 429);
    assert.ok(refused.details.retryAfterSeconds > 0);
    const passed = held();
    const admin = run(filter, scopeOf(method, PODS, ADMIN), passed.next);
    passed.answer();
    assert.equal((await admin).status, 200);
  }
  const full = (method: string, path: string) =>
    run(filter, scopeOf(method, path), () => new Response()).then(() => false, (e) => e.code === 429);
  read.answer();
  await busy[0];
  assert.deepEqual([await full("GET", "/version"), await full("POST", "/version")], [false, true]);
  write.answer();
  await busy[1];
  watch.answer();
  await busy[2];
  const free = held();
  free.answer();
  assert.equal((await run(filter, scopeOf("GET", PODS), free.next)).status, 200);
});

Deno.test("an administrator in a full house takes nobody's place", async () => {
  const filter = inFlightFilter({ reads: 1, writes: 1 }), [read, admin] = [held(), held()];
  const reading = run(filter, scopeOf("GET", PODS), read.next);
  const passing = run(filter, scopeOf("GET", PODS, ADMIN), admin.next);
  read.answer();
  await reading;
  assert.equal((await run(filter, scopeOf("GET", PODS), () => new Response())).status, 200);
  admin.answer();
  await passing;
});

Deno.test("0 is no limit", async () => {
  const filter = inFlightFilter({ reads: 0, writes: 0 });
  const works = Array.from({ length: 50 }, held);
  const all = works.map((w) => run(filter, scopeOf("POST", PODS), w.next));
  works.forEach((w) => w.answer());
  for (const answer of await Promise.all(all)) assert.equal(answer.status, 200);
});

Deno.test("at shutdown new requests are told to come again, health checks are answered, watches end", async () => {
  const gate = new ShutdownGate();
  const [short, watch] = [held(), held()];
  const running = run(gate.filter, scopeOf("GET", PODS), short.next);
  const watching = scopeOf("GET", `${PODS}?watch=1`);
  void run(gate.filter, watching, watch.next);
  gate.refuse();
  const refused = await run(gate.filter, scopeOf("GET", PODS), held().next).catch((e) => e);
  assert.equal(refused.code, 429);
  const health = held();
  health.answer();
  assert.equal((await run(gate.filter, scopeOf("GET", "/readyz"), health.next)).status, 200);
  const idle = gate.idle(60_000);
  assert.deepEqual(gate.active, { short: 1, long: 1 });
  short.answer();
  await running;
  await idle;
  gate.endLasting();
  assert.ok(watching.cancelled);
  watch.answer();
});

Deno.test("at shutdown paths that only look like health checks are refused, and connections are given up", async () => {
  const gate = new ShutdownGate();
  gate.refuse();
  const codeOf = async (scope: RequestScope) =>
    await run(gate.filter, scope, () => new Response()).then((r) => r.status, (e) => e.code);
  for (const path of ["/healthz", "/livez/ping", "/readyz/"]) {
    assert.equal(await codeOf(scopeOf("GET", path)), 200, path);
  }
  for (const path of ["/readyzz", "/api/healthz", `${PODS}/livez`]) {
    const scope = scopeOf("GET", path);
    assert.deepEqual([await codeOf(scope), scope.head["connection"]], [429, "close"], path);
  }
});

Deno.test("a gate is idle when all that is short has ended, well or not, or when it has waited enough", async () => {
  const gate = new ShutdownGate(), [one, two] = [held(), held()];
  const running = [one, two].map((w) => run(gate.filter, scopeOf("GET", PODS), w.next));
  await run(gate.filter, scopeOf("GET", PODS), () => Promise.reject(new Error("no"))).catch(() => {});
  assert.equal(gate.active.short, 2);
  await gate.idle(1);
  let idle = false;
  const ended = gate.idle(60_000).then(() => idle = true);
  one.answer();
  await running[0];
  await gate.idle(1);
  assert.equal(idle, false);
  two.answer();
  await running[1];
  await ended;
  await gate.idle(60_000);
});

Deno.test("a watch that is refused lasts no longer, whoever makes the answer of it", async () => {
  const gate = new ShutdownGate();
  const watch = () => scopeOf("GET", `${PODS}?watch=1`);
  await run(gate.filter, watch(), () => new Response("no", { status: 403 }));
  await run(gate.filter, watch(), () => Promise.reject(new Error("no"))).catch(() => {});
  assert.equal(gate.active.long, 0);
  const open = watch();
  await run(gate.filter, open, () => new Response("yes"));
  assert.equal(gate.active.long, 1);
  open.cancel?.();
  assert.equal(gate.active.long, 0, "its client has gone");
  const late = watch();
  late.cancel?.();
  await run(gate.filter, late, () => new Response("yes"));
  assert.equal(gate.active.long, 0, "its client had gone before");
});

Deno.test("a refused server answers 429 with Retry-After, and /readyz fails", () =>
  served([], async (s) => {
    s.server.drain();
    assert.equal((await s.fetch("/readyz")).status, 500);
    assert.equal((await s.fetch("/livez")).status, 200);
    assert.equal((await s.fetch(PODS)).status, 200);
    s.server.refuse();
    const answer = await s.fetch(PODS);
    assert.equal(answer.status, 429);
    assert.ok(Number(answer.headers.get("retry-after")) > 0);
  }));

Deno.test("an open watch ends when the server ends what lasts", () =>
  served([], async (s) => {
    const body = (await s.server.app.fetch(new Request(`https://test${PODS}?watch=1`))).body!;
    s.server.endLasting();
    const reader = body.getReader();
    while (!(await reader.read()).done);
  }));
