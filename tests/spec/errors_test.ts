import assert from "node:assert/strict";
import { encodeObject } from "../../schema/codec/mod.ts";
import { schemeOf } from "../../schema/scheme.ts";
import { productOf } from "../../schema/product.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { type Backend, StorageError } from "../../server/storage/backend.ts";
import { HookServer } from "../fixture/hooks.ts";
import type { Init } from "../fixture/server.ts";
import { until } from "../listen/_fixture.ts";
import { unready } from "./_held.ts";
import { unfinished, withProcess } from "./_process.ts";
import { reaching, store } from "./_side_effects.ts";
import {
  compact,
  createMaps,
  map,
  maps,
  namespace,
  ok,
  openWatch,
  refused,
  sharedServer,
  spec,
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
    await withProcess(
      () => ["--shutdown-send-retry-after=true"],
      (process, ask) =>
        unfinished(process, ask, async ({ finish }) => {
          // Before its end the server waits for the request.
          Deno.kill(process.pid, "SIGTERM");
          let told: Response | undefined;
          await until("it tells to come again", async () => {
            told = await ask(maps("default"));
            await told.body?.cancel();
            return told.status === 429;
          });
          assert.match(told!.headers.get("retry-after")!, /^[1-9]\d*$/);
          assert.match(await finish(), /^HTTP\/1\.1 201 /);
        }),
    );
    await withServer(["--shutdown-send-retry-after=true"], async (t) => {
      t.server.drain();
      await ok(t, maps("default"));
      t.server.refuse();
      for (const init of [{}, { body: map("a") }]) {
        const { headers } = await refused(t, 429, maps("default"), init);
        assert.match(headers.get("retry-after")!, /^[1-9]\d*$/);
        assert.equal(headers.get("connection"), "close");
      }
      assert.equal((await t.fetch("/livez")).status, 200); // who looks after it sees that it is alive
      assert.equal((await t.fetch("/readyz")).status, 500);
    });
  },
  "504 Gateway Timeout": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a");
    for (const path of [`${maps(ns, "a")}?`, `${maps(ns)}?`, `${maps(ns)}?limit=1&`]) {
      const { body } = await refused(t, 504, `${path}resourceVersion=${AHEAD}`);
      assert.ok(body.message.startsWith("Timeout: Too large resource version"), body.message);
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
  "rule 4": async () => {
    const hooks = await new HookServer().start(), t = await reaching();
    try {
      await store(t, hooks, "some", "Some");
      const ns = await namespace(t), dry = "?dryRun=All";
      await ok(t, maps(ns), { body: map("a") });
      const merge = { "content-type": "application/merge-patch+json" };
      const requests: [string, Init][] = [
        [maps(ns), { body: map("b") }],
        [maps(ns, "a"), { method: "PUT", body: map("a", { k: "v" }) }],
        [maps(ns, "a"), { method: "PATCH", headers: merge, body: { data: { k: "v" } } }],
        [maps(ns, "a"), { method: "DELETE" }],
        [maps(ns), { method: "DELETE" }],
      ];
      for (const [path, init] of requests) await refused(t, 400, path + dry, init);
      await ok(t, `/api/v1/namespaces/${ns}/secrets${dry}`, { body: { metadata: { name: "s" } } }); // not its affair
      for (const [path, init] of requests) await ok(t, path, init);
    } finally {
      await t.stop();
      await hooks.stop();
    }
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
    const bytes = encodeObject(map("a") as Parameters<typeof encodeObject>[0], kind, "protobuf");
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
