/** Which container of a pod runs is asked of the runtime, whatever the pod's status still says. */
import assert from "node:assert/strict";
import { runningId } from "../../../agent/http/containers.ts";
import type { ContainerRunState, RuntimeContainer, Strings } from "../../../agent/runtime/types.ts";
import type { Pod } from "../../../schema/api/core_v1.ts";

const POD = {
  metadata: { name: "web", namespace: "default", uid: "u1" },
  status: { containerStatuses: [{ name: "main", containerID: "containerd://first", state: { running: {} } }] },
} as Pod;

Deno.test("A container that runs is the newest one that the runtime says to run, though the status tells of one before", async () => {
  const asked: (Strings | undefined)[] = [];
  const among = (...containers: readonly (readonly [id: string, state: ContainerRunState, createdAt: bigint])[]) =>
    runningId(
      {
        listContainers: (labels) => {
          asked.push(labels);
          return Promise.resolve(
            containers.map(([id, state, createdAt]) => ({ id, state, createdAt }) as RuntimeContainer),
          );
        },
      },
      POD,
      "main",
    );
  assert.equal(await among(["first", "EXITED", 1n], ["second", "RUNNING", 2n]), "second");
  assert.equal(await among(["second", "RUNNING", 2n], ["first", "RUNNING", 1n]), "second");
  assert.equal(await among(["first", "EXITED", 1n]), undefined);
  assert.equal(await among(), undefined);
  assert.deepEqual(asked[0], { "io.kubernetes.pod.uid": "u1", "io.kubernetes.container.name": "main" });
});
