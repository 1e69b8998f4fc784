/** Sources put together, mirrors on a real API server, and pods that are started once. */
import assert from "node:assert/strict";
import type { Pod, PodStatus } from "../../../schema/api/core_v1.ts";
import { productOf } from "../../../schema/product.ts";
import { ApiSource } from "../../../agent/sources/api.ts";
import { Mirrors } from "../../../agent/sources/mirrors.ts";
import { PodSet } from "../../../agent/sources/pod_set.ts";
import { runOnce } from "../../../agent/sources/run_once.ts";
import { type Api, ApiError, type Source } from "../../../agent/types.ts";
import { withServer } from "../../fixture/server.ts";
import { realClock, TestClock, told } from "../probes/parts.ts";
import { TestApi, until } from "./test_api.ts";

const product = productOf("kubernetes");
const log = () => {};

function pod(name: string, uid: string, annotations: Record<string, string> = {}): Pod {
  const metadata = { name, namespace: "default", uid, annotations };
  const spec = { nodeName: "n1", containers: [{ name: "c", image: "i" }] };
  return { apiVersion: "v1", kind: "Pod", metadata, spec };
}
const fixed = (name: Source["name"], ...pods: Pod[]): Source => ({
  name,
  run: (deliver) => Promise.resolve(deliver(pods)),
});

Deno.test("pods keep their names against later ones, and mirrors are never run", () => {
  const { lines, events } = told();
  let set: readonly Pod[] = [], mirrors: readonly Pod[] = [];
  const sources = [fixed("api"), fixed("file")];
  const clock = new TestClock();
  const pods = new PodSet({
    ...{ sources, product, clock, events, log, nodeKnown: () => Promise.resolve() },
    set: (all) => void (set = all),
    mirrors: (_, all) => void (mirrors = all),
  });
  const uids = () => set.map((p) => p.metadata!.uid).join();
  pods.deliver("file", [pod("a", "1")]);
  assert.equal(pods.allDelivered(), false);
  const mirror = pod("a", "9", { "kubernetes.io/config.mirror": "h" });
  const b = pod("b", "2");
  pods.deliver("api", [mirror, pod("a", "3"), b]);
  assert.equal(pods.allDelivered(), true);
  assert.deepEqual([uids(), mirrors.map((m) => m.metadata!.uid)], ["1,2", ["9"]]);
  const said = 'Error validating pod a_default(3) from api due to duplicate pod name "a", ignoring';
  assert.deepEqual(lines, [`Warning|FailedValidation|${said}|`]);
  assert.deepEqual(set[1]!.metadata!.annotations, {
    "kubernetes.io/config.source": "api",
    "kubernetes.io/config.seen": new Date(clock.now()).toISOString(),
  });
  const before = set[1];
  pods.deliver("file", []);
  assert.deepEqual([uids(), lines.length], ["2,3", 1]);
  assert.equal(set[0], before);
  pods.deliver("api", [{ ...b, status: { phase: "Running" } }]);
  assert.equal(set[0]!.status!.phase, "Running");
  assert.equal(
    set[0]!.metadata!.annotations!["kubernetes.io/config.seen"],
    before!.metadata!.annotations!["kubernetes.io/config.seen"],
  );
});

Deno.test("pods of the API server wait until it has told of the node, static ones do not", async () => {
  const stop = new AbortController(), known = Promise.withResolvers<void>();
  const pods = new PodSet({
    sources: [fixed("api", pod("a", "1")), fixed("file", pod("b", "2"))],
    ...{ product, clock: realClock, events: told().events, log },
    nodeKnown: () => known.promise,
    set: () => {},
    mirrors: () => {},
  });
  const done = pods.run(stop.signal);
  await until(() => pods.find("2"));
  assert.equal(pods.find("1"), undefined);
  known.resolve();
  await until(() => pods.find("1"));
  stop.abort();
  await done;
});

Deno.test("each static pod has one mirror, made again when it goes or differs", async () => {
  await withServer([], async (t) => {
    const api = new TestApi(t);
    const node = await api.request<Pod>("POST", "/api/v1/nodes", { body: { metadata: { name: "n1" } } });
    const stop = new AbortController();
    let runs = true, came = 0;
    const pods: PodSet = new PodSet({
      sources: [new ApiSource(api, "n1"), fixed("file")],
      ...{ product, clock: realClock, events: told().events, log, nodeKnown: () => Promise.resolve() },
      set: () => {},
      mirrors: (statics, all) => mirrors.take(statics, all),
    });
    const mirrors = new Mirrors({
      ...{ api, product, clock: realClock, log, nodeName: "n1" },
      nodeUid: () => node.metadata!.uid,
      complete: () => pods.allDelivered(),
      runs: () => runs,
      came: () => came++,
    });
    const get = () => api.request<Pod>("GET", "/api/v1/namespaces/default/pods/a-n1").catch(() => undefined);
    const hashed = (hash: string) => ({ ...pod("a-n1", hash, { "kubernetes.io/config.hash": hash }) });
    const done = Promise.all([pods.run(stop.signal), mirrors.run(stop.signal)]);
    try {
      await until(() => pods.allDelivered());
      pods.deliver("file", [hashed("h1")]);
      await until(() => mirrors.of(hashed("h1")));
      const first = (await get())!;
      assert.equal(came, 1);
      pods.deliver("file", [hashed("h1")]);
      assert.equal(came, 1, "it was there already");
      assert.equal(first.metadata!.annotations!["kubernetes.io/config.mirror"], "h1");
      assert.equal(first.metadata!.annotations!["kubernetes.io/config.source"], "file");
      assert.deepEqual(first.metadata!.ownerReferences, [
        { apiVersion: "v1", kind: "Node", name: "n1", uid: node.metadata!.uid, controller: true },
      ]);
      await api.request("DELETE", "/api/v1/namespaces/default/pods/a-n1");
      await until(() => {
        const { uid = first.metadata!.uid } = mirrors.of(hashed("h1"))?.metadata ?? {};
        return uid !== first.metadata!.uid;
      });
      assert.equal(came, 2);
      pods.deliver("file", [hashed("h2")]);
      await until(() => mirrors.of(hashed("h2")));
      assert.equal(came, 3);
      pods.deliver("file", []);
      await new Promise((resolve) => setTimeout(resolve, 20));
      assert.ok(await get());
      runs = false;
      mirrors.look();
      await until(async () => !await get());
    } finally {
      stop.abort();
      await done;
    }
  });
});

Deno.test("a mirror that is refused is tried again after a pause, whatever other pods do", async () => {
  const clock = new TestClock(), stop = new AbortController();
  let asked = 0;
  const refused = () => {
    asked++;
    return Promise.reject(new ApiError(404, "NotFound", `namespaces "none" not found`));
  };
  const api: Api = { request: refused, follow: () => Promise.resolve() };
  const mirrors = new Mirrors({
    ...{ api, product, clock, log, nodeName: "n1" },
    ...{ nodeUid: () => "u", complete: () => true, runs: () => true, came: () => {} },
  });
  const statics = [pod("a-n1", "h1", { "kubernetes.io/config.hash": "h1" })];
  mirrors.take(statics, []);
  const done = mirrors.run(stop.signal);
  for (let i = 0; i < 5; i++) {
    await clock.pass(100);
    mirrors.take(statics, []);
  }
  assert.equal(asked, 1);
  await clock.pass(20_000);
  assert.ok(asked > 1);
  stop.abort();
  await done;
});

Deno.test("pods are started once, and waited for until each runs or failed", async () => {
  const clock = new TestClock(), { signal } = new AbortController();
  const statuses = new Map<string, PodStatus>();
  const pods = () =>
    [pod("a", "1"), pod("b", "2")].map((p) => ({ ...p, status: statuses.get(p.metadata!.uid!) ?? {} }));
  const begun = clock.now();
  let over = false;
  const once = runOnce({ clock, delivered: () => clock.now() > begun, pods }, signal).finally(() => over = true);
  await clock.pass(5_000);
  const state = { running: {} };
  statuses.set("1", {
    containerStatuses: [{ name: "c", ready: true, restartCount: 0, image: "i", imageID: "", state }],
  });
  await clock.pass(5_000);
  assert.equal(over, false, "one is neither");
  statuses.set("2", { phase: "Failed" });
  await clock.pass(60_000);
  const { started, failed } = await once;
  assert.deepEqual([started.map((p) => p.metadata!.name), failed.map((p) => p.metadata!.name)], [["a"], ["b"]]);
  const late = assert.rejects(
    runOnce({ clock, delivered: () => false, pods }, signal),
    /no pod manifest update after 1s/,
  );
  await clock.pass(1_100);
  await late;
});
