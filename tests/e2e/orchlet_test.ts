/** kubectl, the API server, the node agent and containers: what a user of a node does. */
import assert from "node:assert/strict";
import type { Loose } from "../fixture/loose.ts";
import { device, DevicePlugin, ill } from "../fixture/device_plugin.ts";
import { type Containerd, containerdMissing, startContainerd } from "../fixture/containerd.ts";
import { CsiDriverProcess, DRIVER } from "../fixture/csi_driver.ts";
import { unmountBelow } from "../fixture/mounts.ts";
import { AgentProcess, NODE } from "./_agent.ts";
import { clientMinor, Kubectl, ServerProcess, until } from "./_server.ts";

const missing = containerdMissing() ?? (await clientMinor() === undefined ? "kubectl is not installed" : undefined);
if (missing) console.log(`the node agent's program is not tested: ${missing}`);
const ignore = missing !== undefined;

const IMAGE = "docker.io/library/busybox:1.35";
const LOOP = "trap 'exit 0' TERM; while true; do sleep 0.1; done";

const pod = (name: string, command: string, more: Loose = {}, spec: Loose = {}): Loose => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "default" },
  spec: {
    nodeName: NODE,
    terminationGracePeriodSeconds: 2,
    containers: [{ name: "main", image: IMAGE, command: ["sh", "-c", command], ...more }],
    ...spec,
  },
});

interface World {
  readonly k: Kubectl;
  readonly agent: AgentProcess;
  readonly containerd: Containerd;
  readonly dir: string;
}

async function withContainerd(run: (containerd: Containerd, dir: string) => Promise<void>): Promise<void> {
  const containerd = await startContainerd(), dir = await Deno.makeTempDir({ prefix: "orchlet-e2e-" });
  try {
    await run(containerd, dir);
  } finally {
    await containerd.stop();
    unmountBelow(dir);
    await Deno.remove(dir, { recursive: true });
  }
}

Deno.test({ name: "a node of one's own, with kubectl", ignore }, async (t) => {
  await withContainerd(async (containerd, dir) => {
    const server = await ServerProcess.start("kubernetes", ["--kubelet-preferred-address-types=Hostname"]);
    const manifests = `${dir}/manifests`;
    await Deno.mkdir(manifests);
    const agent = new AgentProcess(dir, containerd, [
      `--orchconfig=${server.kubeconfig}`,
      `--client-ca-file=${server.dir}/data/ca.crt`,
      "--anonymous-auth=false",
      "--authorization-mode=Webhook",
      `--pod-manifest-path=${manifests}`,
      "--node-status-update-frequency=1s",
    ]);
    try {
      await agent.run();
      const world: World = { k: await Kubectl.of(server), agent, containerd, dir };
      for (const [name, step] of Object.entries(STEPS)) await t.step(name, () => step(world));
    } finally {
      await agent.stop();
      await server.end();
    }
  });
});

const statusOf = async (k: Kubectl, name: string): Promise<Loose> => (await k.json(`get pod ${name}`)).status;

const STEPS: Readonly<Record<string, (world: World) => Promise<void>>> = {
  "the node is ready": async ({ k }) => {
    await k.run(`wait --for=condition=Ready --timeout=120s node/${NODE}`);
    const { status } = await k.json(`get node ${NODE}`);
    assert.match(status.nodeInfo.containerRuntimeVersion, /^containerd:/);
    assert.equal(status.capacity.pods, "110");
  },
  "a pod runs, is looked at and goes": async ({ k, containerd }) => {
    await k.run("create configmap greeting --from-literal=word=hello");
    const volumes = [{ name: "data", emptyDir: {} }, { name: "words", configMap: { name: "greeting" } }];
    const mounts = [{ name: "data", mountPath: "/data" }, { name: "words", mountPath: "/words" }];
    const initContainers = [{
      name: "first",
      image: IMAGE,
      command: ["sh", "-c", "cat /words/word > /data/said"],
      volumeMounts: mounts,
    }];
    const main = {
      volumeMounts: mounts,
      env: [{ name: "ME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
      readinessProbe: { exec: { command: ["test", "-s", "/data/said"] }, periodSeconds: 1 },
    };
    await k.run("apply -f -", pod("web", `echo "$(cat /data/said) $ME"; ${LOOP}`, main, { initContainers, volumes }));
    await k.run("wait --for=condition=Ready --timeout=120s pod/web");
    await until("it has spoken", async () => (await k.run("logs web -c main")).includes("hello web\n"));
    assert.equal(await k.run("exec web -c main -- cat /data/said"), "hello");
    const { status, metadata: { uid } } = await k.json("get pod web");
    assert.equal(status.phase, "Running");
    assert.equal(status.initContainerStatuses[0].state.terminated.reason, "Completed");
    const events = (await k.json("get events --field-selector involvedObject.name=web")).items;
    assert.deepEqual(new Set(events.map((e: Loose) => e.reason)).has("Started"), true);
    await k.run("delete pod web");
    const runtime = containerd.runtime();
    assert.deepEqual(await runtime.listPodSandboxes({ "io.kubernetes.pod.uid": uid }), []);
    runtime.close();
  },
  "containers that end are started again, after pauses, or not": async ({ k }) => {
    await k.run("apply -f -", pod("crash", "echo no luck > /dev/termination-log; exit 3"));
    await k.run("apply -f -", pod("done", "true", {}, { restartPolicy: "Never" }));
    await until("it crashed twice", async () => (await statusOf(k, "crash")).containerStatuses?.[0].restartCount > 0);
    const last = async () => (await statusOf(k, "crash")).containerStatuses[0];
    await until("it waits", async () => (await last()).state.waiting?.reason === "CrashLoopBackOff");
    const { exitCode, message } = (await last()).lastState.terminated;
    assert.deepEqual([exitCode, message], [3, "no luck\n"]);
    await until("the other one is done", async () => (await statusOf(k, "done")).phase === "Succeeded");
    await k.run("delete pod crash done");
  },
  "what cannot start says why": async ({ k }) => {
    const volumes = [{ name: "v", secret: { secretName: "absent" } }];
    const volumeMounts = [{ name: "v", mountPath: "/v" }];
    await k.run("apply -f -", pod("nomap", LOOP, { envFrom: [{ configMapRef: { name: "absent" } }] }));
    await k.run("apply -f -", pod("novol", LOOP, { volumeMounts }, { volumes }));
    await k.run("apply -f -", pod("huge", LOOP, { resources: { requests: { cpu: "1000" } } }));
    const reason = async (name: string) => (await statusOf(k, name)).containerStatuses?.[0].state.waiting?.reason;
    await until("of a config map", async () => await reason("nomap") === "CreateContainerConfigError");
    await until("of the node", async () => (await statusOf(k, "huge")).reason === "OutOfcpu");
    await until(
      "of a volume",
      async () =>
        (await k.json("get events --field-selector reason=FailedMount")).items.some((e: Loose) =>
          e.message === `MountVolume.SetUp failed for volume "v" : secret "absent" not found`
        ),
    );
    await k.run("delete pod nomap novol huge");
  },
  "resources are changed in place, of init containers and of whole pods": async ({ k }) => {
    const first = (cpu: string): Loose => ({ name: "first", resources: { requests: { cpu: "10m" }, limits: { cpu } } });
    const whole = (cpu: string, memory: string) => ({
      requests: { cpu: "50m", memory: "8Ki" },
      limits: { cpu, memory },
    });
    const waits = { image: IMAGE, command: ["sh", "-c", "while ! test -e /go; do sleep 0.1; done"] };
    await k.run(
      "apply -f -",
      pod("sized", LOOP, {}, { initContainers: [{ ...first("100m"), ...waits }], resources: whole("500m", "128Mi") }),
    );
    const init = async () => (await statusOf(k, "sized")).initContainerStatuses?.[0];
    await until("the init container runs", async () => (await init())?.state.running);
    const { containerID } = await init();
    const resize = (spec: Loose) => k.run(`patch pod sized --subresource=resize -p ${JSON.stringify({ spec })}`);
    await resize({ initContainers: [first("200m")] });
    await until("it has more", async () => (await init()).resources.limits.cpu === "200m");
    assert.equal((await init()).containerID, containerID);
    await k.run("exec sized -c first -- touch /go");
    await k.run("wait --for=condition=Ready --timeout=120s pod/sized");
    await resize({ resources: whole("700m", "128Mi") });
    await until("the pod has more", async () => (await statusOf(k, "sized")).resources.limits.cpu === "700m");
    await resize({ resources: whole("700m", "16Ki") });
    const fault = async () =>
      (await statusOf(k, "sized")).conditions.find((c: Loose) => c.type === "PodResizeInProgress")?.message;
    await until("it says why not less", async () => /memory limit \(16384\) below current usage/.test(await fault()));
    await k.run("delete pod sized");
  },
  "a probe restarts": async ({ k }) => {
    const livenessProbe = { exec: { command: ["test", "!", "-e", "/ill"] }, periodSeconds: 1, failureThreshold: 1 };
    await k.run("apply -f -", pod("ill", LOOP, { livenessProbe }));
    await k.run("wait --for=condition=Ready --timeout=120s pod/ill");
    await k.run("exec ill -- touch /ill");
    await until("it is started again", async () => (await statusOf(k, "ill")).containerStatuses[0].restartCount === 1);
    await k.run("delete pod ill");
  },
  "containers outlive the agent": async ({ k, agent }) => {
    await k.run("apply -f -", pod("lasting", LOOP));
    await k.run("wait --for=condition=Ready --timeout=120s pod/lasting");
    const id = async () => (await statusOf(k, "lasting")).containerStatuses[0].containerID;
    const before = await id();
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      await agent.stop(signal);
      await agent.run();
      assert.match(await k.run("exec lasting -- echo there"), /there/);
      assert.equal(await id(), before);
    }
    // One that was deleted meanwhile is ended after it.
    await agent.stop();
    await k.run("delete pod lasting --wait=false");
    await agent.run();
    await k.run("wait --for=delete --timeout=120s pod/lasting");
  },
  "devices of plugins are given, and kept by those that have them": async ({ k, agent, dir }) => {
    await Deno.writeTextFile(`${dir}/driver`, "driver 7");
    const mounts = [{ containerPath: "/driver", hostPath: `${dir}/driver`, readOnly: true }];
    const plugin = new DevicePlugin(`${dir}/lib/device-plugins`, { allocation: { mounts } });
    try {
      await plugin.tell(device("a"), device("b"));
      const counted = async () => (await k.json(`get node ${NODE}`)).status.allocatable["example.com/dev"];
      await until("they are counted", async () => await counted() === "2");
      const resources = (count: string) => ({ resources: { limits: { "example.com/dev": count } } });
      await k.run("apply -f -", pod("dev", LOOP, resources("1")));
      await k.run("wait --for=condition=Ready --timeout=120s pod/dev");
      assert.match(await k.run("exec dev -- env"), /^DEVICES=a$/m);
      assert.equal(await k.run("exec dev -- cat /driver"), "driver 7");
      const [before] = (await statusOf(k, "dev")).containerStatuses;
      assert.deepEqual(before.allocatedResourcesStatus, [
        { name: "example.com/dev", resources: [{ resourceID: "a", health: "Healthy" }] },
      ]);
      await agent.stop("SIGKILL");
      await agent.run();
      await until("the plugin is back", () => plugin.of("registered").length === 2);
      // It is told of devices a moment later: one more, which is ill, shows that it has been.
      await plugin.tell(device("a"), device("b"), ill("c"));
      const known = async () => (await k.json(`get node ${NODE}`)).status.capacity["example.com/dev"];
      await until("its devices are known", async () => await known() === "3");
      await k.run("apply -f -", pod("other", LOOP, resources("1")));
      await k.run("wait --for=condition=Ready --timeout=120s pod/other");
      assert.match(await k.run("exec other -- env"), /^DEVICES=b$/m);
      await k.run("apply -f -", pod("third", LOOP, resources("1")));
      await until("it is refused", async () => (await statusOf(k, "third")).reason === "UnexpectedAdmissionError");
      assert.match(
        (await statusOf(k, "third")).message,
        /Allocate failed due to requested number of devices unavailable for example.com\/dev. Requested: 1, Available: 0, which is unexpected$/,
      );
      assert.equal((await statusOf(k, "dev")).containerStatuses[0].containerID, before.containerID);
      await k.run("delete pod dev other third");
    } finally {
      await plugin.stop();
    }
  },
  "volumes of a driver outlive the agent, and are taken back": async ({ k, agent, dir }) => {
    const driver = new CsiDriverProcess(`${dir}/csi`, `${dir}/lib/plugins_registry`);
    try {
      await k.run("apply -f -", {
        apiVersion: "storage.k8s.io/v1",
        kind: "CSIDriver",
        metadata: { name: DRIVER },
        spec: { attachRequired: false, volumeLifecycleModes: ["Ephemeral"] },
      });
      await until("the driver is known", async () => {
        const { spec } = await k.json(`get csinode ${NODE}`);
        return spec.drivers?.length === 1;
      });
      const volumes = [{ name: "v", csi: { driver: DRIVER } }], volumeMounts = [{ name: "v", mountPath: "/v" }];
      const write = `[ -e /v/f ] || echo kept > /v/f; ${LOOP}`;
      await k.run("apply -f -", pod("stored", write, { volumeMounts }, { volumes }));
      await k.run("wait --for=condition=Ready --timeout=120s pod/stored");
      await agent.stop("SIGKILL");
      await agent.run();
      assert.equal(await k.run("exec stored -- cat /v/f"), "kept\n");
      await until("it is published again", () => driver.calls("NodePublishVolume").length === 2);
      await agent.stop("SIGKILL");
      await k.run("delete pod stored --wait=false");
      await agent.run();
      await k.run("wait --for=delete --timeout=120s pod/stored");
      const [[, published]] = driver.calls("NodePublishVolume") as readonly [readonly [string, Loose]];
      const [[, unpublished]] = driver.calls("NodeUnpublishVolume") as readonly [readonly [string, Loose]];
      assert.equal(unpublished.target_path, published.target_path);
    } finally {
      await driver.stop();
    }
  },
  "static pods have mirrors": async ({ k, dir }) => {
    const { nodeName: _, ...spec } = pod("x", LOOP).spec;
    const file = `${dir}/manifests/own.yaml`;
    await Deno.writeTextFile(file, JSON.stringify({ apiVersion: "v1", kind: "Pod", metadata: { name: "own" }, spec }));
    const mirror = `own-${NODE}`;
    await until("it is there", async () => (await k.try(["get", "pod", mirror])).code === 0);
    await k.run(`wait --for=condition=Ready --timeout=120s pod/${mirror}`);
    assert.match(await k.run(`exec ${mirror} -- echo there`), /there/);
    await Deno.remove(file);
    await k.run(`wait --for=delete --timeout=120s pod/${mirror}`);
  },
  "a node that was deleted has no mirrors: they would be collected, and made again": async ({ k, agent, dir }) => {
    const { nodeName: _, ...spec } = pod("x", LOOP).spec;
    const put = (name: string) =>
      Deno.writeTextFile(
        `${dir}/manifests/${name}.yaml`,
        JSON.stringify({ apiVersion: "v1", kind: "Pod", metadata: { name }, spec }),
      );
    const mirrors = async () => (await k.json("get pods")).items.map((p: Loose) => p.metadata.name);
    await put("first");
    await until("it is there", async () => (await mirrors()).includes(`first-${NODE}`));
    await k.run(`delete node ${NODE}`);
    await k.run(`delete pod first-${NODE} --force --grace-period=0`);
    await put("second");
    await until("the second one runs", async () => {
      const { items } = await (await fetch(`http://127.0.0.1:${agent.readOnlyPort}/pods`)).json();
      return items.some((p: Loose) => p.metadata.name === `second-${NODE}` && p.status.phase === "Running");
    });
    assert.deepEqual(await mirrors(), []);
  },
};

Deno.test({ name: "a node without an API server runs what files say", ignore }, async () => {
  await withContainerd(async (containerd, dir) => {
    const { nodeName: _, ...spec } = pod("x", LOOP).spec;
    await Deno.writeTextFile(`${dir}/own.yaml`, JSON.stringify({ ...pod("own", ""), spec }));
    const agent = new AgentProcess(dir, containerd, [`--pod-manifest-path=${dir}/own.yaml`]);
    try {
      await agent.run();
      await until("it runs", async () => {
        const { items } = await (await fetch(`http://127.0.0.1:${agent.readOnlyPort}/pods`)).json();
        return items?.[0]?.status?.phase === "Running";
      });
      await agent.stop();
      const { code, text } = await agent.once("--runonce");
      assert.equal(code, 0, text);
      assert.match(text, /1 pods started/);
    } finally {
      await agent.stop();
    }
  });
});
