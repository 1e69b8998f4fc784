import assert from "node:assert/strict";
import { Channel } from "../../../agent/runtime/channel.ts";
import { callOf } from "../../../schema/grpc/call.ts";
import type { Loose } from "../../fixture/loose.ts";
import { device, DevicePlugin, ill } from "../../fixture/device_plugin.ts";
import { MovedClock, noAgent, withAgent, withFront } from "../../spec/_orchlet.ts";
import { RESOURCE } from "./_room.ts";

if (noAgent) console.log(`devices of a whole agent are not tested: ${noAgent}`);

const NODES = [[1, "id", "int"]] as const;
const DEVICES = [[1, "resource", "string"], [2, "ids", "string", "repeated"], [3, "topology", [
  [1, "nodes", NODES, "repeated"],
]]] as const;
const ALLOCATABLE = callOf<object, Loose>("/v1.PodResourcesLister/GetAllocatableResources", [], [
  [1, "devices", DEVICES, "repeated"],
  [2, "cpus", "int", "repeated"],
]);
const GET = callOf<object, Loose>(
  "/v1.PodResourcesLister/Get",
  [[1, "name", "string"], [2, "namespace", "string"]],
  [],
);

Deno.test({
  name: "devices: the node tells how many there are, whoever asks which; without their plugin none",
  ignore: !!noAgent, // the agent needs Linux and root
}, async () => {
  const clock = new MovedClock();
  await withFront([], async (front) => {
    await withAgent(["--node-status-update-frequency=100ms"], async ({ node, dir, get }) => {
      const plugin = new DevicePlugin(`${dir}/lib/device-plugins`);
      try {
        await plugin.tell(device("a", 0), device("b"), ill("c"));
        const amounts = ({ status }: Loose) => `${status.capacity[RESOURCE]} ${status.allocatable[RESOURCE]}`;
        await node((now) => amounts(now) === "3 2");
        const channel = new Channel(`${dir}/lib/pod-resources/kubelet.sock`);
        try {
          const { devices, cpus } = await channel.call(ALLOCATABLE, {}, {});
          assert.deepEqual(devices, [
            { resource: RESOURCE, ids: ["a"], topology: { nodes: [{ id: 0 }] } },
            { resource: RESOURCE, ids: ["b"] },
          ]);
          assert.deepEqual(cpus, []);
          await assert.rejects(
            channel.call(GET, { name: "p", namespace: "n" }, {}),
            { code: "Unknown", message: "pod p in namespace n not found" },
          );
        } finally {
          channel.close();
        }
        const { text } = await get("/metrics");
        for (
          const line of [
            'kubelet_device_plugin_registration_total{resource_name="example.com/dev"} 1',
            'kubelet_pod_resources_endpoint_requests_total{server_api_version="v1"} 2',
            'kubelet_pod_resources_endpoint_errors_get{server_api_version="v1"} 1',
          ]
        ) {
          assert.ok(text.includes(line), line);
        }
      } finally {
        await plugin.stop();
      }
      await node(({ status }) => status.allocatable[RESOURCE] === "0");
      clock.pass(5 * 60_000 + 1);
      await node(({ status }) => status.capacity[RESOURCE] === "0");
    }, { front, clock });
  });
});
