import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import type { Loose } from "../../fixture/loose.ts";
import { ClaimDriver } from "../../fixture/claim_driver.ts";
import { until } from "../../listen/_fixture.ts";
import { withHost } from "../../spec/_host.ts";
import { type Front, noAgent, withFront } from "../../spec/_orchlet.ts";

if (noAgent) console.log(`claims of pods are not tested: ${noAgent}`);

const API = "/apis/resource.k8s.io/v1";
const CLAIMS = `${API}/namespaces/default/resourceclaims`;
const PODS = "/api/v1/namespaces/default/pods";
const NAME = "dev.example.com";

const json = (method: string, body?: Loose) => ({ method, ...(body ? { body } : {}) });

async function did({ t }: Front, path: string, method: string, body?: Loose): Promise<Loose> {
  const { status, body: answer } = await t.fetch(path, json(method, body) as never);
  assert.ok(status < 300, JSON.stringify(answer));
  return answer;
}

const claimed = (name: string, claims: Loose[], more: Loose = {}): Loose => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "default" },
  spec: {
    nodeName: "localhost",
    terminationGracePeriodSeconds: 1,
    resourceClaims: [{ name: "c", resourceClaimName: "mine" }],
    containers: [{ name, image: "registry.test/a:1", imagePullPolicy: "IfNotPresent", resources: { claims } }],
    ...more,
  },
});

Deno.test({
  name: "claims: made ready by their driver for pods that may use them, given to containers, taken back after the last",
  ignore: !!noAgent, // the agent needs Linux and root
}, async () => {
  await withFront([], async (front) => {
    await withHost(
      ["--cgroups-per-qos=false", "--enforce-node-allocatable=none"],
      async ({ dir, running, node }) => {
        await node();
        const registry = `${dir}/lib/plugins_registry`;
        await mkdir(registry, { recursive: true });
        const driver = new ClaimDriver(`${registry}/${NAME}.sock`, NAME, "v1");
        await driver.start();
        try {
          await until("it is told", () => driver.told.length > 0);
          assert.deepEqual(driver.told[0], { registered: true, error: "" });
          const requests = [{ name: "one", exactly: { deviceClassName: "dev" } }];
          const claim = await did(front, CLAIMS, "POST", {
            apiVersion: "resource.k8s.io/v1",
            kind: "ResourceClaim",
            metadata: { name: "mine" },
            spec: { devices: { requests } },
          });
          const first = await did(front, PODS, "POST", claimed("first", [{ name: "c", request: "one" }]));
          const second = await did(front, PODS, "POST", claimed("second", [{ name: "c" }]));
          const why = "prepare dynamic resources: pod first";
          await until("it is not allowed", async () => {
            const { items } = await did(front, "/api/v1/namespaces/default/events", "GET");
            return items.some((e: Loose) => e.reason === "FailedPrepareDynamicResources" && e.message.includes(why));
          });
          const consumer = ({ metadata: { name, uid } }: Loose) => ({ resource: "pods", name, uid });
          const results = [{ request: "one", driver: NAME, pool: "pool", device: "mine" }];
          await did(front, `${CLAIMS}/mine/status`, "PUT", {
            ...claim,
            status: { allocation: { devices: { results } }, reservedFor: [first, second].map(consumer) },
          });
          for (const name of ["first", "second"]) {
            assert.deepEqual((await running(name)).config.cdiDevices, [{ name: `${NAME}/dev=mine` }]);
          }
          await until("the status tells of it", async () => {
            const { status } = await did(front, `${PODS}/first`, "GET");
            const [told] = status.containerStatuses?.[0].allocatedResourcesStatus ?? [];
            return JSON.stringify(told) ===
              `{"name":"claim:c/one","resources":[{"resourceID":"${NAME}/dev=mine","health":"Unknown"}]}`;
          });
          const kept = JSON.parse(JSON.parse(await Deno.readTextFile(`${dir}/lib/dra_manager_state`)).Data);
          assert.equal(kept.apiVersion, "checkpoint.dra.kubelet.k8s.io/v1");
          const [{ ClaimUID, PodUIDs, DriverState }] = kept.ClaimInfoStateList;
          assert.equal(ClaimUID, claim.metadata.uid);
          assert.deepEqual(Object.keys(PodUIDs).sort(), [first, second].map((p) => p.metadata.uid).sort());
          assert.deepEqual(DriverState[NAME].Devices, [{
            PoolName: "pool",
            DeviceName: "mine",
            ShareID: null,
            RequestNames: ["one"],
            CDIDeviceIDs: [`${NAME}/dev=mine`],
          }]);
          const gone = async (name: string) => {
            await did(front, `${PODS}/${name}`, "DELETE");
            await until(`${name} is gone`, async () => (await front.t.fetch(`${PODS}/${name}`)).status === 404);
          };
          await gone("first");
          assert.equal(driver.count("NodeUnprepareResources"), 0);
          await gone("second");
          assert.equal(driver.count("NodeUnprepareResources"), 1);
          const left = JSON.parse(JSON.parse(await Deno.readTextFile(`${dir}/lib/dra_manager_state`)).Data);
          assert.deepEqual(left.ClaimInfoStateList, []);
          await did(front, `${API}/resourceslices`, "POST", {
            apiVersion: "resource.k8s.io/v1",
            kind: "ResourceSlice",
            metadata: { name: "slice" },
            spec: {
              nodeName: "localhost",
              driver: NAME,
              pool: { name: "pool", generation: 1, resourceSliceCount: 1 },
              devices: [{ name: "mine" }],
            },
          });
        } finally {
          await driver.stop();
          await Deno.remove(driver.path).catch(() => {});
        }
        await until(
          "nothing is offered without the driver",
          async () => (await did(front, `${API}/resourceslices`, "GET")).items.length === 0,
        );
      },
      { front },
    );
  });
});
