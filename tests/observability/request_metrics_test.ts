/** What is counted of requests beside how many there are, and how long they take. */
import assert from "node:assert/strict";
import { requestInfo } from "../../server/filters/request_info.ts";
import { Buckets, type Sample } from "../../server/metrics/buckets.ts";
import { RequestTally } from "../../server/metrics/requests.ts";
import type { RequestScope, User } from "../../server/request.ts";
import { fairnessFilter } from "../../server/filters/fairness.ts";
import { Fairness } from "../../server/flowcontrol/fairness.ts";
import { flowMetrics } from "../../server/metrics/flow_control.ts";
import type { Verbose } from "../../schema/log/log.ts";
import type { Obj } from "../../schema/model/types.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { configure, stage } from "../admission/_hooks.ts";
import type { Said } from "../fixture/hooks.ts";
import { Faulty } from "../cache/_faulty.ts";
import { startTestServer, type TestServer, withServer } from "../fixture/server.ts";
import { held } from "../spec/_held.ts";

const SECRETS = "/api/v1/namespaces/default/secrets";
const TEXT = new TextEncoder();

/** Lines of a metric that hold all of these texts. */
async function lines(t: TestServer, metric: string, ...texts: readonly string[]): Promise<string[]> {
  const all = (await t.fetch("/metrics")).text.split("\n");
  return all.filter((line) => line.startsWith(`${metric}{`) && texts.every((text) => line.includes(text)));
}

/** The value of the only such line. */
async function value(t: TestServer, metric: string, ...texts: readonly string[]): Promise<number> {
  const found = await lines(t, metric, ...texts);
  assert.equal(found.length, 1, found.join("\n"));
  return Number(found[0]!.split(" ").at(-1));
}

const secret = (name: string, bytes = 1) => ({
  method: "POST",
  body: { apiVersion: "v1", kind: "Secret", metadata: { name }, stringData: { a: "x".repeat(bytes) } },
});

Deno.test("time that others took is none of the server's own, and dry runs have none", () => {
  const tally = new RequestTally(() => undefined);
  const scope = (query: string, waitedMs?: number) => ({
    info: requestInfo("POST", "/api/v1/namespaces/a/pods", new URLSearchParams(query)),
    query: new URLSearchParams(query),
    request: { method: "POST", headers: new Headers() },
    waitedMs,
  } as unknown as RequestScope);
  for (const [query, waited] of [["", 400], ["", undefined], ["dryRun=All", 0]] as const) {
    const one = scope(query, waited);
    tally.begin(one);
    tally.end(one, 201, 500);
  }
  const { samples } = tally.rows().find(({ name }) => name === "apiserver_request_sli_duration_seconds")!;
  const told = Object.fromEntries(
    samples("m").map(({ metricName, labels, value }) => [
      `${metricName} ${labels["le"] ?? ""}`,
      value,
    ]),
  );
  assert.equal(told["m_count "], 2);
  assert.equal(told["m_sum "], 0.6);
  assert.equal(told["m_bucket 0.1"], 1);
});

/** What a webhook says once the clock has moved on. */
function afterTick(): Said {
  for (const from = Date.now(); Date.now() === from;);
  return {};
}

Deno.test("time at admission webhooks is none of the server's own", async () => {
  for (const mutating of [true, false]) {
    const s = await stage();
    try {
      await s.t.fetch("/api/v1/namespaces", { body: { metadata: { name: "a", labels: { ns: "a" } } } });
      await configure(s, "a", [{ mutating, says: afterTick }]);
      const made = await s.t.fetch("/api/v1/namespaces/a/configmaps", { body: { metadata: { name: "c" } } });
      assert.equal(made.status, 201, made.text);
      const [own, all] = [
        await value(s.t, "apiserver_request_sli_duration_seconds_sum", 'verb="POST"', 'resource="configmaps"'),
        await value(s.t, "apiserver_request_duration_seconds_sum", 'verb="POST"', 'resource="configmaps"'),
      ];
      assert.ok(own < all, `${own} ${all}`);
    } finally {
      await s.stop();
    }
  }
});

Deno.test("the wait in a queue is none of the server's own time, and is told by flow schema", async () => {
  const objects: Record<string, Obj[]> = {
    flowschemas: [{
      metadata: { name: "all", uid: "1" },
      spec: {
        priorityLevelConfiguration: { name: "narrow" },
        rules: [{
          subjects: [{ kind: "Group", group: { name: "*" } }],
          resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"], namespaces: ["*"], clusterScope: true }],
        }],
      },
    }] as never,
    prioritylevelconfigurations: [{
      metadata: { name: "narrow", uid: "2" },
      spec: { type: "Limited", limited: { limitResponse: { type: "Queue", queuing: { queues: 1, handSize: 1 } } } },
    }] as never,
  };
  const list = (id: string) => objects[id.split(".")[0]!]!;
  const fairness = new Fairness<RequestScope>({ get: () => undefined, list, changes: () => 1 }, 1);
  let now = 1000;
  const filter = fairnessFilter(fairness, {
    limitMs: 60_000,
    count: () => 1,
    now: () => now,
    headers: { schema: "s", level: "l" },
  });
  const tally = new RequestTally(() => undefined);
  const [first, second] = [1, 2].map(() => ({
    tally,
    info: requestInfo("GET", SECRETS, new URLSearchParams()),
    query: new URLSearchParams(),
    user: { name: "jo", groups: [] },
    head: {},
    signal: new AbortController().signal,
  } as unknown as RequestScope));
  const { promise, resolve } = Promise.withResolvers<Response>();
  const readOnly = (samples: readonly Sample[]) =>
    samples.find(({ labels }) => labels["request_kind"] === "readOnly")?.value;
  const inqueue = tally.rows().find(({ name }) => name === "apiserver_current_inqueue_requests")!;
  const kinds = () => [readOnly(tally.atWork("m")), readOnly(inqueue.samples("m"))];
  for (const scope of [first!, second!]) tally.begin(scope);
  const one = filter(first!, () => promise), other = filter(second!, () => new Response());
  const metrics = new Map(flowMetrics(fairness as never).map(({ name, samples }) => [name.slice(22), samples]));
  const at = { priority_level: "narrow", flow_schema: "all" };
  const read = (name: string, of = name) =>
    metrics.get(of)!(of).filter(({ metricName, labels }) => metricName === name && labels["execute"] !== "false")
      .map(({ labels, value }) => [labels["flow_schema"], value]);
  assert.deepEqual(kinds(), [1, 1], "what waits is not at work");
  assert.deepEqual(read("current_inqueue_requests"), [["all", 1]]);
  assert.deepEqual(read("current_executing_seats"), [["all", 1]]);
  now += 300;
  resolve(new Response());
  await Promise.all([one, other]);
  assert.deepEqual(kinds(), [2, 0], "the tally has not been told of the ends");
  assert.deepEqual([first!.waitedMs, second!.waitedMs], [undefined, 300]);
  assert.deepEqual(read("current_inqueue_requests"), [["all", 0]]);
  assert.deepEqual(read("work_estimated_seats_sum", "work_estimated_seats"), [["all", 2]]);
  assert.deepEqual(metrics.get("dispatched_requests_total")!("m"), [{ metricName: "m", labels: at, value: 2 }]);
  const waits = "request_wait_duration_seconds", works = "request_execution_seconds";
  assert.deepEqual(read(`${waits}_sum`, waits), [["all", 0.3]]);
  assert.deepEqual(read(`${waits}_count`, waits), [["all", 2]]);
  assert.deepEqual(read(`${works}_sum`, works), [["all", 0.3]]);
  for (const limit of ["nominal", "lower", "current", "upper"]) {
    assert.deepEqual(metrics.get(`${limit}_limit_seats`)!("m").map(({ value }) => value), [1], limit);
  }
});

Deno.test("writes are counted by what is done about unknown fields, as it was asked for", () =>
  withServer([], async (t) => {
    for (const level of ["", "?fieldValidation=Strict", "?fieldValidation=Warn", "?fieldValidation=none"]) {
      await t.fetch(`${SECRETS}${level}`, secret(`v${level.length}`));
    }
    await t.fetch(SECRETS);
    const metric = "field_validation_request_duration_seconds_count";
    for (const level of ["", "Strict", "Warn", "invalid"]) {
      assert.equal(await value(t, metric, `field_validation="${level}"`), 1, level);
    }
    assert.equal((await lines(t, metric)).length, 4);
  }));

Deno.test("sizes of what is read are counted, streamed lists with all of their bytes", () =>
  withServer([], async (t) => {
    const labels = ['resource="secrets"', 'verb="LIST"'];
    const { text } = await t.fetch(SECRETS);
    assert.equal(await value(t, "apiserver_response_sizes_sum", ...labels), TEXT.encode(text).length);
    for (let i = 0; i < 6; i++) assert.equal((await t.fetch(SECRETS, secret(`s${i}`, 500_000))).status, 201);
    const large = await t.fetch(SECRETS);
    const sum = TEXT.encode(text).length + TEXT.encode(large.text).length;
    assert.ok(sum > 3_000_000);
    assert.equal(await value(t, "apiserver_response_sizes_sum", ...labels), sum);
    assert.equal(await value(t, "apiserver_response_sizes_bucket", ...labels, 'le="1e+06"'), 1);
    assert.equal(await value(t, "apiserver_response_sizes_bucket", ...labels, 'le="1e+07"'), 2);
    assert.deepEqual(await lines(t, "apiserver_response_sizes_sum", 'verb="POST"'), []);
  }));

Deno.test("what is on its way out is told when it was asked for", () =>
  withServer([], async (t) => {
    const metric = "apiserver_requested_deprecated_apis";
    assert.deepEqual(await lines(t, metric), []);
    for (let i = 0; i < 2; i++) await t.fetch("/api/v1/namespaces/default/endpoints");
    assert.deepEqual(await lines(t, metric), [
      `${metric}{group="",version="v1",resource="endpoints",subresource="",removed_release=""} 1`,
    ]);
  }));

Deno.test("custom resources of a version on its way out are told", async () => {
  await withServer([], async (t) => {
    const version = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } };
    const body = {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "olds.example.com" },
      spec: {
        group: "example.com",
        scope: "Cluster",
        names: { plural: "olds", kind: "Old" },
        versions: [{ ...version, deprecated: true }],
      },
    };
    const at = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    assert.equal((await t.fetch(at, { method: "POST", body })).status, 201);
    await t.fetch("/apis/example.com/v1/olds");
    assert.equal(await value(t, "apiserver_requested_deprecated_apis", 'resource="olds"'), 1);
  });
});

Deno.test("requests that are not let in are told by what they are for", () =>
  withServer(["--enable-priority-and-fairness=false", "--max-requests-inflight=1"], async (t) => {
    const jo: User = { name: "jo", groups: ["system:masters"] };
    const none: User = { name: "joe", groups: ["system:authenticated"] };
    const answers = await Promise.all([
      t.fetch(`${SECRETS}?resourceVersionMatch=NotOlderThan&resourceVersion=1`, {}, jo),
      t.fetch(SECRETS, {}, none),
    ]);
    assert.equal(answers[1].status, 429);
    const metric = "apiserver_request_terminations_total";
    assert.deepEqual(await lines(t, metric), [
      `${metric}{verb="LIST",group="",version="v1",resource="secrets",subresource="",scope="namespace",` +
      'component="apiserver",code="429"} 1',
    ]);
    assert.equal(await value(t, "apiserver_request_total", 'resource="secrets"', 'code="429"'), 1);
  }));

Deno.test("what is refused while caches load is counted and logged by the code that it is answered with", async () => {
  const told: unknown[] = [], store = Faulty.make();
  const verbose: Verbose = (module) => (module === "httplog" ? (_, facts) => told.push(facts) : undefined);
  const t = await startTestServer([], { backend: store, verbose });
  try {
    store.failChanges = Infinity;
    store.breakLog();
    while ((await t.fetch(SECRETS)).status !== 429);
    assert.deepEqual(told.slice(-1).map((facts) => (facts as { resp: number }).resp), [429]);
    assert.equal(await value(t, "apiserver_request_total", 'resource="secrets"', 'code="429"'), 1);
    assert.deepEqual(await lines(t, "apiserver_request_total", 'resource="secrets"', 'code="500"'), []);
  } finally {
    store.failChanges = 0;
    await t.server.cacher.whenReady();
    await t.stop();
  }
});

Deno.test("a request whose time was over is counted by what its client was told, whatever its work came to", async () => {
  let waits = false;
  const { backend, release } = held(memoryBackend(), (method) => waits && method === "commit");
  const t = await startTestServer([], { backend });
  try {
    waits = true;
    assert.equal((await t.fetch(`${SECRETS}?timeout=10ms`, secret("late"))).status, 504);
    release();
    const labels = ['resource="secrets"', 'verb="POST"'];
    while ((await lines(t, "apiserver_request_total", ...labels)).length === 0);
    assert.equal(await value(t, "apiserver_request_total", ...labels), 1);
    assert.equal(await value(t, "apiserver_request_total", ...labels, 'code="504"'), 1);
  } finally {
    release();
    await t.stop();
  }
});

Deno.test("events that watches are sent are counted, with their sizes", () =>
  withServer([], async (t) => {
    const { body } = await t.open(`${SECRETS}?watch=1&allowWatchBookmarks=false`);
    const reader = body!.getReader();
    let bytes = 0;
    for (let i = 0; i < 3; i++) {
      assert.equal((await t.fetch(SECRETS, secret(`s${i}`, 3000))).status, 201);
      bytes += (await reader.read()).value!.length;
    }
    await reader.cancel();
    const at = 'resource="secrets"';
    assert.equal(await value(t, "apiserver_watch_events_total", at), 3);
    assert.equal(await value(t, "apiserver_watch_events_sizes_sum", at), bytes);
    assert.equal(await value(t, "apiserver_watch_events_sizes_bucket", at, 'le="1024"'), 0);
    assert.equal(await value(t, "apiserver_watch_events_sizes_bucket", at, 'le="8192"'), 3);
  }));

Deno.test("events that come together are counted one by one", () =>
  withServer([], async (t) => {
    for (let i = 0; i < 5; i++) assert.equal((await t.fetch(SECRETS, secret(`s${i}`))).status, 201);
    const { body } = await t.open(`${SECRETS}?watch=1&resourceVersion=0&timeoutSeconds=1`);
    const { length } = new Uint8Array(await new Response(body).arrayBuffer());
    assert.equal(await value(t, "apiserver_watch_events_total", 'resource="secrets"'), 5);
    assert.equal(await value(t, "apiserver_watch_events_sizes_sum", 'resource="secrets"'), length);
  }));

Deno.test("authentications and authorizations are counted by how they end", async () => {
  const tokens = 'good,admin,u,"system:masters"\nsome,jo@example.com,u2\n';
  const t = await startTestServer(["--token-auth-file=t", "--authorization-mode=RBAC", "--anonymous-auth=false"], {
    files: { serviceAccountKeys: [], tokenFile: tokens },
  });
  try {
    const ask = (token: string | undefined, path: string) =>
      t.fetch(path, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });
    for (const [token, code] of [["good", 200], ["some", 403], ["bad", 401], [undefined, 401]] as const) {
      assert.equal((await ask(token, SECRETS)).status, code, String(token));
    }
    assert.equal((await ask("some", "/version")).status, 200);
    const { text } = await ask("good", "/metrics");
    const told = (line: string) => assert.ok(text.includes(`\n${line}\n`), `${line}\n${text.match(/^auth.*$/gm)}`);
    told('authenticated_user_requests{username="email_id"} 2');
    told('authentication_attempts{result="error"} 1');
    told('authentication_attempts{result="failure"} 1');
    told('authorization_attempts_total{result="no-opinion"} 1');
    told('apiserver_authorization_decisions_total{type="RBAC",name="rbac",decision="allowed"} 1');
    told('authentication_token_cache_request_total{status="miss"} 3');
    told('authentication_token_cache_request_total{status="hit"} 2');
    told('authentication_token_cache_fetch_total{status="ok"} 3');
    assert.match(text, /^authenticated_user_requests\{username="admin"\} \d/m);
    assert.match(text, /^authorization_duration_seconds_count\{result="allowed"\} \d/m);
  } finally {
    await t.stop();
  }
});

Deno.test("requests to the store are counted by operation and resource", () =>
  withServer([], async (t) => {
    const at = 'resource="secrets"';
    assert.equal((await t.fetch(SECRETS, secret("s"))).status, 201);
    const headers = { "content-type": "application/merge-patch+json" };
    const patch = { method: "PATCH", headers, body: { metadata: { labels: { a: "b" } } } };
    for (let i = 0; i < 2; i++) assert.equal((await t.fetch(`${SECRETS}/s`, patch)).status, 200);
    assert.equal((await t.fetch(`${SECRETS}/s`, { method: "DELETE" })).status, 200);
    const [old] = (await t.fetch(SECRETS)).body.metadata.resourceVersion;
    assert.ok(old);
    for (const operation of ["create", "update", "delete"]) {
      assert.equal(await value(t, "etcd_requests_total", at, `operation="${operation}"`), 1, operation);
      assert.equal(await value(t, "etcd_request_duration_seconds_count", at, `operation="${operation}"`), 1);
    }
    assert.deepEqual(await lines(t, "etcd_request_errors_total"), []);
  }));

Deno.test("bounds of histograms are written as the public server writes them", () => {
  const texts = new Buckets([0.00001, 0.0001, 0.5, 1000, 131072, 1e6, 2.5e9]).samples("m", {}).map(({ labels }) =>
    labels["le"]
  );
  assert.deepEqual(texts.slice(0, -2), ["1e-05", "0.0001", "0.5", "1000", "131072", "1e+06", "2.5e+09", "+Inf"]);
});

Deno.test("bodies are measured by resource and verb, whatever part of it they are for", () =>
  withServer([], async (t) => {
    await t.fetch(SECRETS, secret("a", 60_000));
    await t.fetch(`${SECRETS}?dryRun=All`, secret("b"));
    await t.fetch(`${SECRETS}/a`, { method: "DELETE" });
    await t.fetch(SECRETS, { method: "DELETE", body: { propagationPolicy: "Background" } });
    const metric = "apiserver_request_body_size_bytes", of = (verb: string) => ['resource="secrets"', `verb="${verb}"`];
    const below = (verb: string, le: string) => value(t, `${metric}_bucket`, ...of(verb), `le="${le}"`);
    assert.deepEqual([await below("create", "50000"), await below("create", "150000")], [1, 2]);
    assert.deepEqual([await value(t, `${metric}_sum`, ...of("delete")), await below("delete", "50000")], [0, 1]);
    assert.ok(await value(t, `${metric}_sum`, ...of("delete_collection")) > 0);
  }));

Deno.test("who acts as somebody else is counted, by the way and what it came to", () =>
  withServer([], async (t) => {
    const rules = [
      { verbs: ["impersonate:user-info"], apiGroups: ["authentication.k8s.io"], resources: ["users"] },
      { verbs: ["impersonate-on:user-info:list"], apiGroups: [""], resources: ["secrets"] },
    ];
    const rbac = "/apis/rbac.authorization.k8s.io/v1", roleRef = { kind: "ClusterRole", name: "act" };
    await t.fetch(`${rbac}/clusterroles`, { body: { metadata: { name: "act" }, rules } });
    const body = { metadata: { name: "act" }, roleRef, subjects: [{ kind: "User", name: "jo" }] };
    assert.equal((await t.fetch(`${rbac}/clusterrolebindings`, { body })).status, 201);
    const jo = { name: "jo", groups: ["system:authenticated"] }, headers = { "impersonate-user": "ann" };
    await t.fetch(SECRETS, { headers });
    await t.fetch(SECRETS, { headers }, jo);
    await t.fetch(`${SECRETS}/a`, { headers }, jo);
    const of = (name: string) => lines(t, `apiserver_impersonation_${name}`);
    assert.deepEqual(await of("attempts_total"), [
      'apiserver_impersonation_attempts_total{mode="user-info",decision="allowed"} 2',
      'apiserver_impersonation_attempts_total{mode="",decision="denied"} 1',
    ]);
    const asked = await of("authorization_attempts_total");
    assert.ok(
      asked.includes('apiserver_impersonation_authorization_attempts_total{mode="legacy",decision="denied"} 1'),
    );
    assert.equal((await of("attempts_duration_seconds_count")).length, 2);
  }));

Deno.test("loads of watch caches are counted, those that fail too", async () => {
  const backend = Faulty.make();
  backend.failChanges = 1;
  const t = await startTestServer([], { backend });
  const of = (what: string) => value(t, `apiserver_watch_cache_${what}_total`, 'resource="secrets"');
  assert.deepEqual([await of("initializations"), await of("initialization_errors")], [2, 1]);
  await t.fetch(SECRETS, secret("a"));
  assert.equal(await of("events_dispatched"), await of("events_received"));
  await t.stop();
});
