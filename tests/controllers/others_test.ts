/** Controllers that keep what a cluster starts with, their table and their queue. */
import assert from "node:assert/strict";
import { chosenControllers } from "../../server/controllers/run.ts";
import { WorkQueue, workQueue } from "../../server/controllers/queue.ts";
import { RecentWrites } from "../../server/controllers/recent_writes.ts";
import { pause } from "../../server/pause.ts";
import { QueueMetrics } from "../../server/metrics/queues.ts";
import { besideTheManager, controllersPage } from "../../scripts/docs_controllers.ts";
import { CONTROLLERS } from "../../server/controllers/table.ts";
import type { JsonMap, Obj } from "../../schema/model/types.ts";
import type { Backend, Change } from "../../server/storage/backend.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { core, until, World } from "./_world.ts";

const CHOICES: [string[], string[]][] = [
  [["-*"], []],
  [["*", "-*"], []],
  [["-*", "namespace"], ["namespace"]],
  [["-*", "*"], CONTROLLERS.filter((c) => c.onByDefault).map((c) => c.name)],
  [["*", "-namespace"], CONTROLLERS.filter((c) => c.onByDefault && c.name !== "namespace").map((c) => c.name)],
  [["serviceaccount", "-serviceaccount"], []],
];
for (const [wanted, names] of CHOICES) {
  Deno.test(`--controllers=${wanted.join(",")}`, () => {
    assert.deepEqual(chosenControllers(wanted).map((c) => c.name), names);
  });
}

Deno.test("--controllers refuses a name that is none", () => {
  assert.throws(() => chosenControllers(["*", "-nothing"]), /nothing/);
});

Deno.test("every namespace has a service account named default, again when it is deleted", async () => {
  const w = await World.start("serviceaccount");
  await w.namespace("fresh");
  const path = core("serviceaccounts", "fresh", "default");
  await until("it is made", async () => (await w.get(path)) !== undefined);
  const first = (await w.get(path))!.metadata.uid;
  await w.remove(path);
  await until("it is made again", async () => ![undefined, first].includes((await w.get(path))?.metadata.uid));
  await w.stop();
});

Deno.test("an aggregated role follows the roles that it selects", async () => {
  const w = await World.start("clusterrole-aggregation");
  const roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
  const role = (name: string, more: Record<string, unknown>, labels = {}) => ({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name, labels },
    ...more,
  });
  await w.create(roles, role("all", { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { in: "yes" } }] } }));
  const rules = [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }];
  await w.create(roles, role("one", { rules }, { in: "yes" }));
  await until("the rule is there", async () => (await w.get(`${roles}/all`))?.["rules"]?.length === 1);
  assert.deepEqual((await w.get(`${roles}/all`))!["rules"], rules);
  await w.remove(`${roles}/one`);
  await until("the rule is gone", async () => !(await w.get(`${roles}/all`))?.["rules"]?.length);
  await w.stop();
});

Deno.test("group versions of custom resources have an APIService each while a definition serves them", async () => {
  const w = await World.start("apiservice-registration");
  const services = "/apis/apiregistration.k8s.io/v1/apiservices";
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const schema = { openAPIV3Schema: { type: "object" } };
  const crd = (plural: string, served: Record<string, boolean>) => ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.shelf.example` },
    spec: {
      group: "shelf.example",
      scope: "Cluster",
      names: { plural, kind: plural },
      versions: Object.entries(served).map(([name, served], i) => ({ name, served, storage: i === 0, schema })),
    },
  });
  const there = (name: string) =>
    until(`${name} is there`, async () => !!await w.get(`${services}/${name}.shelf.example`));
  await w.create(definitions, crd("books", { v1: true, v2: true, v3: false }));
  await w.create(definitions, crd("boxes", { v1: true }));
  await there("v1");
  await there("v2");
  const made = (await w.get(`${services}/v2.shelf.example`))!;
  assert.equal(made.metadata.labels?.["kube-aggregator.kubernetes.io/automanaged"], "true");
  assert.deepEqual(made["spec"], {
    group: "shelf.example",
    version: "v2",
    groupPriorityMinimum: 1000,
    versionPriority: 100,
  });
  assert.deepEqual(made["status"].conditions.map((c: JsonMap) => [c["type"], c["status"]]), [["Available", "True"]]);
  assert.equal(await w.get(`${services}/v3.shelf.example`), undefined);
  await w.remove(`${services}/v1.shelf.example`);
  await there("v1");
  await w.remove(`${definitions}/books.shelf.example`);
  await w.gone(`${services}/v2.shelf.example`);
  await there("v1");
  await w.remove(`${definitions}/boxes.shelf.example`);
  await w.gone(`${services}/v1.shelf.example`);
  assert.ok(await w.get(`${services}/v1.apps`));
  await w.stop();
});

Deno.test("flow schemas say whether their priority level exists", async () => {
  const w = await World.start("flow-schema-status");
  const api = "/apis/flowcontrol.apiserver.k8s.io/v1";
  const [schemas, levels] = [`${api}/flowschemas`, `${api}/prioritylevelconfigurations`];
  const apiVersion = "flowcontrol.apiserver.k8s.io/v1";
  // Extension servers compare the message, too: they would write it anew without end.
  const said = { Found: "and it exists", NotFound: "but there is no such object" };
  const told = (name: string, status: string, reason: keyof typeof said) =>
    until(`${name}: ${reason}`, async () => {
      const found = await w.get(`${schemas}/${name}`), level = found?.["spec"]?.priorityLevelConfiguration.name;
      const [c, ...more] = found?.["status"]?.conditions ?? [];
      const message = `This FlowSchema references the PriorityLevelConfiguration object named "${level}" ${
        said[reason]
      }`;
      return more.length === 0 && c?.type === "Dangling" && c.status === status && c.reason === reason &&
        c.message === message;
    });
  await told("catch-all", "False", "Found");
  const spec = { matchingPrecedence: 900, priorityLevelConfiguration: { name: "lane" } };
  await w.create(schemas, { apiVersion, kind: "FlowSchema", metadata: { name: "carts" }, spec });
  await told("carts", "True", "NotFound");
  const limited = { nominalConcurrencyShares: 1, limitResponse: { type: "Reject" } };
  const level = { apiVersion, kind: "PriorityLevelConfiguration", metadata: { name: "lane" } };
  await w.create(levels, { ...level, spec: { type: "Limited", limited } });
  await told("carts", "False", "Found");
  await w.remove(`${levels}/lane`);
  await told("carts", "True", "NotFound");
  await w.stop();
});

Deno.test("what somebody else writes the opposite of is left to him for a while", () => {
  let at = 1_000_000, random = 0;
  const writes = new RecentWrites({ elapsed: () => at, random: () => random });
  for (let i = 0; i < 6; i++, at += 5_000) {
    assert.equal(writes.pause("a"), undefined);
    writes.add("a");
  }
  assert.equal(writes.pause("a"), 30_000);
  random = 0.5;
  assert.equal(writes.pause("a"), 52_500);
  assert.equal(writes.pause("b"), undefined);
  at += 30_000 - 1;
  assert.ok(writes.pause("a"));
  at += 1;
  assert.equal(writes.pause("a"), undefined);
  writes.add("a");
  assert.ok(writes.pause("a"));
  writes.forget("a");
  assert.equal(writes.pause("a"), undefined);
});

Deno.test("the identity lease is renewed, and those of servers that are gone are collected", async () => {
  const w = await World.start("-*");
  const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
  const labels = { "apiserver.kubernetes.io/identity": "kube-apiserver" };
  const lease = (name: string, spec: JsonMap) => ({
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name, labels },
    spec: { holderIdentity: name, ...spec },
  });
  const leaseDurationSeconds = 3600, renewTime = new Date().toISOString().replace("Z", "000Z");
  const gone: Record<string, JsonMap> = {
    old: { leaseDurationSeconds, renewTime: "2020-01-01T00:00:00.000000Z" },
    // As on the public server: what does not say how long it holds is no server's.
    "without-time": { leaseDurationSeconds },
    "without-duration": { renewTime },
  };
  for (const [name, spec] of Object.entries(gone)) await w.create(leases, lease(`apiserver-${name}`, spec));
  await w.create(leases, lease("apiserver-new", { leaseDurationSeconds, renewTime }));
  await w.create(leases, { ...lease("a-scheduler", gone["old"]!), metadata: { name: "a-scheduler" } });
  const second = await World.start("identity-lease", [], { backend: w.test.backend });
  for (const name of Object.keys(gone)) await w.gone(`${leases}/apiserver-${name}`);
  for (const name of ["apiserver-new", "a-scheduler"]) assert.ok(await w.get(`${leases}/${name}`), name);
  await second.stop();
  await w.stop();
});

Deno.test("a server that begins again puts right what its lease says of it", async () => {
  const flags = ["--feature-gates=UnknownVersionInteroperabilityProxy=true"], backend = memoryBackend();
  const one = await World.start("identity-lease", flags, { backend });
  const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
  const found = async () =>
    ((await one.get(leases)) as unknown as { items: Obj[] }).items.find((l) =>
      l.metadata.name!.startsWith("apiserver-")
    );
  await until("it has one", async () => await found() !== undefined);
  const { name, labels, annotations } = (await found())!.metadata;
  assert.ok(annotations!["kubernetes.io/peer-advertise-address"]);
  const stale = (of: Record<string, string> | undefined) =>
    Object.fromEntries(Object.keys(of!).map((key) => [key, "stale"]));
  await one.patch(`${leases}/${name}`, {
    metadata: { labels: { ...stale(labels), mine: "x" }, annotations: { ...stale(annotations), mine: "x" } },
  });
  const two = await World.start("identity-lease", flags, { backend });
  await until("it says so", async () => !JSON.stringify((await found())!.metadata).includes("stale"));
  const { metadata } = (await one.get(`${leases}/${name}`))!;
  assert.deepEqual([metadata.labels, metadata.annotations], [{ ...labels, mine: "x" }, { ...annotations, mine: "x" }]);
  await two.stop();
  await one.stop();
  await backend.close();
});

Deno.test("the lease of a server that comes back while it is collected stays", async () => {
  const store = memoryBackend(), w = await World.start("-*", [], { backend: store });
  const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
  const spec = { holderIdentity: "x", leaseDurationSeconds: 3600, renewTime: "2020-01-01T00:00:00.000000Z" };
  const renewTime = new Date().toISOString().replace("Z", "000Z");
  for (const name of ["apiserver-1", "apiserver-2"]) {
    await w.create(leases, {
      metadata: { name, labels: { "apiserver.kubernetes.io/identity": "kube-apiserver" } },
      spec,
    });
  }
  let renewals = 0;
  const commit: Backend["commit"] = async (changes) => {
    const [{ key, value }] = changes as [Change];
    if (key.endsWith("/apiserver-1") && value === null && renewals++ === 0) {
      await w.patch(`${leases}/apiserver-1`, { spec: { renewTime } });
    }
    return await store.commit(changes);
  };
  const backend = new Proxy<Backend>(store, {
    get(target, name) {
      const value: unknown = name === "commit" ? commit : Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const second = await World.start("identity-lease", [], { backend });
  await w.gone(`${leases}/apiserver-2`);
  assert.equal((await w.get(`${leases}/apiserver-1`))?.["spec"].renewTime, renewTime);
  await second.stop();
  await w.stop();
  await store.close();
});

Deno.test("a queue does a key once at a time, again after a failure, and again when it came meanwhile", async () => {
  const stop = new AbortController();
  const seen: string[] = [];
  let failures = 2, running = 0;
  const queue = new WorkQueue({
    workers: 2,
    retryMs: 1,
    random: () => 0.5,
    onError: (key) => seen.push(`failed ${key}`),
    async work(key) {
      assert.equal(++running, 1);
      await Promise.resolve();
      running--;
      if (key === "bad" && failures-- > 0) throw new Error("no");
      if (!seen.includes(key)) queue.add(key);
      seen.push(key);
    },
  });
  queue.start(stop.signal);
  queue.add("bad");
  queue.add("bad");
  await until("it is done", () => seen.length === 4 && queue.size === 0);
  assert.deepEqual(seen, ["failed bad", "failed bad", "bad", "bad"]);
  stop.abort();
});

Deno.test("a queue's key waits for itself, is held once, comes at once if it was to come later, and not after the end", async () => {
  const stop = new AbortController(), begun: string[] = [], ends: (() => void)[] = [];
  const queue = new WorkQueue({
    workers: 2,
    random: () => 0,
    onError: () => {},
    work: (key) => new Promise<void>((end) => (begun.push(key), ends.push(end))),
  });
  const turn = () => new Promise((done) => setTimeout(done, 0));
  const end = async () => {
    ends.splice(0).forEach((end) => end());
    await turn();
    return begun.splice(0);
  };
  queue.start(stop.signal);
  queue.add("a");
  await turn();
  for (let i = 0; i < 3; i++) queue.add("a");
  await turn();
  assert.deepEqual(begun.splice(0), ["a"]);
  assert.deepEqual([await end(), await end(), queue.size], [["a"], [], 0]);
  for (let i = 0; i < 2; i++) queue.addAfter("b", 1);
  queue.add("b");
  await turn();
  assert.deepEqual([begun.splice(0), await end()], [["b"], []]);
  await pause(20);
  assert.deepEqual([begun, queue.size], [[], 0]);
  for (const key of ["c", "d", "e"]) queue.add(key);
  for (const key of ["e", "f"]) queue.addAfter(key, 10);
  await turn();
  assert.deepEqual([begun.splice(0), queue.size], [["c", "d"], 4]);
  stop.abort();
  queue.addAfter("g", 1);
  assert.equal(queue.size, 2);
  await pause(20);
  assert.deepEqual([await end(), queue.size], [[], 0]);
});

Deno.test("a queue goes on with what comes while it works and after it was empty, in order", async () => {
  const stop = new AbortController(), seen: string[] = [];
  const queue: WorkQueue = new WorkQueue({
    workers: 1,
    random: () => 0,
    onError: () => {},
    work: (key) => (key === "a" && queue.add("c"), Promise.resolve(void seen.push(key))),
  });
  queue.start(stop.signal);
  ["a", "b"].forEach((key) => queue.add(key));
  await until("it is empty", () => seen.length === 3 && queue.size === 0);
  ["b", "d"].forEach((key) => queue.add(key));
  await until("it is empty again", () => seen.length === 5);
  assert.deepEqual(seen, ["a", "b", "c", "b", "d"]);
  stop.abort();
});

Deno.test("docs/controllers.md is current", () => {
  const written = Deno.readTextFileSync(new URL("../../docs/controllers.md", import.meta.url));
  assert.equal(written, controllersPage());
});

Deno.test("the flag that leaves work to the public controller manager leaves the server's own on", () => {
  const wanted = besideTheManager().replace("--controllers=", "").split(",");
  assert.deepEqual(chosenControllers(wanted).map((c) => c.name), [
    "first-content",
    "service-allocation-repair",
    "apiservice-registration",
    "apiservice-availability",
    "authentication-trust",
    "flow-schema-status",
    "api-endpoints",
    "identity-lease",
    "leader-election-controller",
    "storage-version-garbage-collector",
  ]);
});

Deno.test("the endpoints of the API's own service name every server that is there, and none that left", async () => {
  const [endpoints, slices] = [
    "/api/v1/namespaces/default/endpoints",
    "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
  ];
  const first = await World.start("*");
  const { backend } = first.test;
  const addresses = async () => {
    const [all, slice] = await Promise.all(
      [endpoints, slices].map(async (p) => (await first.get(`${p}/kubernetes`))!),
    );
    const [one, other] = [
      all!.subsets[0].addresses.map((a: { ip: string }) => a.ip),
      slice!.endpoints.map((e: { addresses: string[] }) => e.addresses[0]),
    ].map((x) => x.join(" "));
    return one === other ? one : `${one} and ${other}`;
  };
  assert.equal(await addresses(), "192.0.2.10");
  // A public server shows that it is there in the same way.
  const key = "/registry/masterleases/192.0.2.30";
  await backend.commit([{ key, value: new TextEncoder().encode("{}") }]);
  const second = await World.start("*", [], { backend, address: { host: "192.0.2.20", port: 6443 } });
  await until("all are there", async () => await addresses() === "192.0.2.10 192.0.2.20 192.0.2.30");
  await backend.commit([{ key, value: null }]);
  await second.test.server.leave(5_000);
  await until("one is left", async () => await addresses() === "192.0.2.10");
  await second.stop();
  const made = await Promise.all([endpoints, slices].map(async (p) => (await first.get(`${p}/kubernetes`))!));
  for (const path of [endpoints, slices]) await first.remove(`${path}/kubernetes`);
  await until("both are there again", async () => {
    const again = await Promise.all([endpoints, slices].map((p) => first.get(`${p}/kubernetes`)));
    return again.every((o, i) => o && o.metadata.uid !== made[i]!.metadata.uid);
  });
  for (const [i, path] of [endpoints, slices].entries()) {
    const bare = ({ metadata: { labels, name, namespace }, ...rest }: Obj) => ({ ...rest, labels, name, namespace });
    assert.deepEqual(bare((await first.get(`${path}/kubernetes`))!), bare(made[i]!));
  }
  await first.stop();
});

Deno.test("a server that leaves while it tells of itself is in no endpoints after that", async () => {
  const backend = memoryBackend(), held = Promise.withResolvers<void>();
  let holds = false, reading = false;
  const slow = new Proxy(backend, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (name !== "range") return typeof value === "function" ? value.bind(target) : value;
      return async (...[prefix, page]: Parameters<Backend["range"]>) => {
        const read = await target.range(prefix, page);
        if (!holds || !prefix.endsWith("/masterleases/")) return read;
        holds = false;
        reading = true;
        await held.promise;
        return read;
      };
    },
  });
  const w = await World.start("*", [], { backend: slow }), path = "/api/v1/namespaces/default/endpoints/kubernetes";
  await backend.commit([{ key: "/registry/masterleases/192.0.2.30", value: new TextEncoder().encode("{}") }]);
  holds = true;
  await w.remove(path);
  await until("it tells of itself", () => reading);
  const left = w.test.server.leave(60_000);
  await Promise.race([left, pause(200)]);
  held.resolve();
  await left;
  await pause(50);
  const { subsets } = (await w.get(path))!;
  assert.deepEqual(subsets[0].addresses, [{ ip: "192.0.2.30" }]);
  await w.stop();
  await backend.close();
});

Deno.test("a queue's keys are counted, with how long they wait and take", async () => {
  let now = 1000;
  const metrics = new QueueMetrics(() => now), ended = new AbortController();
  const { promise, resolve } = Promise.withResolvers<void>();
  let fails = true;
  const queue = workQueue({ queues: metrics, now: () => now, random: () => 0 }, "q", {
    workers: 1,
    retryMs: 1,
    onError: () => {},
    work: async () => {
      if (!fails) return await promise;
      fails = false;
      now += 20;
      throw new Error("not yet");
    },
  });
  queue.add("a");
  queue.add("a");
  const told = () =>
    Object.fromEntries(
      metrics.rows().flatMap(({ name, samples }) => samples(name)).filter(({ labels }) => !labels["le"]).map((s) => [
        s.metricName.slice("workqueue_".length),
        s.value,
      ]),
    );
  assert.deepEqual([told()["adds_total"], told()["depth"]], [1, 1]);
  now += 300;
  queue.start(ended.signal);
  await soon(() => told()["queue_duration_seconds_count"] === 2);
  now += 50;
  assert.deepEqual(told(), {
    adds_total: 2,
    depth: 0,
    queue_duration_seconds_sum: 0.3,
    queue_duration_seconds_count: 2,
    work_duration_seconds_sum: 0.02,
    work_duration_seconds_count: 1,
    retries_total: 1,
    unfinished_work_seconds: 0.05,
    longest_running_processor_seconds: 0.05,
  });
  resolve();
  await soon(() => told()["work_duration_seconds_count"] === 2);
  assert.equal(told()["unfinished_work_seconds"], 0);
  ended.abort();
});

async function soon(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 5000 && !holds(); i++) await new Promise((done) => setTimeout(done, 1));
  assert.ok(holds());
}
