/** What a cluster has from the start comes again when it is deleted. */
import assert from "node:assert/strict";
import type { Obj } from "../../schema/model/types.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { until, World } from "./_world.ts";

const FLOW = "/apis/flowcontrol.apiserver.k8s.io/v1";
const RANGE = "/apis/networking.k8s.io/v1/servicecidrs/kubernetes";
const SERVICE = "/api/v1/namespaces/default/services/kubernetes";

/** An object without what is new each time. */
function lasting({ metadata: { name, namespace, labels, annotations }, status, ...rest }: Obj): unknown {
  const conditions = (status?.conditions ?? []).map((c: { type: string; status: string }) => [c.type, c.status]);
  return { name, namespace, labels, annotations, ...rest, conditions };
}

/** Deletes an object, and gives the one that is there instead. */
async function again(w: World, path: string): Promise<Obj> {
  const uid = (await w.get(path))!.metadata.uid;
  assert.equal(await w.remove(path), 200, path);
  let made: Obj | undefined;
  await until(`${path} is there again`, async () => {
    made = await w.get(path);
    return made !== undefined && made.metadata.uid !== uid;
  });
  return made!;
}

for (
  const path of [
    "/api/v1/namespaces/kube-node-lease",
    "/api/v1/namespaces/kube-system/configmaps/kube-apiserver-legacy-service-account-token-tracking",
    SERVICE,
    `${FLOW}/flowschemas/exempt`,
    `${FLOW}/flowschemas/global-default`,
    `${FLOW}/prioritylevelconfigurations/exempt`,
    `${FLOW}/prioritylevelconfigurations/workload-low`,
  ]
) {
  Deno.test(`it is made again: ${path}`, async () => {
    const w = await World.start("first-content,namespace");
    const first = (await w.get(path))!;
    assert.deepEqual(lasting(await again(w, path)), lasting(first));
    await w.stop();
  });
}

Deno.test("the range of services is made again, ready, and the API's own service has its address again", async () => {
  const w = await World.start("first-content");
  await again(w, RANGE);
  const ready = async () => (await w.get(RANGE))?.status?.conditions?.[0];
  await until("it is ready", async () => await ready() !== undefined);
  const { type, status } = await ready();
  assert.deepEqual([type, status], ["Ready", "True"]);
  assert.equal((await again(w, SERVICE)).spec.clusterIP, "10.0.0.1");
  const address = await w.get("/apis/networking.k8s.io/v1/ipaddresses/10.0.0.1");
  assert.deepEqual(address?.spec.parentRef, { resource: "services", namespace: "default", name: "kubernetes" });
  await w.stop();
});

const taking = (what: Record<string, unknown>, port: Record<string, unknown> = {}) => ({
  metadata: { name: "other" },
  spec: { ...what, ports: [{ port: 80, ...port }] },
});

for (
  const [what, other, flags] of [
    ["the address", taking({ clusterIP: "10.0.0.1" }), []],
    ["the node port", taking({ type: "NodePort" }, { nodePort: 31000 }), ["--kubernetes-service-node-port=31000"]],
  ] as const
) {
  Deno.test(`a server starts while another service has ${what} of the API's own, which comes when it is free`, async () => {
    const w = await World.start("-*"), { backend } = w.test, told: string[] = [];
    assert.equal(await w.remove(SERVICE), 200);
    await w.create("/api/v1/namespaces/default/services", other);
    const second = await World.start("*", [...flags], { backend, log: (_level, text) => void told.push(text) });
    assert.equal((await second.test.fetch("/readyz")).status, 200);
    assert.ok(await second.get(`${FLOW}/flowschemas/exempt`));
    assert.ok(told.some((t) => /Service kubernetes/.test(t)), told.join("\n"));
    await second.remove("/api/v1/namespaces/default/services/other");
    await until("it is there", async () => await second.get(SERVICE) !== undefined);
    await second.stop();
    await w.stop();
  });
}

Deno.test("suggested flow schemas follow the server each time it looks, but for those that somebody made their own", async () => {
  const w = await World.start("first-content"), own = "apf.kubernetes.io/autoupdate-spec";
  const precedence = async (name: string) => (await w.get(`${FLOW}/flowschemas/${name}`))!.spec.matchingPrecedence;
  await w.patch(`${FLOW}/flowschemas/global-default`, { spec: { matchingPrecedence: 9901 } });
  const spec = { matchingPrecedence: 9001 };
  await w.patch(`${FLOW}/flowschemas/service-accounts`, { metadata: { annotations: { [own]: "false" } }, spec });
  await again(w, `${FLOW}/flowschemas/system-nodes`);
  await until("it follows", async () => await precedence("global-default") === 9900);
  assert.equal(await precedence("service-accounts"), 9001);
  await w.stop();
});

Deno.test("the range of services gets the second range of a server that is started with one, and is ready", async () => {
  const w = await World.start("-*"), { backend } = w.test;
  await w.patch(`${RANGE}/status`, { status: { conditions: null } });
  const again = await World.start("-*", [], { backend });
  assert.equal((await again.get(RANGE))!.status.conditions[0].status, "True");
  await again.stop();
  for (const ranges of ["10.0.0.0/24,fd00::/112", "10.9.0.0/24,fd00::/112"]) {
    const two = await World.start("-*", [`--service-cluster-ip-range=${ranges}`], { backend });
    assert.deepEqual((await two.get(RANGE))!.spec.cidrs, ["10.0.0.0/24", "fd00::/112"], ranges);
    await two.stop();
  }
  await w.stop();
});

for (const controllers of ["*", "-*"]) {
  Deno.test(`a server that comes back with an address of the other family is in the endpoints, --controllers=${controllers}`, async () => {
    const backend = memoryBackend(), first = await World.start(controllers, [], { backend });
    await first.test.server.leave(5_000);
    await first.stop();
    const w = await World.start(controllers, [], { backend, address: { host: "2001:db8::1", port: 6443 } });
    const slice = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes";
    await until("the slice has it", async () => (await w.get(slice))?.addressType === "IPv6");
    assert.deepEqual((await w.get(slice))!.endpoints[0].addresses, ["2001:db8::1"]);
    const { subsets } = (await w.get("/api/v1/namespaces/default/endpoints/kubernetes"))!;
    assert.deepEqual(subsets[0].addresses, [{ ip: "2001:db8::1" }]);
    await w.stop();
    await backend.close();
  });
}
