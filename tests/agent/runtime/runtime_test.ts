/** The client of the container runtime, on containerd. */
import assert from "node:assert/strict";
import { socketOf } from "../../../agent/runtime/channel.ts";
import { openRuntime } from "../../../agent/runtime/mod.ts";
import type { ContainerConfig, PodSandboxConfig, Runtime } from "../../../agent/runtime/types.ts";
import { IMAGES, PAUSE_IMAGE } from "../../fixture/busybox_image.ts";
import { type Containerd, containerdMissing, startContainerd } from "../../fixture/containerd.ts";

const missing = containerdMissing();
if (missing) console.log(`containers are not tested: ${missing}`);

const image = { image: IMAGES[0] };
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const refused = (code: string) => (e: unknown) => {
  assert.equal((e as { name: string }).name, "RuntimeError");
  assert.equal((e as { code: string }).code, code, String(e));
  return true;
};

Deno.test({
  name: "runtime: what it does with containers",
  ignore: missing !== undefined, // no containerd on this machine
}, async (t) => {
  const containerd = await startContainerd();
  const runtime = containerd.runtime();
  try {
    await t.step("it says who it is and how it is", async () => {
      const version = await runtime.version();
      assert.equal(version.runtimeName, "containerd");
      assert.equal(version.runtimeApiVersion, "v1");
      const conditions = ["RuntimeReady", "NetworkReady"].map((type) => ({
        type,
        status: true,
        reason: "",
        message: "",
      }));
      const status = await runtime.status();
      // Newer ones tell more conditions, and of their handlers.
      assert.deepEqual(status.conditions.slice(0, 2), conditions);
      if (version.runtimeVersion.replace(/^v/, "").startsWith("1.6.")) assert.deepEqual(status.handlers, []);
      await runtime.updateRuntimeConfig("192.0.2.0/24");
    });
    await t.step("images", () => images(runtime));
    await t.step("a sandbox with a network of its own", () => ownNetwork(runtime, containerd));
    await t.step("a container from its making to its end", () => life(runtime, containerd));
    await t.step("stop waits so long, then kills", () => stops(runtime, containerd));
    await t.step("what is not there is told", async () => {
      for (
        const call of [
          () => runtime.podSandboxStatus("none"),
          () => runtime.containerStatus("none"),
          () => runtime.startContainer("none"),
          () => runtime.execSync("none", ["true"], 1),
          () =>
            runtime.exec({ containerId: "none", cmd: ["true"], tty: false, stdin: false, stdout: true, stderr: true }),
          () => runtime.reopenContainerLog("none"),
        ]
      ) await assert.rejects(call(), refused("NotFound"));
      assert.equal(await runtime.imageStatus({ image: "docker.io/library/none:1" }), undefined);
      await runtime.removeContainer("none");
      await runtime.removePodSandbox("none");
      await runtime.removeImage({ image: "docker.io/library/none:1" });
    });
    await t.step("an image goes with all its names", async () => {
      await runtime.removeImage({ image: IMAGES[1] });
      assert.equal(await runtime.imageStatus(image), undefined);
    });
  } finally {
    await containerd.stop();
  }
  await assert.rejects(runtime.version(), refused("Canceled"));
});

Deno.test({
  name: "runtime: one that comes back is found again",
  ignore: missing !== undefined, // no containerd on this machine
}, async () => {
  const directory = await Deno.makeTempDir();
  const path = `${directory}/runtime.sock`;
  const runtime = openRuntime({ endpoint: `unix://${path}`, imageEndpoint: "", requestTimeout: 60_000 });
  await assert.rejects(runtime.version(), refused("Unavailable"));
  const containerd = await startContainerd();
  try {
    await Deno.symlink(containerd.socket, path);
    while (await runtime.version().then(() => false, () => true)) await new Promise((done) => setTimeout(done, 50));
    const signal = AbortSignal.abort();
    await assert.rejects(runtime.pullImage(image, undefined, sandbox("x"), signal), refused("Canceled"));
  } finally {
    runtime.close();
    await containerd.stop();
    await Deno.remove(directory, { recursive: true });
  }
});

Deno.test("runtime: endpoints", () => {
  assert.equal(socketOf("unix:///run/a.sock"), "/run/a.sock");
  assert.equal(socketOf("/run/a.sock"), "/run/a.sock");
  assert.equal(socketOf("@a"), "@a");
  assert.equal(socketOf("unix:@a"), "@a");
  assert.throws(() => socketOf("tcp://127.0.0.1:1"), /is no path of a Unix socket/);
});

function sandbox(name: string, logDirectory = "", network: "NODE" | "POD" = "NODE"): PodSandboxConfig {
  return {
    metadata: { name, uid: `uid-${name}`, namespace: "shop" },
    logDirectory,
    labels: { app: name },
    annotations: { note: "n" },
    linux: { securityContext: { namespaceOptions: { network } } },
  };
}

const container = (name: string, script: string, more: Partial<ContainerConfig> = {}): ContainerConfig => ({
  metadata: { name, attempt: 2 },
  image,
  command: ["sh", "-c", script],
  logPath: `${name}.log`,
  labels: { container: name },
  ...more,
});

async function ended(runtime: Runtime, id: string) {
  for (;;) {
    const status = await runtime.containerStatus(id);
    if (status.state === "EXITED") return status;
    await new Promise((done) => setTimeout(done, 20));
  }
}

async function images(runtime: Runtime): Promise<void> {
  const all = await runtime.listImages();
  assert.deepEqual(all.flatMap((i) => i.repoTags).sort(), [...IMAGES, PAUSE_IMAGE].sort());
  const one = await runtime.imageStatus(image);
  assert.ok(one!.size > 1_000_000);
  assert.deepEqual(await runtime.imageStatus({ image: one!.id }), one);
  const [usage] = await runtime.imageFilesystems();
  assert.match(usage!.fsId!.mountpoint, /snapshotter/);
  // Nobody listens there.
  await assert.rejects(
    runtime.pullImage({ image: "127.0.0.1:1/none:1" }, undefined, sandbox("pull")),
    /connection refused/,
  );
}

async function ownNetwork(runtime: Runtime, containerd: Containerd): Promise<void> {
  const config = sandbox("net", containerd.directory, "POD");
  const id = await runtime.runPodSandbox(config, "");
  const status = await runtime.podSandboxStatus(id);
  assert.equal(status.state, "READY");
  assert.match(status.network!.ip, /^192\.0\.2\.\d+$/);
  assert.equal(status.linux!.namespaces!.options!.network, "POD");
  assert.deepEqual(status.metadata, { name: "net", uid: "uid-net", namespace: "shop", attempt: 0 });
  assert.ok(status.createdAt > 1_600_000_000_000_000_000n);
  assert.match(await runtime.portForward(id, [80]), /^http:\/\/127\.0\.0\.1:\d+\/portforward\//);
  await runtime.stopPodSandbox(id);
  const [listed] = await runtime.listPodSandboxes({ app: "net" });
  assert.equal(listed!.state, "NOTREADY");
  assert.deepEqual(listed!.annotations, { note: "n" });
  await runtime.removePodSandbox(id);
  assert.deepEqual(await runtime.listPodSandboxes(), []);
  await assert.rejects(runtime.runPodSandbox(config, "none"), /no runtime for "none" is configured/);
}

async function life(runtime: Runtime, { directory }: Containerd): Promise<void> {
  const config = sandbox("life", directory);
  const pod = await runtime.runPodSandbox(config, "");
  await Deno.mkdir(`${directory}/volume`);
  const id = await runtime.createContainer(
    pod,
    container("main", 'echo "$GREETING $*"; echo err >&2; echo kept > /volume/file; id -u; read x; exit 7', {
      args: ["name", "two", "args"],
      envs: [{ key: "GREETING", value: "grüß" }],
      mounts: [{ containerPath: "/volume", hostPath: `${directory}/volume` }],
      stdin: true,
      linux: {
        resources: { memoryLimitInBytes: 64 << 20, cpuShares: 512, cpuPeriod: 100_000, cpuQuota: 50_000 },
        securityContext: { runAsUser: { value: 0 }, supplementalGroups: [7, 300] },
      },
    }),
    config,
  );
  assert.equal((await runtime.containerStatus(id)).state, "CREATED");
  await runtime.startContainer(id);
  const running = await runtime.containerStatus(id);
  assert.equal(running.state, "RUNNING");
  assert.deepEqual(running.metadata, { name: "main", attempt: 2 });
  assert.equal(running.mounts[0]!.hostPath, `${directory}/volume`);
  assert.equal(running.mounts[0]!.propagation, "PRIVATE");
  assert.equal(running.finishedAt, 0n);
  const [listed] = await runtime.listContainers({ container: "main" });
  assert.deepEqual([listed!.id, listed!.podSandboxId, listed!.state], [id, pod, "RUNNING"]);

  const said = await runtime.execSync(id, ["sh", "-c", "id -G; echo no >&2; exit 3"], 10);
  assert.deepEqual([text(said.stdout), text(said.stderr), said.exitCode], ["0 7 300\n", "no\n", 3]);
  await assert.rejects(runtime.execSync(id, ["sleep", "60"], 1), refused("DeadlineExceeded"));
  const signal = AbortSignal.timeout(200);
  await assert.rejects(runtime.execSync(id, ["sleep", "60"], 0, signal), refused("Canceled"));
  const streams = { containerId: id, tty: false, stdin: true, stdout: true, stderr: true };
  assert.match(await runtime.exec({ ...streams, cmd: ["sh"] }), /^http:\/\/127\.0\.0\.1:\d+\/exec\//);
  assert.match(await runtime.attach(streams), /^http:\/\/127\.0\.0\.1:\d+\/attach\//);

  const [stats] = await runtime.listContainerStats({ container: "main" });
  assert.equal(stats!.attributes!.id, id);
  assert.ok(stats!.cpu!.usageCoreNanoSeconds!.value > 0n);
  assert.ok(stats!.memory!.workingSetBytes!.value > 0n);
  await runtime.updateContainerResources(id, { memoryLimitInBytes: 128 << 20 });
  await runtime.reopenContainerLog(id);
  await runtime.stopContainer(id, 0);
  assert.equal((await runtime.containerStatus(id)).exitCode, 137);
  await runtime.removeContainer(id);

  const log = (await Deno.readTextFile(`${directory}/main.log`)).trim().split("\n");
  const lines = log.map((line) => line.replace(/^\S+ /, "")).sort();
  assert.deepEqual(lines, ["stderr F err", "stdout F 0", "stdout F grüß two args"]);
  assert.equal(await Deno.readTextFile(`${directory}/volume/file`), "kept\n");

  const other = await runtime.createContainer(pod, container("other", "exit 3"), config);
  await runtime.startContainer(other);
  const over = await ended(runtime, other);
  assert.deepEqual([over.exitCode, over.reason], [3, "Error"]);
  assert.ok(over.startedAt > over.createdAt && over.finishedAt > over.createdAt);
}

async function stops(runtime: Runtime, { directory }: Containerd): Promise<void> {
  const config = sandbox("stops", directory);
  const pod = await runtime.runPodSandbox(config, "");
  const begun = async (name: string, script: string) => {
    const id = await runtime.createContainer(pod, container(name, script), config);
    await runtime.startContainer(id);
    while (!(await Deno.readTextFile(`${directory}/${name}.log`)).includes("ready")) {
      await new Promise((done) => setTimeout(done, 20));
    }
    return id;
  };
  const obedient = await begun("obedient", "trap 'exit 5' TERM; echo ready; while :; do sleep 0.05; done");
  await runtime.stopContainer(obedient, 30);
  assert.equal((await ended(runtime, obedient)).exitCode, 5);
  const deaf = await begun("deaf", "trap '' TERM; echo ready; while :; do sleep 0.05; done");
  await runtime.stopContainer(deaf, 1);
  assert.equal((await ended(runtime, deaf)).exitCode, 137);
}
