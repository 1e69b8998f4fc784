/**
 * What the options of "Request processing options" do, beside being known (options_test.ts), and the two lists of plugins. The plugins
 * themselves have their tables in tests/admission.
 */
import assert from "node:assert/strict";
import { PLUGINS } from "../../server/admission/table.ts";
import { parseOptions } from "../../server/options/mod.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import type { TestServer } from "../fixture/server.ts";
import { createMaps, map, maps, namespace, ok, refused, withServer } from "./_spec.ts";

const DEFAULT_ON =
  "NamespaceLifecycle, LimitRanger, ServiceAccount, TaintNodesByCondition, PodSecurity, Priority, DefaultTolerationSeconds, DefaultStorageClass, StorageObjectInUseProtection, PodGroupProtection, PersistentVolumeClaimResize, RuntimeClass, CertificateApproval, CertificateSigning, ClusterTrustBundleAttest, CertificateSubjectRestriction, DefaultIngressClass, PodTopologyLabels, NodeDeclaredFeatureValidator, PodResizeValidator, MutatingAdmissionPolicy, MutatingAdmissionWebhook, ValidatingAdmissionPolicy, ValidatingAdmissionWebhook, ResourceQuota"
    .split(", ");
const DEFAULT_OFF =
  "AlwaysAdmit, AlwaysDeny, AlwaysPullImages, DenyServiceExternalIPs, EventRateLimit, ExtendedResourceToleration, ImagePolicyWebhook, LimitPodHardAntiAffinityTopology, NamespaceAutoProvision, NamespaceExists, NodeRestriction, OwnerReferencesPermissionEnforcement, PodNodeSelector, PodTolerationRestriction"
    .split(", ");

const pod = (spec = {}, metadata = {}) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p", ...metadata },
  spec: { containers: [{ name: "c", image: "i:1", imagePullPolicy: "Never" }], ...spec },
});
const NO_ACCOUNT = "--disable-admission-plugins=ServiceAccount";
const pods = (ns: string): string => `/api/v1/namespaces/${ns}/pods`;

function effect(option: string, flags: string[], run: (t: TestServer, ns: string) => Promise<void>): void {
  Deno.test(`Request processing options, effect of ${option}`, () =>
    withServer(flags, async (t) => await run(t, await namespace(t))));
}

Deno.test("Request processing options: the two lists of plugins", () => {
  const names = (on: boolean) => PLUGINS.filter((p) => p.enabledByDefault === on).map((p) => p.name).sort();
  assert.deepEqual(names(true), [...DEFAULT_ON].sort());
  assert.deepEqual(names(false), [...DEFAULT_OFF].sort());
  for (const name of [...DEFAULT_ON, ...DEFAULT_OFF]) {
    for (const option of ["enable", "disable"]) {
      assert.equal(
        parseOptions([`--${option}-admission-plugins=${name}`, "--service-cluster-ip-range=10.0.0.0/24"]).kind,
        "run",
      );
    }
  }
});

effect("--enable-admission-plugins", [NO_ACCOUNT, "--enable-admission-plugins=AlwaysPullImages"], async (t, ns) => {
  const made = await ok(t, pods(ns), { body: pod() });
  assert.equal(made.body.spec.containers[0].imagePullPolicy, "Always");
  assert.equal(made.body.spec.priority, 0, "the default plugins run beside it");
});

effect("--disable-admission-plugins", ["--disable-admission-plugins=ServiceAccount,Priority"], async (t, ns) => {
  const made = await ok(t, pods(ns), { body: pod() });
  assert.equal(made.body.spec.priority, undefined);
  assert.ok(made.body.spec.tolerations, "the other default plugins run");
});

effect("--admission-control", ["--admission-control=AlwaysPullImages,NamespaceLifecycle"], async (t, ns) => {
  const made = await ok(t, pods(ns), { body: pod() });
  assert.equal(made.body.spec.containers[0].imagePullPolicy, "Always");
  assert.equal(made.body.spec.priority, undefined);
  await refused(t, 404, pods("nowhere"), { body: pod() });
});

Deno.test("Request processing options, effect of --admission-control-config-file", async () => {
  const file = await Deno.makeTempFile({ suffix: ".yaml" });
  try {
    await Deno.writeTextFile(
      file,
      `apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
- name: PodSecurity
  configuration:
    apiVersion: pod-security.admission.config.k8s.io/v1
    kind: PodSecurityConfiguration
    defaults: {enforce: baseline}
`,
    );
    await withServer([NO_ACCOUNT, `--admission-control-config-file=${file}`], async (t) => {
      await refused(t, 403, pods(await namespace(t)), { body: pod({ hostNetwork: true }) });
    });
    await Deno.writeTextFile(
      file,
      "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugin: []\n",
    );
    await assert.rejects(withServer([`--admission-control-config-file=${file}`], async () => {}), /unknown field/);
  } finally {
    await Deno.remove(file);
  }
});

const privileged = pod({ containers: [{ name: "c", image: "i", securityContext: { privileged: true } }] });

effect("--allow-privileged", [NO_ACCOUNT, "--allow-privileged"], async (t, ns) => {
  await ok(t, pods(ns), { body: privileged });
});
effect("no --allow-privileged", [NO_ACCOUNT], async (t, ns) => {
  await refused(t, 422, pods(ns), { body: privileged });
});

for (const [name, key, at] of [["not-ready", "not-ready", 0], ["unreachable", "unreachable", 1]] as const) {
  const option = `--default-${name}-toleration-seconds`;
  effect(option, [NO_ACCOUNT, `${option}=7`], async (t, ns) => {
    const { tolerations } = (await ok(t, pods(ns), { body: pod() })).body.spec;
    assert.deepEqual(tolerations[at], {
      key: `node.kubernetes.io/${key}`,
      operator: "Exists",
      effect: "NoExecute",
      tolerationSeconds: 7,
    });
    assert.equal(tolerations[1 - at].tolerationSeconds, 300);
  });
}

const removeForeground = {
  method: "DELETE",
  body: { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Foreground" },
};

effect("--enable-garbage-collector", [], async (t, ns) => {
  await createMaps(t, ns, "a");
  await ok(t, maps(ns, "a"), removeForeground);
  const left = await ok(t, maps(ns, "a"));
  assert.deepEqual(left.body.metadata.finalizers, ["foregroundDeletion"]);
});
effect("--enable-garbage-collector=false", ["--enable-garbage-collector=false"], async (t, ns) => {
  await createMaps(t, ns, "a");
  await ok(t, maps(ns, "a"), removeForeground);
  await refused(t, 404, maps(ns, "a"));
});

effect("--delete-collection-workers", ["--delete-collection-workers=8"], async (t, ns) => {
  await createMaps(t, ns, ...Array.from({ length: 40 }, (_, i) => `m${i}`));
  const gone = await ok(t, maps(ns), { method: "DELETE" });
  assert.equal(gone.body.items.length, 40);
  assert.equal((await ok(t, maps(ns))).body.items.length, 0);
});

for (const [flags, workers] of [[[], 1], [["--delete-collection-workers=5"], 5]] as const) {
  Deno.test(`Request processing options, effect of ${flags[0] ?? "no --delete-collection-workers"} on deletions at once`, async () => {
    const inner = memoryBackend();
    let atWork = 0, most = 0;
    const backend = new Proxy(inner, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        if (name !== "commit") return value.bind(target);
        return async (...args: Parameters<typeof inner.commit>) => {
          most = Math.max(most, ++atWork);
          await new Promise((done) => setTimeout(done)); // as long as it takes others to come
          return await inner.commit(...args).finally(() => atWork--);
        };
      },
    });
    await withServer(flags, async (t) => {
      const ns = await namespace(t);
      await createMaps(t, ns, ...Array.from({ length: 20 }, (_, i) => `m${i}`));
      most = 0;
      await ok(t, maps(ns), { method: "DELETE" });
      assert.equal(most, workers);
    }, { backend });
    await inner.close();
  });
}

const service = (type: string, more = {}) => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "s" },
  spec: { type, ports: [{ port: 80 }], ...more },
});
const services = (ns: string): string => `/api/v1/namespaces/${ns}/services`;

effect("--service-cluster-ip-range", ["--service-cluster-ip-range=10.77.0.0/24"], async (t, ns) => {
  assert.match((await ok(t, services(ns), { body: service("ClusterIP") })).body.spec.clusterIP, /^10\.77\.0\./);
  await refused(t, 422, services(ns), {
    body: { ...service("ClusterIP", { clusterIP: "10.78.0.9" }), metadata: { name: "t" } },
  });
});

effect("--service-node-port-range", ["--service-node-port-range=31000-31001"], async (t, ns) => {
  const { nodePort } = (await ok(t, services(ns), { body: service("NodePort") })).body.spec.ports[0];
  assert.ok(nodePort === 31000 || nodePort === 31001, String(nodePort));
  const outside = service("NodePort", { ports: [{ port: 80, nodePort: 30000 }] });
  await refused(t, 422, services(ns), { body: { ...outside, metadata: { name: "t" } } });
});

/** Ports of a server's addresses in the endpoints of the API's own service, and that service. */
async function own(t: TestServer) {
  const { body } = await t.fetch("/api/v1/namespaces/default/endpoints/kubernetes");
  const { spec } = (await ok(t, "/api/v1/namespaces/default/services/kubernetes")).body;
  return { addresses: body.subsets?.[0].addresses.map((a: { ip: string }) => a.ip), spec };
}

for (const [type, addresses] of [["lease", ["192.0.2.10"]], ["master-count", ["192.0.2.10"]], ["none", undefined]]) {
  effect(`--endpoint-reconciler-type=${type}`, [`--endpoint-reconciler-type=${type}`], async (t) => {
    assert.deepEqual((await own(t)).addresses, addresses);
  });
}
effect("no --endpoint-reconciler-type", [], async (t) => assert.deepEqual((await own(t)).addresses, ["192.0.2.10"]));

effect("--kubernetes-service-node-port", ["--kubernetes-service-node-port=30123"], async (t) => {
  const { spec } = await own(t);
  assert.deepEqual([spec.type, spec.ports[0].nodePort], ["NodePort", 30123]);
});
effect("no --kubernetes-service-node-port", [], async (t) => {
  const { spec } = await own(t);
  assert.deepEqual([spec.type, spec.ports[0].nodePort], ["ClusterIP", undefined]);
});

effect("plugins whose names come in any order", [
  "--admission-control=ResourceQuota,AlwaysPullImages,NamespaceLifecycle",
], async (t, ns) => {
  await ok(t, maps(ns), { body: map("m") });
  await refused(t, 404, maps("nowhere"), { body: map("m") });
});
