/** A public client library against a real server: typed objects, an informer over a restart, a watch that goes on. */
import assert from "node:assert/strict";
import {
  AppsV1Api,
  CoreV1Api,
  KubeConfig,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  type V1ConfigMap,
  Watch,
} from "../libraries/kubernetes.ts";
import { ServerProcess, until } from "./_server.ts";

const NS = "default";

Deno.test({
  name: "a client library: typed objects, an informer over a restart, a watch that goes on",
  // The library keeps its connections open for a while.
  sanitizeOps: false,
  sanitizeResources: false,
}, async (test) => {
  const server = await ServerProcess.start("kubernetes");
  try {
    const config = new KubeConfig();
    config.loadFromFile(server.kubeconfig);
    await test.step("typed create, read, update, patch, delete", () => typed(config));
    await test.step("a watch goes on where another ended", () => resumed(config));
    await test.step("an informer over a restart of the server", () => informed(config, server));
  } finally {
    await server.end();
  }
});

async function typed(config: KubeConfig): Promise<void> {
  const core = config.makeApiClient(CoreV1Api), apps = config.makeApiClient(AppsV1Api);
  const made = await core.createNamespacedConfigMap({
    namespace: NS,
    body: { metadata: { name: "typed" }, data: { k: "v" } },
  });
  assert.ok(made.metadata?.creationTimestamp instanceof Date);
  const put = await core.replaceNamespacedConfigMap({
    namespace: NS,
    name: "typed",
    body: { ...made, data: { k: "w" } },
  });
  assert.deepEqual(put.data, { k: "w" });
  const stale = core.replaceNamespacedConfigMap({ namespace: NS, name: "typed", body: { ...made, data: { k: "x" } } });
  await assert.rejects(stale, (e: { code: number; body: string }) => e.code === 409 && /Conflict/.test(e.body));
  const patched = await core.patchNamespacedConfigMap(
    { namespace: NS, name: "typed", body: [{ op: "replace", path: "/data/k", value: "y" }] },
    setHeaderOptions("Content-Type", PatchStrategy.JsonPatch),
  );
  assert.deepEqual(patched.data, { k: "y" });

  const labels = { app: "typed" };
  await core.createNamespacedPod({
    namespace: NS,
    body: { metadata: { name: "typed", labels }, spec: { containers: [{ name: "c", image: "example.com/c:1" }] } },
  });
  const pods = await core.listNamespacedPod({ namespace: NS, labelSelector: "app=typed" });
  assert.deepEqual(pods.items.map((p) => p.spec?.restartPolicy), ["Always"]);
  await core.deleteNamespacedPod({ namespace: NS, name: "typed", gracePeriodSeconds: 0 });

  const body = {
    metadata: { name: "typed" },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "example.com/c:1" }] } },
    },
  };
  const deployment = await apps.createNamespacedDeployment({ namespace: NS, body });
  assert.equal(deployment.spec?.replicas, 1);
  const scale = await apps.readNamespacedDeploymentScale({ namespace: NS, name: "typed" });
  scale.spec!.replicas = 4;
  await apps.replaceNamespacedDeploymentScale({ namespace: NS, name: "typed", body: scale });
  const scaled = await apps.readNamespacedDeployment({ namespace: NS, name: "typed" });
  assert.deepEqual([scaled.spec?.replicas, scaled.metadata?.generation], [4, 2]);
  await apps.deleteNamespacedDeployment({ namespace: NS, name: "typed" });
  await assert.rejects(
    apps.readNamespacedDeployment({ namespace: NS, name: "typed" }),
    (e: { code: number }) => e.code === 404,
  );

  const many = ["p-1", "p-2", "p-3", "p-4", "p-5"];
  for (const name of many) {
    await core.createNamespacedConfigMap({ namespace: NS, body: { metadata: { name, labels: { of: "pages" } } } });
  }
  const names: (string | undefined)[] = [];
  let next: string | undefined;
  do {
    const page = await core.listNamespacedConfigMap({
      namespace: NS,
      labelSelector: "of=pages",
      limit: 2,
      ...(next ? { _continue: next } : {}),
    });
    names.push(...page.items.map((i) => i.metadata?.name));
    next = page.metadata?._continue;
  } while (next);
  assert.deepEqual(names, many);
}

/** Watches config maps from a version until so many events came; the events' names, and the last version. */
async function watchFrom(config: KubeConfig, version: string, count: number, act: () => Promise<unknown>) {
  const names: string[] = [];
  let last = version;
  let enough = () => {};
  const done = new Promise<void>((resolve) => enough = resolve);
  const controller = await new Watch(config).watch(
    `/api/v1/namespaces/${NS}/configmaps`,
    { resourceVersion: version, allowWatchBookmarks: true },
    (type: string, object: V1ConfigMap) => {
      last = object.metadata!.resourceVersion!;
      if (type !== "BOOKMARK") names.push(`${type} ${object.metadata!.name}`);
      if (names.length === count) enough();
    },
    () => {},
  );
  await act();
  await done;
  controller.abort();
  return { names, last };
}

async function resumed(config: KubeConfig): Promise<void> {
  const core = config.makeApiClient(CoreV1Api);
  const create = (name: string) => core.createNamespacedConfigMap({ namespace: NS, body: { metadata: { name } } });
  const list = await core.listNamespacedConfigMap({ namespace: NS });
  const first = await watchFrom(config, list.metadata!.resourceVersion!, 2, async () => {
    await create("w-1");
    await create("w-2");
  });
  assert.deepEqual(first.names, ["ADDED w-1", "ADDED w-2"]);
  await create("w-3"); // while nobody watches
  await core.deleteNamespacedConfigMap({ namespace: NS, name: "w-1" });
  const second = await watchFrom(config, first.last, 3, () => create("w-4"));
  assert.deepEqual(second.names, ["ADDED w-3", "DELETED w-1", "ADDED w-4"]);
}

async function informed(config: KubeConfig, server: ServerProcess): Promise<void> {
  const core = config.makeApiClient(CoreV1Api);
  const labelSelector = "of=informer";
  const create = (name: string) =>
    core.createNamespacedConfigMap({ namespace: NS, body: { metadata: { name, labels: { of: "informer" } } } });
  const path = `/api/v1/namespaces/${NS}/configmaps`;
  const list = () => core.listNamespacedConfigMap({ namespace: NS, labelSelector });
  const informer = makeInformer(config, path, list, labelSelector);
  const known = new Set<string>();
  informer.on("add", (m) => known.add(m.metadata!.name!));
  informer.on("delete", (m) => known.delete(m.metadata!.name!));
  let running = true;
  informer.on("error", () => {
    // As every user of it does: once more, a little later.
    if (running) setTimeout(() => running && informer.start().catch(() => {}), 100);
  });
  await create("i-1");
  await informer.start();
  await until("the informer knows what was there", () => known.has("i-1"));
  await create("i-2");
  await until("it hears of what is new", () => known.has("i-2"));
  await server.stop();
  await server.run();
  await create("i-3");
  await core.deleteNamespacedConfigMap({ namespace: NS, name: "i-1" });
  await until("it has what came after the restart", () => known.has("i-3") && !known.has("i-1"));
  assert.deepEqual([...known].sort(), ["i-2", "i-3"]);
  running = false;
  await informer.stop();
}
