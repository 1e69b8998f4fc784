/** Limits and processors of containers that run. */
import assert from "node:assert/strict";
import { amountsOf } from "../../../agent/resources/amounts.ts";
import { Hierarchy } from "../../../agent/resources/hierarchy.ts";
import { cpuListText, readMachine } from "../../../agent/resources/machine.ts";
import { Managers } from "../../../agent/resources/managers/mod.ts";
import { readTopology } from "../../../agent/resources/managers/topology.ts";
import type { PodSandboxConfig } from "../../../agent/runtime/types.ts";
import type { Pod } from "../../../schema/api/core_v1.ts";
import { IMAGES } from "../../fixture/busybox_image.ts";
import { containerdMissing, startContainerd } from "../../fixture/containerd.ts";
import { clock, container, fakeKernel, gate, NO_DEVICES, podOf, resourcesOn } from "./parts.ts";

const ROOT = "/sys/fs/cgroup";

async function missing(): Promise<string | undefined> {
  const why = containerdMissing();
  if (why) return why;
  if ((await Hierarchy.open(ROOT)).version !== 1) return "files of cgroup v1 are read";
  return (await readMachine({ proc: "/proc", sys: "/sys" })).cpus.length > 1
    ? undefined
    : "there is one processor only";
}

const why = await missing();
if (why) console.log(`limits of containers are not tested: ${why}`);

Deno.test(
  { name: "resources: containers get what they are limited to, and processors of their own", ignore: !!why },
  async () => {
    const kernel = await fakeKernel(), hierarchy = await Hierarchy.open(ROOT), containerd = await startContainerd();
    const group = `/orchlet-test-${crypto.randomUUID().slice(0, 8)}`, runtime = containerd.runtime();
    await hierarchy.make(group);
    try {
      const machine = await readMachine({ proc: "/proc", sys: "/sys" });
      const pods: Pod[] = [];
      const managers = new Managers({
        cpuManagerPolicy: "static",
        cpuManagerPolicyOptions: {},
        cpuManagerReconcilePeriod: 10_000,
        memoryManagerPolicy: "None",
        topologyManagerPolicy: "none",
        topologyManagerPolicyOptions: {},
        topologyManagerScope: "container",
        reservedCpus: "0",
        reservedMemory: [],
        rootDir: kernel,
      }, {
        gate,
        topology: await readTopology("/sys", machine),
        reservation: amountsOf({ cpu: "1" }),
        pods: () => pods,
        devices: NO_DEVICES,
        runtime,
        owner: ({ labels }) => ({ uid: labels["uid"]!, container: labels["name"]! }),
        clock,
        log: () => {},
      });
      const { resources } = await resourcesOn(kernel, hierarchy, { cgroupRoot: group }, { machine, pins: managers });
      await resources.start();
      const run = async (pod: Pod) => {
        assert.equal(managers.admit(pod), undefined);
        pods.push(pod);
        const uid = pod.metadata!.uid!, cgroupParent = await resources.pod(pod), only = pod.spec!.containers![0]!;
        const config: PodSandboxConfig = {
          metadata: { name: uid, uid, namespace: "default" },
          linux: {
            cgroupParent,
            securityContext: { namespaceOptions: { network: "NODE" } },
            ...resources.sandbox(pod),
          },
        };
        const sandbox = await runtime.runPodSandbox(config, "");
        const id = await runtime.createContainer(sandbox, {
          metadata: { name: only.name },
          image: { image: IMAGES[0] },
          command: ["/bin/sleep", "1000"],
          labels: { uid, name: only.name },
          linux: { resources: resources.container(pod, only) },
        }, config);
        await runtime.startContainer(id);
        const read = async (controller: string, file: string) =>
          (await Deno.readTextFile(`${ROOT}/${controller}${cgroupParent}/${id}/${file}`)).trim();
        return { sandbox, read };
      };
      const shared = await run(podOf("shared", [container("c", { cpu: "100m" }, { cpu: "200m", memory: "64Mi" })]));
      assert.deepEqual(
        await Promise.all([
          shared.read("cpu", "cpu.shares"),
          shared.read("cpu", "cpu.cfs_quota_us"),
          shared.read("memory", "memory.limit_in_bytes"),
          shared.read("cpuset", "cpuset.cpus"),
        ]),
        ["102", "20000", String(64 * 2 ** 20), cpuListText(machine.cpus)],
      );
      const size = { cpu: "1", memory: "64Mi" };
      const own = await run(podOf("own", [container("c", size, size)]));
      assert.deepEqual([await own.read("cpuset", "cpuset.cpus"), await own.read("cpu", "cpu.cfs_quota_us")], [
        "1",
        "-1",
      ]);
      await managers.reconcile();
      assert.equal(await shared.read("cpuset", "cpuset.cpus"), cpuListText(machine.cpus.filter((cpu) => cpu !== 1)));
      await runtime.stopPodSandbox(own.sandbox);
      pods.pop();
      await managers.reconcile();
      assert.equal(await shared.read("cpuset", "cpuset.cpus"), cpuListText(machine.cpus));
      // What still runs ends with its group.
      await resources.release({ namespace: "default", name: "pod-shared", uid: "shared" });
      for (;;) {
        const left = (await runtime.listContainers()).filter((c) => c.state === "RUNNING");
        if (left.length === 0) break;
        await clock.wait(20);
      }
    } finally {
      await containerd.stop();
      await hierarchy.remove(group, clock);
      await Deno.remove(kernel, { recursive: true });
    }
  },
);
