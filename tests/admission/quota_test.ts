/** ResourceQuota: what counts, what is refused, and that nothing is lost or doubled when many ask at once. */
import assert from "node:assert/strict";
import type { Obj } from "../../schema/model/types.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { productOf } from "../../schema/product.ts";
import { deviceEvaluator } from "../../server/quota/devices.ts";
import { podEvaluator } from "../../server/quota/pods.ts";
import { openDenoKv } from "../../server/storage/denokv/open.ts";
import type { Backend } from "../../server/storage/backend.ts";
import { startTestServer, type TestServer } from "../fixture/server.ts";
import { container, create, namespace, obj, pod } from "./_cases.ts";
import type { Loose } from "../fixture/loose.ts";

const FLAGS = ["--disable-admission-plugins=ServiceAccount"];

const merge = { "content-type": "application/merge-patch+json" };

/** A quota with its status as the controller would write it. */
async function counted(s: TestServer, ns: string, name: string, hard: Loose, used: Loose): Promise<void> {
  assert.equal((await create(s, ns, obj("v1", "ResourceQuota", name, { spec: { hard } }))).status, 201);
  const path = `/api/v1/namespaces/${ns}/resourcequotas/${name}/status`;
  const told = await s.fetch(path, { method: "PATCH", headers: merge, body: { status: { hard, used } } });
  assert.equal(told.status, 200, told.text);
}

/** Asks for many pods at once, of one server or of two in turn, and checks that exactly what fits was made and charged. */
async function race(servers: readonly TestServer[], wanted: number, fits: number): Promise<void> {
  const [first] = servers as [TestServer];
  const ns = await namespace(first);
  await counted(first, ns, "q", { pods: String(fits) }, { pods: "0" });
  // One that has room for all comes before it: what it was charged for pods that are refused in the end it gets back.
  await counted(first, ns, "a", { "count/pods": "999" }, { "count/pods": "0" });
  for (const s of servers) await s.server.registries.live.get("resourcequotas", ns, "q");
  const answers = await Promise.all(
    Array.from({ length: wanted }, (_, i) => create(servers[i % servers.length]!, ns, pod({}, {}, `p${i}`))),
  );
  const statuses = answers.map((a) => a.status);
  assert.equal(statuses.filter((s) => s === 201).length, fits, answers.find((a) => a.status > 403)?.text ?? "");
  assert.equal(statuses.filter((s) => s === 403).length, wanted - fits);
  for (const [name, counts] of [["q", "pods"], ["a", "count/pods"]] as const) {
    const after = await first.server.registries.live.get("resourcequotas", ns, name);
    assert.deepEqual((after as Loose).status.used, { [counts]: String(fits) });
  }
}

async function withBackend(backend: Backend, use: (backend: Backend) => Promise<void>): Promise<void> {
  try {
    await use(backend);
  } finally {
    await backend.close();
  }
}

type Commit = Backend["commit"];

/** A store whose commits are made in another way. */
function committing(
  backend: Backend,
  how: (make: () => ReturnType<Commit>, keys: readonly string[]) => ReturnType<Commit>,
) {
  return new Proxy(backend, {
    get(target, key) {
      const value = Reflect.get(target, key, target);
      if (key !== "commit") return typeof value === "function" ? value.bind(target) : value;
      return (...args: Parameters<Commit>) => how(() => target.commit(...args), args[0].map((change) => change.key));
    },
  });
}

/** A store whose commits wait for some turns of the event loop before and after, by a seed. */
function jittered(backend: Backend, seed: number): Backend {
  let state = seed * 2654435761 >>> 0 || 1;
  const turns = () => {
    state ^= state << 13, state ^= state >>> 17, state ^= state << 5;
    return (state >>> 0) % 7;
  };
  const wait = async () => {
    for (let n = turns(); n > 0; n--) await new Promise((done) => setTimeout(done, 0));
  };
  return committing(backend, async (make) => {
    await wait();
    const result = await make();
    await wait();
    return result;
  });
}

Deno.test("64 creates at once take exactly what fits", async () => {
  const s = await startTestServer(FLAGS);
  try {
    await race([s], 64, 10);
    await race([s], 64, 64);
    await race([s], 64, 0);
  } finally {
    await s.stop();
  }
});

Deno.test("two servers on one store charge exactly what fits", async () => {
  await withBackend(memoryBackend(), async (backend) => {
    const servers = [await startTestServer(FLAGS, { backend }), await startTestServer(FLAGS, { backend })];
    try {
      for (const fits of [1, 10, 40]) await race(servers, 64, fits);
    } finally {
      for (const s of servers) await s.stop();
    }
  });
});

Deno.test("two servers charge exactly what fits, however their writes interleave", async (t) => {
  for (let seed = 1; seed <= 8; seed++) {
    await t.step(`seed ${seed}`, () =>
      withBackend(memoryBackend(), async (backend) => {
        const servers = [
          await startTestServer(FLAGS, { backend: jittered(backend, seed) }),
          await startTestServer(FLAGS, { backend: jittered(backend, seed + 100) }),
        ];
        try {
          await race(servers, 64, 5 + seed);
        } finally {
          for (const s of servers) await s.stop();
        }
      }));
  }
});

Deno.test("64 creates at once on Deno KV take exactly what fits", async () => {
  const dir = await Deno.makeTempDir();
  try {
    await withBackend(await openDenoKv(`${dir}/store.kv`), async (backend) => {
      const s = await startTestServer(FLAGS, { backend });
      try {
        await race([s], 64, 10);
      } finally {
        await s.stop();
      }
    });
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

/** A store that does something before each commit of a quota. */
const before = (backend: Backend, work: () => Promise<void>): Backend =>
  committing(backend, async (make, keys) => {
    if (keys.some((key) => key.endsWith("/q"))) await work();
    return await make();
  });

Deno.test("a charge that cannot be written fails the request, which makes nothing", async () => {
  let broken = false;
  const fail = () => broken ? Promise.reject(new Error("the store is broken")) : Promise.resolve();
  await withBackend(before(memoryBackend(), fail), async (backend) => {
    const s = await startTestServer(FLAGS, { backend });
    try {
      const ns = await namespace(s), path = `/api/v1/namespaces/${ns}/pods/p`;
      await counted(s, ns, "q", { pods: "1" }, { pods: "0" });
      broken = true;
      assert.equal((await create(s, ns, pod())).status, 500);
      assert.equal((await s.fetch(path)).status, 404);
      broken = false;
      assert.equal((await create(s, ns, pod())).status, 201);
    } finally {
      await s.stop();
    }
  });
});

Deno.test("a quota that goes while it is charged bounds nobody any more", async () => {
  let go: (() => Promise<unknown>) | undefined;
  const work = async () => {
    const once = go;
    go = undefined;
    await once?.();
  };
  await withBackend(before(memoryBackend(), work), async (backend) => {
    const s = await startTestServer(FLAGS, { backend });
    try {
      const ns = await namespace(s);
      await counted(s, ns, "q", { pods: "1" }, { pods: "0" });
      go = () => s.fetch(`/api/v1/namespaces/${ns}/resourcequotas/q`, { method: "DELETE" });
      assert.equal((await create(s, ns, pod())).status, 201);
      assert.equal((await s.fetch(`/api/v1/namespaces/${ns}/resourcequotas/q`)).status, 404);
    } finally {
      await s.stop();
    }
  });
});

const LIMITED = `apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
- name: ResourceQuota
  configuration:
    apiVersion: apiserver.config.k8s.io/v1
    kind: ResourceQuotaConfiguration
    limitedResources:
    - {resource: services, matchContains: [services.loadbalancers]}
`;

Deno.test("what is limited changes without a quota as long as it uses no more", async () => {
  const file = await Deno.makeTempFile({ suffix: ".yaml" });
  await Deno.writeTextFile(file, LIMITED);
  const s = await startTestServer([...FLAGS, `--admission-control-config-file=${file}`]);
  try {
    const ns = await namespace(s), services = `/api/v1/namespaces/${ns}/services`;
    const status = { hard: { "services.loadbalancers": "1" }, used: { "services.loadbalancers": "0" } };
    await create(s, ns, obj("v1", "ResourceQuota", "q", { spec: { hard: status.hard } }));
    const change = (path: string, body: Loose) =>
      s.fetch(path, { method: "PATCH", headers: { "content-type": "application/merge-patch+json" }, body });
    const counted = await change(`/api/v1/namespaces/${ns}/resourcequotas/q/status`, { status });
    assert.equal(counted.status, 200, counted.text);
    for (const [name, type] of [["balanced", "LoadBalancer"], ["plain", "ClusterIP"]]) {
      const made = await create(s, ns, obj("v1", "Service", name!, { spec: { type, ports: [{ port: 80 }] } }));
      assert.equal(made.status, 201, made.text);
    }
    await s.fetch(`/api/v1/namespaces/${ns}/resourcequotas/q`, { method: "DELETE" });
    const same = await change(`${services}/balanced`, { metadata: { labels: { a: "b" } } });
    assert.equal(same.status, 200, same.text);
    const more = await change(`${services}/plain`, { spec: { type: "LoadBalancer" } });
    assert.equal(more.status, 403, more.text);
    assert.match(more.body.message, /insufficient quota to consume: services\.loadbalancers$/);
  } finally {
    await s.stop();
    await Deno.remove(file);
  }
});

Deno.test("however many containers of a pod say too little, each is put down once", async () => {
  const t = await startTestServer(FLAGS);
  try {
    const ns = await namespace(t), hard = { "limits.memory": "1", "requests.cpu": "1" };
    assert.equal((await create(t, ns, obj("v1", "ResourceQuota", "q", { spec: { hard } }))).status, 201);
    const status = { hard, used: { "limits.memory": "0", "requests.cpu": "0" } };
    const headers = { "content-type": "application/merge-patch+json" };
    await t.fetch(`/api/v1/namespaces/${ns}/resourcequotas/q/status`, { method: "PATCH", headers, body: { status } });
    const containers = Array.from({ length: 20_000 }, (_, i) => ({ name: `c${i}`, image: "i" }));
    const { status: code, body } = await create(t, ns, pod({ containers }));
    const all = containers.map((c) => c.name).sort().join(",");
    assert.equal(code, 403);
    assert.ok(body.message.endsWith(`must specify limits.memory for: ${all}; requests.cpu for: ${all}`));
  } finally {
    await t.stop();
  }
});

Deno.test("a grace without end is over at once, as on the public server: a pod that has it holds no more than its place", async () => {
  const t = await startTestServer(FLAGS);
  try {
    const ns = await namespace(t), path = `/api/v1/namespaces/${ns}/pods/p`;
    const long = JSON.stringify(pod({ nodeName: "n", terminationGracePeriodSeconds: 30 }, {}, "p"));
    const body = long.replace(
      '"terminationGracePeriodSeconds":30',
      '"terminationGracePeriodSeconds":9223372036854775807',
    );
    const headers = { "content-type": "application/json" };
    const made = await t.fetch(`/api/v1/namespaces/${ns}/pods`, { method: "POST", headers, body });
    assert.equal(made.status, 201, made.text);
    assert.equal((await t.fetch(path, { method: "DELETE" })).status, 200);
    const { cache, ctx } = t.server.registries.byId("pods")!, object = cache.get(ns, "p")!.object();
    assert.equal(typeof object.metadata.deletionGracePeriodSeconds, "bigint");
    assert.deepEqual([...podEvaluator(ctx.rules).usage(object).keys()], ["count/pods"]);
  } finally {
    await t.stop();
  }
});

Deno.test("a pod holds what it asks for and what it costs beside, until it has ended or should be gone", () => {
  const at = Date.parse("2026-01-01T00:00:00Z");
  const cpuOf = (more: Loose, later = 0) => {
    const rules = { product: productOf("kubernetes"), gate: () => true, now: () => at + later, allowPrivileged: false };
    const spec = { containers: [container({ requests: { cpu: "1" } })], overhead: { cpu: "2" } };
    return podEvaluator(rules).usage({ ...pod(spec), ...more } as Obj).get("requests.cpu")?.toString();
  };
  const going = { metadata: { deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 30 } };
  assert.deepEqual([cpuOf({}), cpuOf(going, 30_000), cpuOf(going, 30_001)], ["3", "3", undefined]);
  const phases = ["Pending", "Running", "Unknown", "Succeeded", "Failed"].map((phase) => cpuOf({ status: { phase } }));
  assert.deepEqual(phases, ["3", "3", "3", undefined, undefined]);
});

Deno.test("devices of a claim that was made for a pod's extended resource are charged under the name that the pod was not", () => {
  const rules = { product: productOf("kubernetes"), gate: () => true, now: Date.now, allowPrivileged: false };
  const deviceClass = obj("resource.k8s.io/v1", "DeviceClass", "gpu", { spec: { extendedResourceName: "x.io/gpu" } });
  const BY_CLASS = "requests.deviceclass.resource.kubernetes.io/gpu", BY_NAME = "requests.x.io/gpu";
  const asks = (amount: string, name = "c", more = {}) => ({
    ...container({ requests: { "x.io/gpu": amount } }, name),
    ...more,
  });
  const owner = { apiVersion: "v1", kind: "Pod", name: "p", uid: "u", controller: true };
  const marked = { annotations: { "resource.kubernetes.io/extended-resource-claim": "true" } };
  const made = (requests: number[], metadata: Loose = {}) =>
    obj("resource.k8s.io/v1", "ResourceClaim", "d", {
      metadata: { namespace: "ns", ownerReferences: [owner], ...marked, ...metadata },
      spec: {
        devices: {
          requests: requests.map((count, i) => ({
            name: `r${i}`,
            exactly: { deviceClassName: "gpu", allocationMode: "ExactCount", count },
          })),
        },
      },
    });
  const two = { containers: [asks("2")] };
  const other = { extendedResourceClaimStatus: { resourceClaimName: "e" } };
  const rows: [what: string, claim: Loose, spec: Loose, byClass: string, byName: string | undefined, status?: Loose][] =
    [
      ["as the pod asks", made([2]), two, "2", undefined],
      [
        "by the name of the class",
        made([2]),
        {
          containers: [container({ requests: { "deviceclass.resource.kubernetes.io/gpu": "2" } })],
        },
        "0",
        "2",
      ],
      ["another amount", made([3]), two, "3", "3"],
      ["asked for once, needed twice", made([2, 2]), two, "4", "2"],
      ["not marked", made([2], { annotations: {} }), two, "2", "2"],
      ["of another pod of the name", made([2], { ownerReferences: [{ ...owner, uid: "before" }] }), two, "2", "2"],
      [
        "of an owner that does not control it",
        made([2], { ownerReferences: [{ ...owner, controller: false }] }),
        two,
        "2",
        "2",
      ],
      ["of a pod with another claim", made([2]), two, "2", "2", other],
      [
        "of containers that come first, beyond the others",
        made([2]),
        {
          initContainers: [asks("3", "first")],
          containers: [asks("1")],
        },
        "2",
        undefined,
      ],
      [
        "of one that comes first and stays",
        made([3]),
        {
          initContainers: [asks("3", "first", { restartPolicy: "Always" })],
          containers: [asks("1")],
        },
        "3",
        undefined,
      ],
    ];
  for (const [what, claim, spec, byClass, byName, status] of rows) {
    const asking = { metadata: { name: "p", uid: "u" }, spec, ...(status ? { status } : {}) };
    const lister = { get: () => asking as Loose, list: () => [deviceClass], changes: () => 1 };
    const usage = deviceEvaluator(rules as Loose, lister).usage(claim);
    const said = [usage.get(BY_CLASS)?.toString() ?? "0", usage.get(BY_NAME)?.toString()];
    assert.deepEqual(said, [byClass, byName], what);
  }
});
