import assert from "node:assert/strict";
import { productOf } from "../../../schema/product.ts";
import { until } from "../../e2e/_server.ts";
import type { Follower } from "../../../agent/types.ts";
import type { Loose } from "../../fixture/loose.ts";
import { withWorld, type World } from "../client/_client.ts";
import { withNode } from "./_node.ts";

const NODE = "/api/v1/nodes/node-a";
const MERGE = { "content-type": "application/merge-patch+json" };

const condition = (node: Loose, type: string): Loose => node.status.conditions?.find((c: Loose) => c.type === type);
const reader = ({ t }: World) => async (): Promise<Loose> => (await t.fetch(NODE)).body;
const isReady = (get: () => Promise<Loose>, status = "True") => async () =>
  condition(await get(), "Ready")?.status === status;

const leasesOf = ({ product: { local } }: World): string =>
  `/apis/${local("coordination.k8s.io")}/v1/namespaces/${local("kube-node-lease")}/leases`;

/** Takes the lease away until nobody makes it again. */
async function leaseStaysAway(world: World): Promise<void> {
  let away = 0;
  await until("the lease of a node that is gone stays away", async () => {
    const { status } = await world.t.fetch(`${leasesOf(world)}/node-a`, { method: "DELETE" });
    away = status === 404 ? away + 1 : 0;
    return away === 100;
  });
}

for (const dialect of ["kubernetes", "orch"] as const) {
  Deno.test(`a node registers, reports and renews, dialect ${dialect}`, async () => {
    await withWorld(dialect, async (world) => {
      const { t, product } = world, get = reader(world);
      const local = product.local;
      const leases = leasesOf(world);
      const options = {
        nodeLabels: { team: "a" },
        registerWithTaints: [{ key: "t", value: "v", effect: "NoSchedule" as const }],
        providerId: "test://1",
      };
      await withNode(world, options, async (node) => {
        await until("it is there", async () => (await t.fetch(NODE)).status === 200);
        const made = await get();
        assert.equal(made.metadata.labels.team, "a");
        assert.equal(made.metadata.labels[local("kubernetes.io/hostname")], "node-a");
        assert.equal(made.metadata.labels[local("kubernetes.io/os")], "linux");
        const attach = local("volumes.kubernetes.io/controller-managed-attach-detach");
        assert.equal(made.metadata.annotations[attach], "true");
        assert.ok(made.spec.taints.some((x: Loose) => x.key === "t" && x.effect === "NoSchedule"));
        assert.equal(made.spec.providerID, "test://1");
        const { reason, message } = condition(made, "Ready");
        assert.deepEqual([reason, message], [
          "KubeletNotReady",
          "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:no plugin",
        ]);
        assert.equal(made.status.runtimeHandlers, undefined);
        assert.deepEqual(made.status.features, { supplementalGroupsPolicy: false });
        node.handlers = [
          { name: "", features: { recursiveReadOnlyMounts: true, userNamespaces: false } },
          { name: "vm", features: { recursiveReadOnlyMounts: false, userNamespaces: false } },
        ];
        node.network = true;
        await until("it is ready", isReady(get));
        const ready = await get();
        assert.deepEqual(
          ready.status.conditions.map((c: Loose) => [c.type, c.status, c.reason, c.message]),
          [
            ["MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"],
            ["DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"],
            ["PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"],
            ["Ready", "True", "KubeletReady", "kubelet is posting ready status"],
          ],
        );
        assert.deepEqual(ready.status.addresses, [
          { type: "InternalIP", address: "192.0.2.7" },
          { type: "Hostname", address: "node-a" },
        ]);
        assert.deepEqual(ready.status.daemonEndpoints, { kubeletEndpoint: { Port: 10250 } });
        assert.deepEqual(ready.status.runtimeHandlers, [
          { name: "", features: { recursiveReadOnlyMounts: true, userNamespaces: false } },
          { name: "vm", features: { recursiveReadOnlyMounts: false, userNamespaces: false } },
        ]);
        assert.deepEqual(ready.status.features, { supplementalGroupsPolicy: true });
        assert.equal(node.own.handler("")!.recursiveReadOnlyMounts, true);
        assert.equal(node.own.handler("other"), undefined);
        assert.deepEqual(ready.status.declaredFeatures, [
          "InPlacePodLevelResourcesVerticalScaling",
          "InPlacePodVerticalScalingInitContainers",
          "RestartAllContainersOnContainerExits",
          "VolumeBindMountOptions",
        ]);
        assert.deepEqual(ready.status.images, [{
          names: ["registry.test/a@sha256:1", "registry.test/a:1"],
          sizeBytes: 7,
        }]);
        assert.equal(ready.status.nodeInfo.containerRuntimeVersion, "containerd://1.6.20");
        assert.equal(ready.status.nodeInfo.kubeletVersion, "v1.37.0");
        assert.equal(
          ready.status.nodeInfo.kernelVersion,
          (await Deno.readTextFile("/proc/sys/kernel/osrelease")).trim(),
        );
        assert.deepEqual([ready.status.capacity.cpu, ready.status.capacity.memory, ready.status.capacity.pods], [
          "2",
          "8Gi",
          "110",
        ]);
        assert.equal(ready.status.allocatable.memory, "8092Mi");

        const lease = async (): Promise<Loose> => (await t.fetch(`${leases}/node-a`)).body;
        await until("it has a lease", async () => (await lease()).kind === "Lease");
        const first = await lease();
        assert.equal(first.spec.holderIdentity, "node-a");
        assert.deepEqual(first.metadata.ownerReferences, [
          { apiVersion: "v1", kind: "Node", name: "node-a", uid: made.metadata.uid },
        ]);
        await until("it is renewed", async () => (await lease()).spec.renewTime > first.spec.renewTime);
        assert.equal(
          (await get()).metadata.resourceVersion,
          ready.metadata.resourceVersion,
          "nothing changed meanwhile",
        );

        await t.fetch(NODE, {
          method: "PATCH",
          headers: MERGE,
          body: { spec: { unschedulable: true, podCIDR: "10.1.0.0/24", podCIDRs: ["10.1.0.0/24"] } },
        });
        await t.fetch(`${NODE}/status`, {
          method: "PATCH",
          headers: { "content-type": "application/strategic-merge-patch+json" },
          body: {
            status: { conditions: [{ type: "NetworkUnavailable", status: "False" }], capacity: { "a.test/b": "3" } },
          },
        });
        await until("its range is used", async () => node.ranges.join() === "10.1.0.0/24");
        node.pressure = ["MemoryPressure"];
        await until("pressure is told", async () => condition(await get(), "MemoryPressure").status === "True");
        const pressed = await get();
        assert.equal(condition(pressed, "MemoryPressure").reason, "KubeletHasInsufficientMemory");
        assert.equal(condition(pressed, "NetworkUnavailable").status, "False");
        assert.equal(pressed.status.capacity["a.test/b"], "3");
        node.network = false;
        await until("it is no longer ready", isReady(get, "False"));
        await until("all events are told", async () => node.events.includes("NodeNotReady"));
        assert.deepEqual(node.events, [
          "Starting",
          "NodeHasSufficientMemory",
          "NodeHasNoDiskPressure",
          "NodeHasSufficientPID",
          "NodeReady",
          "NodeNotSchedulable",
          "NodeHasInsufficientMemory",
          "NodeNotReady",
        ]);
        assert.deepEqual(node.own.hostIPs(), ["192.0.2.7"]);
        assert.deepEqual([node.own.uid(), node.own.ownerUid()], [made.metadata.uid, made.metadata.uid]);

        const finalizers = (list: string[]) =>
          t.fetch(NODE, { method: "PATCH", headers: MERGE, body: { metadata: { finalizers: list } } });
        await finalizers(["a.test/keep"]);
        await t.fetch(NODE, { method: "DELETE" });
        await until("it can own nothing while it is deleted", () => node.own.ownerUid() === undefined);
        await finalizers([]);
        await leaseStaysAway(world);
        assert.equal(node.own.ownerUid(), undefined);
      });
    });
  });
}

Deno.test("a node that a list does not tell of any more has no lease", async () => {
  await withWorld("kubernetes", async (world) => {
    const { t, api } = world;
    // As who watches hears it where versions are lost, or another store is in the place of the server's.
    const listing = Object.assign(Object.create(null), {
      request: api.request.bind(api),
      paced: api.paced.bind(api),
      renew: api.renew.bind(api),
      follow: (path: string, query: Record<string, string>, to: Follower<Loose>, signal: AbortSignal) => {
        const replace = (items: readonly Loose[]) => to.replace(items);
        const changed: typeof to.changed = (type, object) =>
          type === "DELETED" ? replace([]) : to.changed(type, object);
        return api.follow(path, query, { replace, changed }, signal);
      },
    });
    await withNode({ ...world, api: listing }, {}, async () => {
      await until("it has a lease", async () => (await t.fetch(`${leasesOf(world)}/node-a`)).status === 200);
      await t.fetch(NODE, { method: "DELETE" });
      await leaseStaysAway(world);
    });
  });
});

Deno.test("a node that was there keeps what others gave it, and gets what the agent gives", async () => {
  await withWorld("kubernetes", async (world) => {
    const { t } = world, get = reader(world);
    const body = {
      apiVersion: "v1",
      kind: "Node",
      metadata: {
        name: "node-a",
        labels: { "kubernetes.io/hostname": "old", "kubernetes.io/arch": "old", mine: "x" },
        annotations: { "volumes.kubernetes.io/controller-managed-attach-detach": "true", mine: "y" },
      },
      status: {
        capacity: { "hugepages-1Gi": "1Gi", "example.com/dev": "3" },
        allocatable: { "hugepages-1Gi": "1Gi" },
        addresses: [{ type: "InternalIP", address: "192.0.2.99" }, { type: "InternalIP", address: "192.0.2.98" }],
        nodeInfo: { bootID: "before" },
      },
    };
    assert.equal((await t.fetch("/api/v1/nodes", { body })).status, 201);
    const options = {
      enableControllerAttachDetach: false,
      nodeLabels: { "topology.kubernetes.io/zone": "z", new: "n" },
    };
    await withNode(world, options, async (node) => {
      node.network = true;
      await until("it is ready", isReady(get));
      const { metadata, status } = await get();
      assert.equal(metadata.labels["kubernetes.io/hostname"], "node-a");
      assert.equal(metadata.labels["topology.kubernetes.io/zone"], "z");
      assert.deepEqual([metadata.labels.mine, metadata.labels.new], ["x", undefined]);
      assert.deepEqual(metadata.annotations, { mine: "y" });
      assert.deepEqual(status.addresses.map((a: Loose) => a.address), ["192.0.2.7", "node-a"]);
      assert.equal(status.capacity["hugepages-1Gi"], undefined);
      assert.equal(status.allocatable["example.com/dev"], "3");
      await until("the reboot is told", async () => node.events.includes("Rebooted"));
    });
    await withNode(world, {}, async () => {
      await until("what it had is gone", async () => (await get()).status.capacity["example.com/dev"] === "0");
    }, true);
  });
});

Deno.test("without registering a node reports once it is there, and without a server it knows itself", async () => {
  await withWorld("kubernetes", async (world) => {
    const { t } = world;
    await withNode(world, { registerNode: false, cloudProvider: "external" }, async (node) => {
      node.network = true;
      await new Promise((done) => setTimeout(done, 100));
      assert.equal((await t.fetch(NODE)).status, 404);
      let isKnown = false;
      const known = node.own.known(new AbortController().signal).then(() => isKnown = true);
      await node.own.known(AbortSignal.timeout(10));
      assert.equal(isKnown, false);
      const metadata = { name: "node-a", labels: { zone: "z" } };
      await t.fetch("/api/v1/nodes", { body: { apiVersion: "v1", kind: "Node", metadata } });
      await known;
      assert.equal(node.own.node().metadata!.labels!["zone"], "z");
      await until("it is ready", isReady(reader(world)));
    });
  });
  await withNode({ api: undefined, product: productOf("orch") }, { podCidr: "10.2.0.0/24" }, async (node) => {
    node.network = true;
    await until("its range is used", () => node.ranges.join() === "10.2.0.0/24");
    await until("it has addresses", () => node.own.hostIPs().join() === "192.0.2.7");
    assert.equal(node.own.node().status?.capacity?.["cpu"], "2");
    assert.deepEqual(node.own.runtimeFaults(), []);
  });
});
