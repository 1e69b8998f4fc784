import assert from "node:assert/strict";
import { encodeObject } from "../../schema/codec/mod.ts";
import { schemeOf } from "../../schema/scheme.ts";
import { productOf } from "../../schema/product.ts";
import { parseOptions } from "../../server/options/mod.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import type { Backend } from "../../server/storage/backend.ts";
import { StorageError } from "../../server/storage/backend.ts";
import { held, unready } from "./_held.ts";
import {
  compact,
  createMaps,
  map,
  maps,
  namesOf,
  namespace,
  ok,
  openWatch,
  refused,
  sharedServer,
  somebody,
  spec,
  told,
  withServer,
} from "./_spec.ts";

const server = sharedServer();
const AHEAD = "99999999999999999999";

/** A memory store that can be told to be away. */
function frail(): { backend: Backend; away: (value: boolean) => void } {
  const inner = memoryBackend();
  let away = false;
  const backend = new Proxy(inner, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      if (name === "health" && away) return () => Promise.reject(new StorageError("unavailable", "away"));
      return value.bind(target);
    },
  });
  return { backend, away: (value) => away = value };
}

spec("Errors", {
  "400 Bad Request": async () => {
    const t = await server();
    const ns = await namespace(t);
    const strict = await refused(t, 400, `${maps(ns)}?fieldValidation=Strict`, { body: { ...map("a"), x: 1, y: 2 } });
    assert.ok(strict.body.message.includes('"x"') && strict.body.message.includes('"y"'));
    for (const level of ["Ignore", "Warn", "Strict"]) {
      const body = { ...map("a"), data: { k: 1 }, x: 1 };
      const wrong = await refused(t, 400, `${maps(ns)}?fieldValidation=${level}`, { body });
      assert.ok(!wrong.body.message.includes('"x"'), wrong.body.message);
    }
    await createMaps(t, ns, "a", "b");
    const { continue: token, resourceVersion } = (await ok(t, `${maps(ns)}?limit=1`)).body.metadata;
    await refused(
      t,
      400,
      `${maps(ns)}?limit=1&continue=${encodeURIComponent(token)}&resourceVersion=${resourceVersion}`,
    );
    // A required field left out is refused, too (as invalid, as public servers have it).
    await refused(t, 422, maps(ns), { body: { kind: "ConfigMap", apiVersion: "v1", metadata: {} } });
    await refused(t, 400, maps(ns), { method: "POST", headers: { "content-type": "application/json" }, body: "{" });
  },
  "406 Not Acceptable": async () => {
    const t = await server();
    for (
      const accept of [
        "text/csv",
        "application/json;as=Table;g=no;v=v1",
        "application/json;as=Nothing;g=meta.k8s.io;v=v1",
      ]
    ) {
      const a = await refused(t, 406, "/api/v1/namespaces", { headers: { accept } });
      assert.equal(a.body.reason, "NotAcceptable");
    }
    const table = { headers: { accept: "application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1" } };
    assert.equal((await t.fetch("/api/v1/namespaces", table)).status, 406); // there are no Tables in Protobuf
  },
  "409 Conflict": async () => {
    const t = await server();
    const ns = await namespace(t);
    const [first] = await createMaps(t, ns, "a");
    const put = (k: string) => ({ method: "PUT", body: map("a", { k }, { resourceVersion: first }) });
    await ok(t, maps(ns, "a"), put("v"));
    const { body } = await refused(t, 409, maps(ns, "a"), put("w"));
    assert.deepEqual([body.reason, body.details.name, body.details.kind], ["Conflict", "a", "configmaps"]);
  },
  "410 Gone": async () => {
    let now = Date.now();
    await withServer([], async (t) => {
      const path = maps("default");
      const [old] = await createMaps(t, "default", "a", "b");
      const token = encodeURIComponent((await ok(t, `${path}?limit=1`)).body.metadata.continue);
      now += 6 * 60_000;
      await createMaps(t, "default", "c");
      await compact(t);
      for (const query of [`resourceVersion=${old}&resourceVersionMatch=Exact`, `limit=1&continue=${token}`]) {
        assert.equal((await refused(t, 410, `${path}?${query}`)).body.reason, "Expired");
      }
      const w = await openWatch(t, `${path}?watch=1&resourceVersion=${old}`);
      const event = await w.next();
      assert.deepEqual([event!.type, event!.object.code], ["ERROR", 410]);
    }, { now: () => now });
  },
  "429 Too Many Requests": async () => {
    await unready(async (t) => {
      for (const query of ["?watch=1", "", "?limit=1&labelSelector=a%3Db"]) {
        const { headers } = await refused(t, 429, maps("default") + query);
        assert.match(headers.get("retry-after")!, /^[1-9]\d*$/);
      }
    });
    await withServer(["--shutdown-send-retry-after=true"], async (t) => {
      t.server.drain();
      await ok(t, maps("default"));
      t.server.refuse();
      for (const init of [{}, { body: map("a") }]) {
        const { headers } = await refused(t, 429, maps("default"), init);
        assert.match(headers.get("retry-after")!, /^[1-9]\d*$/);
        assert.equal(headers.get("connection"), "close");
      }
    });
  },
  "504 Gateway Timeout": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a");
    for (const path of [`${maps(ns, "a")}?`, `${maps(ns)}?`, `${maps(ns)}?limit=1&`]) {
      const { body } = await refused(t, 504, `${path}resourceVersion=${AHEAD}`);
      assert.ok(body.message.startsWith("Too large resource version"), body.message);
      assert.equal(body.details.causes[0].message, "Too large resource version");
    }
  },
  "500 (or another failure code)": async () => {
    const { backend, away } = frail();
    await withServer([], async (t) => {
      assert.equal((await t.fetch("/livez")).status, 200);
      away(true);
      const answer = await t.fetch("/readyz");
      assert.equal(answer.status, 500);
      assert.ok(answer.text.includes("[-]etcd failed: reason withheld\n"), answer.text);
      assert.equal((await t.fetch("/livez")).status, 500);
      away(false);
      assert.equal((await t.fetch("/readyz")).status, 200);
    }, { backend });
    await backend.close();
  },
  "rule 1": async () => {
    const t = await server();
    const ns = await namespace(t);
    const answer = await refused(t, 504, `${maps(ns)}?resourceVersion=${AHEAD}`);
    assert.match(answer.headers.get("retry-after")!, /^[1-9]\d*$/);
    assert.equal(String(answer.body.details.retryAfterSeconds), answer.headers.get("retry-after"));
  },
  "rule 2": () =>
    unready(async (t, release) => {
      const early = await refused(t, 429, maps("default"));
      assert.match(early.headers.get("retry-after")!, /^[1-9]\d*$/);
      release();
      await t.server.cacher.whenReady();
      await ok(t, maps("default")); // the same request, tried again
    }),
  "rule 3": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a");
    const body = { ignoreStoreReadErrorWithClusterBreakingPotential: true };
    await refused(t, 422, maps(ns, "a"), { method: "DELETE", body });
    await ok(t, maps(ns, "a"));
  },
  "rule 5": async () => {
    const t = await server();
    const ns = await namespace(t);
    const a = await ok(t, `${maps(ns)}?fieldValidation=Warn`, { body: { ...map("a"), odd: 1 } });
    assert.equal(a.status, 201);
    assert.equal(a.headers.get("warning"), '299 - "unknown field \\"odd\\""');
  },
  "rule 6": async () => {
    const t = await server();
    const ns = await namespace(t);
    // The prefix that clients check is on every body; one that has another is refused by the server, too.
    const kind = schemeOf(productOf("kubernetes")).kind("v1", "ConfigMap")!;
    const bytes = encodeObject(map("a") as unknown as Parameters<typeof encodeObject>[0], kind, "protobuf");
    const post = (body: Uint8Array) => ({
      method: "POST",
      headers: { "content-type": "application/vnd.kubernetes.protobuf" },
      body,
    });
    const other = bytes.slice();
    other[3] = 1;
    await refused(t, 400, maps(ns), post(other));
    await ok(t, maps(ns), post(bytes));
  },
});

/** An option's value without and with it on the command line. */
// deno-lint-ignore no-explicit-any -- any option
function option(name: string, flags: readonly string[] = []): any {
  const parsed = parseOptions(flags);
  assert.equal(parsed.kind, "run", parsed.kind === "errors" ? parsed.errors.join() : "");
  return (parsed as unknown as { options: Record<string, unknown> }).options[name];
}

const wrong = (flag: string) => assert.equal(parseOptions([flag]).kind, "errors", flag);

spec("Limits", {
  "continue token lifetime": async () => {
    let now = Date.now();
    await withServer([], async (t) => {
      await createMaps(t, "default", "a", "b");
      const token = (await ok(t, `${maps("default")}?limit=1`)).body.metadata.continue;
      const next = `${maps("default")}?limit=1&continue=${encodeURIComponent(token)}`;
      now += 299_000;
      await ok(t, next);
      now += 2_000;
      await refused(t, 410, next);
    }, { now: () => now });
  },
  "watch history retained": async () => {
    let now = Date.now();
    await withServer([], async (t) => {
      const [at] = await createMaps(t, "default", "a", "b");
      now += 290_000;
      await createMaps(t, "default", "c");
      const within = await openWatch(t, `${maps("default")}?watch=1&resourceVersion=${at}`);
      assert.deepEqual(told(await within.take(2)), ["ADDED b", "ADDED c"]);
      await within.stop();
      now += 20_000;
      await createMaps(t, "default", "d");
      const after = await openWatch(t, `${maps("default")}?watch=1&resourceVersion=${at}`);
      assert.equal((await after.next())!.object.code, 410);
    }, { now: () => now });
  },
  "exact-version snapshot keep": async () => {
    let now = Date.now();
    await withServer([], async (t) => {
      const [at] = await createMaps(t, "default", "a", "b");
      const exact = `${maps("default")}?resourceVersionMatch=Exact&resourceVersion=${at}`;
      now += 76_000; // older than that, but the cache is not full
      await createMaps(t, "default", "c");
      assert.deepEqual(namesOf((await ok(t, exact)).body), ["a"]);
    }, { now: () => now });
  },
  "--request-timeout": async () => {
    assert.equal(option("requestTimeout"), 60_000);
    await withServer(["--request-timeout=50ms"], async (t) => {
      const late = await refused(t, 504, `${maps("default")}?resourceVersion=999999`); // it waits for that version
      assert.equal(late.body.reason, "Timeout");
      await ok(t, maps("default"));
    });
  },
  "--max-requests-inflight": async () => {
    assert.equal(option("maxRequestsInflight"), 400);
    const flags = ["--enable-priority-and-fairness=false", "--max-requests-inflight=1", "--request-timeout=80ms"];
    await withServer([...flags, "--authorization-mode=AlwaysAllow"], async (t) => {
      const user = somebody("reader");
      const first = t.fetch(`${maps("default")}?resourceVersion=999999`, {}, user);
      const { headers } = await refused(t, 429, maps("default"), {}, user);
      assert.ok(headers.get("retry-after"));
      await ok(t, maps("default"), { body: map("a") }, user); // writes are counted on their own
      await first;
      await ok(t, maps("default"), {}, user);
    });
  },
  "--max-mutating-requests-inflight": async () => {
    assert.equal(option("maxMutatingRequestsInflight"), 200);
    const inner = memoryBackend();
    let slow = false;
    const { backend, release } = held(inner, (method) => slow && method === "commit");
    const flags = (limit: number) => [
      "--enable-priority-and-fairness=false",
      `--max-mutating-requests-inflight=${limit}`,
      "--authorization-mode=AlwaysAllow",
    ];
    const user = somebody("writer");
    await withServer(flags(1), async (t) => {
      slow = true;
      const first = t.fetch(maps("default"), { body: map("a") }, user);
      await refused(t, 429, maps("default"), { body: map("b") }, user);
      await ok(t, maps("default"), {}, user);
      release();
      assert.equal((await first).status, 201);
      await ok(t, maps("default"), { body: map("b") }, user);
    }, { backend });
    await inner.close();
    await withServer(flags(0), async (t) => { // 0 is no limit
      const names = Array.from({ length: 30 }, (_, i) => `m-${i}`);
      await Promise.all(names.map((name) => ok(t, maps("default"), { body: map(name) }, user)));
    });
  },
  "--enable-priority-and-fairness": async () => {
    assert.equal(option("enablePriorityAndFairness"), true);
    const schema = "x-kubernetes-pf-flowschema-uid", level = "x-kubernetes-pf-prioritylevel-uid";
    const found = "/apis/flowcontrol.apiserver.k8s.io/v1";
    await withServer(["--authorization-mode=AlwaysAllow"], async (t) => {
      const uid = async (path: string) => (await ok(t, `${found}/${path}`)).body.metadata.uid;
      const mine = await ok(t, maps("default"), {}, somebody("anyone"));
      assert.equal(mine.headers.get(schema), await uid("flowschemas/global-default"));
      assert.equal(mine.headers.get(level), await uid("prioritylevelconfigurations/global-default"));
      const admin = await ok(t, maps("default"));
      assert.equal(admin.headers.get(schema), await uid("flowschemas/exempt"));
    });
    await withServer(["--enable-priority-and-fairness=false"], async (t) => {
      assert.equal((await ok(t, maps("default"))).headers.get(schema), null);
    });
  },
  "--shutdown-watch-termination-grace-period": async () => {
    const flag = "--shutdown-watch-termination-grace-period=3s";
    assert.equal(option("shutdownWatchTerminationGracePeriod", [flag]), 3000);
    await withServer([flag], async (t) => {
      const w = await openWatch(t, `${maps("default")}?watch=1`);
      t.server.drain();
      await createMaps(t, "default", "a");
      assert.deepEqual(told(await w.take(1)), ["ADDED a"]); // served during the delay
      t.server.endLasting();
      assert.equal(await w.next(), undefined); // ends as at its own time's end
    });
  },
  "--livez-grace-period": async () => {
    for (const [period, code] of [["1h", 200], ["0s", 500]] as const) {
      await unready(async (t) => {
        assert.equal((await t.fetch("/livez")).status, code);
        assert.equal((await t.fetch("/readyz")).status, 500);
      }, [`--livez-grace-period=${period}`]);
    }
  },
  "--min-request-timeout": async () => {
    assert.equal(option("minRequestTimeout"), 1800);
    await withServer(["--min-request-timeout=1"], async (t) => {
      // Nothing else ends this watch: one to two seconds after it began, the server does.
      const started = performance.now();
      const w = await openWatch(t, `${maps("default")}?watch=1`);
      assert.equal(await w.next(), undefined);
      assert.ok(performance.now() - started >= 990);
    });
  },
  "collection size guidance": async () => {
    const t = await server();
    const ns = await namespace(t);
    for (let i = 0; i < 20; i++) await ok(t, maps(ns), { body: map(`m-${i}`, { text: "x".repeat(40_000) }) });
    const response = await t.open(maps(ns)); // JSON is streamed: no piece holds the whole
    let largest = 0, all = 0;
    for await (const piece of response.body!) {
      largest = Math.max(largest, piece.length);
      all += piece.length;
    }
    assert.ok(largest < all / 2, `${largest} of ${all}`);
  },
  "--event-ttl": async () => {
    assert.equal(option("eventTtl"), 3_600_000);
    let now = Date.now();
    await withServer(["--event-ttl=10m"], async (t) => {
      const body = {
        metadata: { name: "e", namespace: "default" },
        involvedObject: { kind: "Pod", name: "p", namespace: "default" },
        reason: "R",
      };
      await ok(t, "/api/v1/namespaces/default/events", { body });
      now += 9 * 60_000;
      (t.backend as unknown as { sweep(): void }).sweep();
      await ok(t, "/api/v1/namespaces/default/events/e");
      now += 2 * 60_000;
      (t.backend as unknown as { sweep(): void }).sweep();
      await refused(t, 404, "/api/v1/namespaces/default/events/e");
    }, { now: () => now });
  },
  "--shutdown-delay-duration": () =>
    withServer(["--shutdown-delay-duration=5s"], async (t) => {
      assert.equal(option("shutdownDelayDuration", ["--shutdown-delay-duration=5s"]), 5000);
      t.server.drain();
      assert.equal((await t.fetch("/readyz")).status, 500);
      await ok(t, maps("default"), { body: map("a") });
    }),
  "--goaway-chance": () => {
    assert.equal(option("goawayChance"), 0);
    assert.equal(option("goawayChance", ["--goaway-chance=0.02"]), 0.02);
    wrong("--goaway-chance=0.03");
    wrong("--goaway-chance=-0.01");
  },
  "--service-node-port-range": async () => {
    assert.deepEqual(option("serviceNodePortRange"), { from: 30000, to: 32767 });
    const service = (name: string, nodePort: number) => ({
      metadata: { name },
      spec: { type: "NodePort", ports: [{ port: 80, ...(nodePort ? { nodePort } : {}) }] },
    });
    const t = await server();
    const path = `/api/v1/namespaces/${await namespace(t)}/services`;
    for (const port of [30000, 32767]) await ok(t, path, { body: service(`p-${port}`, port) });
    for (const port of [29999, 32768]) await refused(t, 422, path, { body: service(`p-${port}`, port) });
    const given = (await ok(t, path, { body: service("any", 0) })).body.spec.ports[0].nodePort;
    assert.ok(given >= 30000 && given <= 32767);
  },
});
