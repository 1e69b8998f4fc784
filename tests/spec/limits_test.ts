import assert from "node:assert/strict";
import type { Api } from "../../server/endpoints/api.ts";
import { deadline } from "../../server/endpoints/watch.ts";
import { parseOptions } from "../../server/options/mod.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
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
import { until } from "../listen/_fixture.ts";
import { unfinished, withProcess } from "./_process.ts";
import type { Loose } from "../fixture/loose.ts";

const server = sharedServer();

/** A process waits so long for its connections' ends where no option says otherwise. */
const UNASKED_GRACE_MS = 5_000;

/** An option's value without and with it on the command line. */
function option(name: string, flags: readonly string[] = []): Loose {
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
      now += 5 * 60_000;
      await createMaps(t, "default", "d");
      assert.deepEqual(namesOf((await ok(t, exact)).body), ["a"]); // past what the cache keeps: by the store
      await compact(t);
      await refused(t, 410, exact);
      // Also of what the cache would still know.
      const [young] = await createMaps(t, "default", "e", "f");
      const first = (await ok(t, `${maps("default")}?limit=1`)).body.metadata;
      const later = `${maps("default")}?resourceVersionMatch=Exact&resourceVersion=`;
      assert.deepEqual(namesOf((await ok(t, later + young)).body), ["a", "b", "c", "d", "e"]);
      await createMaps(t, "default", "g");
      await compact(t);
      await refused(t, 410, later + young);
      await refused(t, 410, `${maps("default")}?limit=1&continue=${first.continue}`);
      assert.equal(namesOf((await ok(t, maps("default"))).body).length, 7);
    }, { now: () => now });
  },
  "--max-connection-bytes-per-sec": async () => {
    assert.equal(option("maxConnectionBytesPerSec"), 0);
    wrong("--max-connection-bytes-per-sec=-1");
    await withServer(["--max-connection-bytes-per-sec=20000"], async (t) => {
      await ok(t, maps("default"), { body: { ...map("a"), data: { k: "x".repeat(10_000) } } });
      const watch = await t.open(`${maps("default")}?watch=1&resourceVersion=0&timeoutSeconds=1`);
      const pieces = await Array.fromAsync(watch.body!, (piece) => piece.length);
      assert.ok(Math.max(...pieces) <= 2500, "each waits for the time of those before it");
    });
  },
  "--request-timeout": async () => {
    assert.equal(option("requestTimeout"), 60_000);
    await withServer(["--request-timeout=50ms"], async (t) => {
      const late = await refused(t, 504, `${maps("default")}?resourceVersion=999999`); // it waits for that version
      assert.equal(late.body.reason, "Timeout");
      assert.match(late.body.message, /within the allotted timeout/); // not for want of that version
      await ok(t, maps("default"));
    });
  },
  "--max-requests-inflight": async () => {
    assert.equal(option("maxRequestsInflight"), 400);
    const flags = ["--enable-priority-and-fairness=false", "--max-requests-inflight=1"];
    await withServer([...flags, "--authorization-mode=AlwaysAllow"], async (t) => {
      const user = somebody("reader");
      const first = t.fetch(`${maps("default")}?resourceVersion=999999&timeout=80ms`, {}, user);
      const { headers } = await refused(t, 429, maps("default"), {}, user);
      assert.ok(headers.get("retry-after"));
      await ok(t, maps("default"), { body: map("a") }, user); // writes are counted on their own
      await first;
      await ok(t, maps("default"), {}, user);
    });
  },
  "--max-mutating-requests-inflight": async () => {
    assert.equal(option("maxMutatingRequestsInflight"), 200);
    // With priority and fairness, both together are what its levels share: of 600 this one has 100 of 245 parts.
    const half = ["--max-requests-inflight=100", "--max-mutating-requests-inflight=200"];
    for (const [more, seats] of [[[], 245], [half, 123]] as const) {
      await withServer(more, async (t) => {
        const name = 'apiserver_flowcontrol_nominal_limit_seats{priority_level="workload-low"}';
        const line = (await ok(t, "/metrics")).text.split("\n").find((l) => l.startsWith(name));
        assert.equal(line?.split(" ").at(-1), String(seats));
      });
    }
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
    // What is still at work when the server stops is waited for: longer than without the option.
    await withProcess(
      () => ["--shutdown-watch-termination-grace-period=1h"],
      (process, ask) =>
        unfinished(process, ask, async ({ taken, finish }) => {
          Deno.kill(process.pid, "SIGTERM");
          await until("nobody else is served", async () => !await taken());
          await new Promise((done) => setTimeout(done, UNASKED_GRACE_MS + 500));
          assert.match(await finish(), /^HTTP\/1\.1 201 /);
        }),
    );
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
      const w = await openWatch(t, `${maps("default")}?watch=1`);
      assert.equal(await w.next(), undefined);
    });
    const seconds = (random: number, timeoutSeconds?: number) => {
      const rules = { now: () => 5_000 } as Api["rules"];
      const api = { minRequestTimeout: 1800, random: () => random, rules };
      return (deadline(api, { timeoutSeconds }) - 5_000) / 1000;
    };
    assert.deepEqual([0, 0.25, 0.5, 0.9995].map((r) => seconds(r)), [1800, 2250, 2700, 3599.1]);
    assert.deepEqual([seconds(0.5, 0), seconds(0.5, 7)], [2700, 7]);
    // A timer that is set to more than it can wait goes off at once.
    await withServer(["--request-timeout=0"], async (t) => {
      const w = await openWatch(t, `${maps("default")}?watch=1&timeoutSeconds=3000000`);
      await new Promise((resolve) => setTimeout(resolve, 50));
      await ok(t, `${maps("default")}?timeout=800h`, { body: map("late") });
      assert.deepEqual(told(await w.take(1)), ["ADDED late"]);
      await w.stop();
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
    withProcess(() => ["--shutdown-delay-duration=1h"], async (server, ask) => {
      const code = async (path: string, body?: unknown) => {
        const answer = await ask(path, body);
        await answer.body?.cancel();
        return answer.status;
      };
      assert.equal(await code("/readyz"), 200);
      Deno.kill(server.pid, "SIGTERM");
      try {
        await until("it is not ready any more", async () => await code("/readyz") === 500);
        assert.deepEqual([await code("/livez"), await code("/healthz"), await code(maps("default"))], [200, 200, 200]);
        assert.equal(await code(maps("default"), map("a")), 201);
      } finally {
        await server.stop("SIGKILL");
      }
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
