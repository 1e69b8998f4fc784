import assert from "node:assert/strict";
import type { Pod, PodStatus } from "../../../schema/api/core_v1.ts";
import { LABEL } from "../../../agent/pods/mod.ts";
import { disrupted } from "../../../agent/relief.ts";
import { IMAGES } from "../../fixture/busybox_image.ts";
import { type Containerd, containerdMissing, startContainerd } from "../../fixture/containerd.ts";
import { Node } from "./_node.ts";
import { FOREVER, gone, only, pod, shell } from "./_shell_pods.ts";

const missing = containerdMissing();
if (missing) console.log(`pods on a node: skipped, ${missing}`);

/** One containerd for all of them, a node for each. */
Deno.test({
  name: "pods on a node",
  ignore: missing !== undefined, // no containerd on this machine
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async (t) => {
    const containerd: Containerd = await startContainerd();
    const on = async (name: string, what: (node: Node) => Promise<void>) => {
      await t.step(name, async () => {
        const node = new Node(containerd);
        node.start();
        try {
          await what(node);
        } finally {
          await node.stop();
          for (const { id } of await node.runtime.listPodSandboxes()) {
            await node.runtime.stopPodSandbox(id);
            await node.runtime.removePodSandbox(id);
          }
        }
      });
    };
    try {
      await on("from its first container to its last word", wholeLife);
      await on("pods that end by themselves", ending);
      await on("containers that keep ending", crashing);
      await on("another start of the agent, and pods without a source", again);
      await on("sidecars and hooks", sidecars);
      await on("what the node does not take, deadlines, evictions", refusing);
      await on("other images and resources, probes, lost sandboxes", changing);
      await on("names that are used again", names);
      await on("deleted again, and sooner", sooner);
      await on("pods that come while another one ends, at another start of the agent", coming);
      await on("images that take their time", pulling);
      await on("all containers begin anew", anew);
    } finally {
      await containerd.stop();
    }
  },
});

async function wholeLife(node: Node): Promise<void> {
  const init = shell("first", "echo $(GREETING) > /data/part/greeting", {
    env: [{ name: "GREETING", value: "hello" }],
    volumeMounts: [{ name: "data", mountPath: "/data" }],
    lifecycle: {},
  });
  const tells = "cat /part/greeting /etc/hosts /etc/resolv.conf; hostname; id -u";
  const main = shell("main", `trap 'exit 0' TERM; ${tells}; ${FOREVER}`, {
    volumeMounts: [{ name: "data", mountPath: "/part", subPath: "part", readOnly: true }],
    securityContext: { runAsUser: 1000, allowPrivilegeEscalation: false },
  });
  // The part is made for the first container that wants it; the init container only finds it.
  const maker = shell("maker", "true", { volumeMounts: [{ name: "data", mountPath: "/x", subPath: "part" }] });
  const web = pod({
    hostname: "web",
    volumes: [{ name: "data", emptyDir: {} }],
    initContainers: [maker, init],
    containers: [main],
  });
  node.set(web);
  const running = await node.status(web.metadata!.uid!, (s) => s.phase === "Running");
  assert.deepEqual(running.initContainerStatuses!.map((s) => s.state!.terminated?.reason), ["Completed", "Completed"]);
  assert.equal(only(running).ready, true);
  assert.match(running.podIP!, /^192\.0\.2\.\d+$/);
  await node.until(async () => (await node.log("default_pod1_uid1", "main")).includes("1000"));
  const log = await node.log("default_pod1_uid1", "main");
  for (const part of ["hello", `${running.podIP}\tweb`, "nameserver 192.0.2.53", "\nweb\n"]) {
    assert.ok(log.includes(part), `${part} in ${log}`);
  }
  const told = node.events.filter((e) => e.includes("spec.containers{main}"));
  assert.deepEqual(told, [
    "pod1 | Normal | Created | Container created | spec.containers{main}",
    "pod1 | Normal | Started | Container started | spec.containers{main}",
  ]);
  node.set(gone(web, 30));
  await node.until(() => node.ended.has("uid1"));
  const last = node.statuses.get("uid1")!;
  assert.equal(last.phase, "Succeeded");
  assert.equal(only(last).state!.terminated!.exitCode, 0);
  assert.equal(last.podIP, running.podIP);
  assert.ok(node.released.has("uid1"));
  const figures = (await node.metrics.metrics()).split("\n");
  for (
    const line of [
      "kubelet_started_pods_total 1",
      'kubelet_started_containers_total{container_type="container"} 1',
      'kubelet_started_containers_total{container_type="init_container"} 2',
      'kubelet_terminated_containers_total{container_type="container",exit_code="0",reason="Completed"} 1',
      'kubelet_run_podsandbox_duration_seconds_count{runtime_handler=""} 1',
      'kubelet_pod_worker_duration_seconds_count{operation_type="create"} 1',
      "kubelet_containers_per_pod_count_sum 1",
      "kubelet_pod_start_duration_seconds_count 1",
      'kubelet_desired_pods{static=""} 1',
    ]
  ) {
    assert.ok(
      figures.includes(line),
      `${line}\n${figures.filter((f) => f.startsWith(line.split(/[{ ]/)[0]!)).join("\n")}`,
    );
  }
  assert.ok(figures.some((line) => /^kubelet_pleg_relist_duration_seconds_count [1-9]/.test(line)));
  assert.ok(node.events.includes("pod1 | Normal | Killing | Stopping container main | spec.containers{main}"));
  const labels = { [LABEL.uid]: "uid1" };
  assert.deepEqual([await node.runtime.listContainers(labels), await node.runtime.listPodSandboxes(labels)], [[], []]);
  await assert.rejects(Deno.stat(`${node.directory}/pods/uid1`));
  await assert.rejects(Deno.stat(`${node.directory}/logs/default_pod1_uid1`));
  node.remove("uid1");
  assert.equal(node.manager.find("default", "pod1"), undefined);
}

async function ending(node: Node): Promise<void> {
  const good = pod({ restartPolicy: "Never", containers: [shell("main", "echo well done > /dev/termination-log")] });
  const words = shell("main", "echo one; echo two; exit 3", { terminationMessagePolicy: "FallbackToLogsOnError" });
  const bad = pod({ restartPolicy: "OnFailure", containers: [{ ...words, restartPolicy: "Never" }] });
  const root = pod({ containers: [shell("main", "true", { securityContext: { runAsNonRoot: true } })] });
  const outside = pod({
    volumes: [{ name: "data", emptyDir: {} }],
    initContainers: [
      shell("maker", "ln -s /etc /data/link", { volumeMounts: [{ name: "data", mountPath: "/data" }] }),
    ],
    containers: [
      shell("main", "true", { volumeMounts: [{ name: "data", mountPath: "/x", subPath: "link/inside" }] }),
    ],
  });
  const mounted = pod({
    volumes: [{ name: "files", image: { reference: IMAGES[1]! } }, { name: "none", image: { reference: "none:1" } }],
    containers: [
      shell("main", "true", { volumeMounts: [{ name: "files", mountPath: "/files" }] }),
      shell("other", "true", { volumeMounts: [{ name: "none", mountPath: "/files" }] }),
    ],
  });
  // Whoever opens such a file waits for somebody who writes to it.
  const pipe = pod({
    restartPolicy: "Never",
    volumes: [{ name: "data", emptyDir: {} }],
    initContainers: [shell("maker", "mkfifo /data/pipe", { volumeMounts: [{ name: "data", mountPath: "/data" }] })],
    containers: [
      shell("main", "true", { volumeMounts: [{ name: "data", mountPath: "/dev/termination-log", subPath: "pipe" }] }),
    ],
  });
  const alien = pod({ hostUsers: false, containers: [shell("main", "true")] });
  const strange = pod({ runtimeClassName: "strange", containers: [shell("main", "true")] });
  node.set(good, bad, root, outside, mounted, pipe, alien, strange);
  const succeeded = await node.status(good.metadata!.uid!, (s) => s.phase === "Succeeded");
  assert.equal(only(succeeded).state!.terminated!.message, "well done\n");
  assert.equal(only(succeeded).state!.terminated!.reason, "Completed");
  const failed = await node.status(bad.metadata!.uid!, (s) => s.phase === "Failed");
  assert.equal(only(failed).state!.terminated!.message, "one\ntwo\n");
  const config = await node.status(root.metadata!.uid!, (s) => only(s).state?.waiting?.message);
  assert.equal(only(config).state!.waiting!.reason, "CreateContainerConfigError");
  assert.match(only(config).state!.waiting!.message!, /container has runAsNonRoot and image will run as root \(pod: /);
  const refused = await node.status(outside.metadata!.uid!, (s) => only(s).state?.waiting?.message);
  assert.equal(
    only(refused).state!.waiting!.message,
    'failed to prepare subPath for volumeMount "data" of container "main"',
  );
  await assert.rejects(Deno.stat("/etc/inside"));
  const piped = await node.status(pipe.metadata!.uid!, (s) => s.phase === "Succeeded");
  assert.equal(only(piped).state!.terminated!.message, undefined);
  // Containerd 1 knows neither users of a pod's own nor images as mounts, which it says in words of its own.
  const isOld = (await node.runtime.version()).runtimeVersion.replace(/^v/, "").startsWith("1.");
  const why = "can't set `spec.hostUsers: false`, runtime does not support user namespaces";
  const told = `${alien.metadata!.name} | Warning | FailedCreatePodSandBox | Failed to create pod sandbox: ${why}`;
  if (isOld) await node.until(() => node.events.includes(told));
  // As the public agent says it, with gRPC's code: who sorts events goes by that.
  const unknown =
    /Failed to create pod sandbox: rpc error: code = Unknown desc = failed to get sandbox runtime: no runtime for "strange"/;
  const isTold = (event: string) => event.startsWith(`${strange.metadata!.name} | `) && unknown.test(event);
  await node.until(() => node.events.some(isTold));
  const isLogged = (line: string) =>
    line.includes(strange.metadata!.name!) && line.includes('no runtime for "strange"');
  await node.until(() => node.logged.some(isLogged));
  const { containerStatuses: [main, other] = [] } = await node.status(
    mounted.metadata!.uid!,
    (s) => s.containerStatuses?.every((c) => c.state?.waiting?.message || (!isOld && c.state?.running)),
  );
  if (isOld) {
    assert.equal(main!.state!.waiting!.reason, "CreateContainerError");
    assert.match(main!.state!.waiting!.message!, /failed to mkdir ""/);
  }
  assert.equal(other!.state!.waiting!.reason, "ErrImageNeverPull");
}

async function crashing(node: Node): Promise<void> {
  const web = pod({ containers: [shell("main", "exit 1")] });
  node.set(web);
  const uid = web.metadata!.uid!;
  const status = await node.status(uid, (s) => only(s).state?.waiting?.reason === "CrashLoopBackOff");
  const { name } = web.metadata!;
  assert.equal(
    only(status).state!.waiting!.message,
    `back-off 10s restarting failed container=main pod=${name}_default(${uid})`,
  );
  assert.equal(only(status).restartCount, 1);
  assert.equal(only(status).lastState!.terminated!.exitCode, 1);
  assert.equal(status.phase, "Running");
  assert.ok(
    node.events.includes(
      `${name} | Warning | BackOff | Back-off restarting failed container main in pod ${name}_default(${uid}) | spec.containers{main}`,
    ),
  );
  const tries = () => node.runtime.listContainers({ [LABEL.uid]: uid });
  await node.until(async () => (await tries()).length === 1, () => "one ended try is kept");
  const noStart = pod({ containers: [shell("main", "", { command: ["/no/such/program"] })] });
  node.set(noStart);
  const stuck = await node.status(
    noStart.metadata!.uid!,
    (s) => only(s).state?.waiting?.reason === "RunContainerError",
  );
  assert.match(only(stuck).state!.waiting!.message!, /no such file/);
}

async function again(node: Node): Promise<void> {
  const stays = pod({ containers: [shell("main", FOREVER)] });
  const goes = pod({ containers: [shell("main", FOREVER)] });
  node.set(stays, goes);
  const uid = stays.metadata!.uid!;
  const before = only(await node.status(uid, (s) => s.phase === "Running"));
  await node.status(goes.metadata!.uid!, (s) => s.phase === "Running");
  await node.stop();
  node.statuses.clear();
  node.sourcesReady = false;
  node.refuse = () => ({ reason: "OutOfcpu", message: "it runs already and is not judged again" });
  node.start();
  node.remove(goes.metadata!.uid!);
  const after = only(await node.status(uid, (s) => s.phase === "Running"));
  assert.deepEqual([after.containerID, after.restartCount], [before.containerID, 0]);
  const left = async () => (await node.runtime.listPodSandboxes({ [LABEL.uid]: goes.metadata!.uid! })).length;
  assert.equal(await left(), 1, "not all sources have delivered yet");
  node.sourcesReady = true;
  await node.until(async () => await left() === 0);
  assert.equal((await node.runtime.listContainers({ [LABEL.uid]: uid })).length, 1);
}

async function sidecars(node: Node): Promise<void> {
  const stays = (word: string) =>
    `trap 'echo ${word} down >> /data/order; exit 0' TERM; echo ${word} up >> /data/order; while :; do sleep 0.1; done`;
  const data = { volumeMounts: [{ name: "data", mountPath: "/data" }] };
  const web = pod({
    terminationGracePeriodSeconds: 30,
    volumes: [{ name: "data", emptyDir: {} }],
    initContainers: [
      shell("one", stays("one"), { ...data, restartPolicy: "Always" }),
      shell("two", stays("two"), { ...data, restartPolicy: "Always" }),
    ],
    containers: [shell("main", stays("main"), {
      ...data,
      lifecycle: {
        postStart: { exec: { command: ["/bin/sh", "-c", "echo started >> /data/order"] } },
        preStop: { exec: { command: ["/bin/sh", "-c", "echo stopping >> /data/order"] } },
      },
    })],
  });
  const uid = web.metadata!.uid!;
  node.set(web);
  await node.status(uid, (s) => s.conditions!.some((c) => c.type === "Ready" && c.status === "True"));
  const path = `${node.volume(uid, "data")}/order`;
  await node.until(async () => (await Deno.readTextFile(path)).match(/ up$/mg)?.length === 3);
  const order = await Deno.open(path);
  node.set(gone(web, 30));
  await node.until(() => node.ended.has(uid));
  const text = (await new Response(order.readable).text()).trim().split("\n");
  // One that was started first may come to speak later.
  assert.deepEqual(text.slice(0, 4).sort(), ["main up", "one up", "started", "two up"]);
  assert.deepEqual(text.slice(4), ["stopping", "main down", "two down", "one down"]);
  const started = node.events.flatMap((e) => / \| Started \| .*\{(\w+)\}$/.exec(e)?.[1] ?? []);
  assert.deepEqual(started, ["one", "two", "main"]);

  const job = pod({
    restartPolicy: "Never",
    terminationGracePeriodSeconds: 30,
    volumes: [{ name: "data", emptyDir: {} }],
    initContainers: [shell("side", stays("side"), { ...data, restartPolicy: "Always" })],
    containers: [shell("main", "until grep -q 'side up' /data/order; do sleep 0.1; done", data)],
  });
  node.set(job);
  const done = await node.status(job.metadata!.uid!, (s) => s.phase === "Succeeded");
  assert.equal(done.initContainerStatuses![0]!.state!.terminated!.exitCode, 0);

  const hooked = pod({
    containers: [shell("main", FOREVER, { lifecycle: { postStart: { exec: { command: ["/bin/false"] } } } })],
  });
  node.set(hooked);
  const { name } = hooked.metadata!;
  await node.until(() =>
    node.events.includes(`${name} | Warning | FailedPostStartHook | PostStartHook failed | spec.containers{main}`)
  );
  await node.until(() =>
    node.events.includes(`${name} | Normal | Killing | FailedPostStartHook | spec.containers{main}`)
  );
}

async function refusing(node: Node): Promise<void> {
  node.refuse = (of, others) =>
    of.metadata!.name === "big" || others.some((o) => o.metadata!.name === of.spec!.nodeName)
      ? { reason: "OutOfcpu", message: "Node didn't have enough resource: cpu" }
      : undefined;
  const late = pod({ nodeName: "early", containers: [shell("main", FOREVER)] });
  const early = pod({ containers: [shell("main", FOREVER.replace("exit 0", "exit 3"))] }, {
    name: "early",
    creationTimestamp: "2025-01-01T00:00:00Z",
  });
  const big = pod({ containers: [shell("main", FOREVER)] }, { name: "big" });
  node.set(late, early, big);
  for (const refused of [late, big]) {
    const status = await node.status(refused.metadata!.uid!, (s) => s.phase === "Failed");
    assert.deepEqual(
      [status.reason, status.message, status.observedGeneration],
      ["OutOfcpu", "Pod was rejected: Node didn't have enough resource: cpu", 1],
    );
  }
  const { containerID } = only(await node.status(early.metadata!.uid!, (s) => s.phase === "Running"));
  node.set(gone(big));
  await node.until(() => node.ended.has(big.metadata!.uid!));

  const eviction = node.manager.evict(early.metadata!.uid!, "Evicted", "The node was low on resource: memory.", 1, [
    disrupted(early, "TerminationByKubelet", "The node was low on resource: memory.", Date.now()),
  ]);
  await eviction;
  const { status: ending, events } = node.forgotten.get(early.metadata!.uid!)!;
  assert.equal(ending!.phase, "Running");
  assert.equal(ending!.conditions!.find((c) => c.type === "Ready")!.status, "True");
  const isTold = (event: string) => event.startsWith("early | Normal | Killing | ");
  assert.deepEqual([events.some(isTold), node.events.some(isTold)], [false, true], "not probed while it ends");
  assert.ok(node.ending.has(containerID!.replace("containerd://", "")));
  const evicted = node.statuses.get(early.metadata!.uid!)!;
  assert.deepEqual([evicted.phase, evicted.reason], ["Failed", "Evicted"]);
  const why = evicted.conditions!.find((c) => c.type === "DisruptionTarget");
  assert.ok(why?.lastTransitionTime);
  assert.equal(why.observedGeneration, 1);
  assert.ok(only(evicted).state!.terminated);

  const short = pod({ activeDeadlineSeconds: 1, containers: [shell("main", FOREVER)] });
  node.set(short);
  const id = only(await node.status(short.metadata!.uid!, (s) => s.containerStatuses?.[0]?.containerID)).containerID!;
  const over = await node.status(short.metadata!.uid!, (s) => s.phase === "Failed");
  assert.equal(over.reason, "DeadlineExceeded");
  assert.ok(node.ending.has(id.replace("containerd://", "")));
  assert.equal(
    (await node.runtime.listContainers({ [LABEL.uid]: short.metadata!.uid! }))[0]?.state ?? "EXITED",
    "EXITED",
  );
}

async function changing(node: Node): Promise<void> {
  const main = shell("main", FOREVER, { resources: { limits: { cpu: "500m" } } });
  const web = pod({ containers: [main] });
  const uid = web.metadata!.uid!;
  node.set(web);
  const first = only(await node.status(uid, (s) => s.phase === "Running"));
  const more = { ...main, resources: { limits: { cpu: "700m" } } };
  const bigger = { ...web, metadata: { ...web.metadata, generation: 2 }, spec: { ...web.spec!, containers: [more] } };
  node.set(bigger);
  const isDone = (s: PodStatus) => !s.conditions!.some((c) => c.type === "PodResizeInProgress");
  const resized = await node.status(uid, (s) => only(s).resources?.limits?.["cpu"] === "700m" && isDone(s));
  assert.ok(node.events.some((e) => e.includes("ResizeCompleted")), "it is told at once");
  assert.equal(only(resized).containerID, first.containerID);
  assert.equal(resized.observedGeneration, 2);

  // Less memory than it uses: nothing is changed, and it says why.
  const small = { ...main, resources: { limits: { cpu: "600m", memory: "4Ki" } } };
  node.set({ ...bigger, spec: { ...bigger.spec, containers: [small] } });
  const below =
    /^cannot decrease memory limits: .* container "main" memory limit \(4096\) below current usage \(\d+\)$/;
  const failed = await node.status(uid, (s) => s.conditions!.some((c) => c.reason === "Error"));
  assert.match(failed.conditions!.find((c) => c.type === "PodResizeInProgress")!.message!, below);
  assert.equal(only(failed).resources!.limits!["cpu"], "700m");
  assert.ok(
    node.events.some((e) => e.startsWith(`${web.metadata!.name} | Warning | ResizeError | Pod resize error: {"c`)),
  );
  node.set({ ...bigger, metadata: { ...bigger.metadata, generation: 3 } });
  await node.status(uid, (s) => !s.conditions!.some((c) => c.type === "PodResizeInProgress"));

  node.refuse = () => ({ reason: "OutOfcpu", message: "no" });
  const huge = { ...main, resources: { limits: { cpu: "9000m" } } };
  node.set({ ...bigger, spec: { ...bigger.spec, containers: [huge] } });
  const pending = await node.status(uid, (s) => s.conditions!.some((c) => c.type === "PodResizePending"));
  assert.equal(pending.conditions!.find((c) => c.type === "PodResizePending")!.reason, "Deferred");
  assert.equal(only(pending).resources!.limits!["cpu"], "700m");
  // To others, and where the node is in need, it has what it was given.
  const cpuOf = (pods: readonly Pod[]) =>
    pods.find((p) => p.metadata!.uid === uid)!.spec!.containers![0]!.resources!.limits!["cpu"];
  const next = pod({ containers: [shell("main", FOREVER)] });
  let beside: string | undefined;
  node.refuse = (p, others) => {
    if (p.metadata!.uid === next.metadata!.uid) beside = cpuOf(others);
    return { reason: "OutOfcpu", message: "no" };
  };
  node.set(next);
  await node.status(next.metadata!.uid!, (s) => s.phase === "Failed");
  assert.deepEqual([beside, cpuOf(node.manager.allotted()), cpuOf(node.manager.allocated())], ["700m", "700m", "700m"]);
  assert.ok(!node.manager.allocated().some((p) => p.metadata!.uid === next.metadata!.uid), "it was refused");
  node.remove(next.metadata!.uid!);
  // Nor has it more for one that comes as another start of the agent finds it: no status tells of more than it was made with.
  await node.stop();
  beside = undefined;
  node.set(next);
  node.start();
  await node.until(() => beside);
  assert.equal(beside, "500m");
  node.remove(next.metadata!.uid!);
  node.refuse = () => undefined;

  node.set({ ...bigger, spec: { ...bigger.spec, containers: [{ ...more, image: IMAGES[1] }] } });
  const other = only(await node.status(uid, (s) => s.phase === "Running" && only(s).restartCount === 1));
  assert.notEqual(other.containerID, first.containerID);

  const id = other.containerID!.replace("containerd://", "");
  node.probes.set(id, { started: true, ready: true, failed: { probe: "liveness", message: "" } });
  node.manager.changed(uid);
  await node.status(uid, (s) => only(s).restartCount === 2 && only(s).ready);
  const { name } = web.metadata!;
  assert.ok(
    node.events.includes(
      `${name} | Normal | Killing | Container main failed liveness probe, will be restarted | spec.containers{main}`,
    ),
  );

  const debug = { ...shell("debug", FOREVER), targetContainerName: "main" };
  const looked = { ...bigger.spec, containers: [{ ...more, image: IMAGES[1] }], ephemeralContainers: [debug] };
  node.set({ ...bigger, spec: looked });
  await node.status(uid, (s) => s.ephemeralContainerStatuses?.[0]?.state?.running);

  const lost = pod({ containers: [shell("main", FOREVER)] });
  node.set(lost);
  await node.status(lost.metadata!.uid!, (s) => s.phase === "Running");
  const [sandbox] = await node.runtime.listPodSandboxes({ [LABEL.uid]: lost.metadata!.uid! });
  await node.runtime.stopPodSandbox(sandbox!.id);
  // Its container may have been seen to end first, and been started again where it was.
  await node.status(lost.metadata!.uid!, (s) => only(s).restartCount > 0 && s.phase === "Running");
  await node.until(() =>
    node.events.some((e) => e.includes("SandboxChanged | Pod sandbox changed, it will be killed and re-created."))
  );

  const short = pod({ containers: [main] });
  node.set(short);
  await node.status(short.metadata!.uid!, (s) => s.phase === "Running");
  node.refuse = () => ({ reason: "OutOfcpu", message: "no" });
  const asks = { ...short, spec: { ...short.spec!, containers: [huge] } };
  node.set(asks);
  const isPending = (s: PodStatus) => s.conditions!.some((c) => c.type === "PodResizePending");
  await node.status(short.metadata!.uid!, isPending);
  node.set(gone(asks, 1));
  await node.until(() => node.ended.has(short.metadata!.uid!));
  assert.ok(!isPending(node.statuses.get(short.metadata!.uid!)!), "nothing is wanted of what has ended");
}

async function names(node: Node): Promise<void> {
  const source = { annotations: { "kubernetes.io/config.source": "file" } };
  const first = pod({ containers: [shell("main", FOREVER)] }, { name: "static", ...source });
  const second = pod({ containers: [shell("main", FOREVER)] }, { name: "static", ...source });
  node.set(first);
  await node.status(first.metadata!.uid!, (s) => s.phase === "Running");
  node.remove(first.metadata!.uid!);
  node.set(second);
  const running = await node.status(second.metadata!.uid!, (s) => s.phase === "Running");
  const left = await node.runtime.listPodSandboxes({ [LABEL.uid]: first.metadata!.uid! });
  assert.deepEqual(left, [], "the one before it is gone");
  // The same file again, before the pod of the last one has ended.
  node.remove(second.metadata!.uid!);
  node.set(second);
  await node.status(
    second.metadata!.uid!,
    (s) => s.phase === "Running" && only(s).containerID !== only(running).containerID,
  );
  // Without a source it is no pod of the node any more; until it has ended it runs, and its mirror stands.
  node.remove(second.metadata!.uid!);
  assert.equal(node.manager.find("default", "static"), undefined);
  assert.ok(node.manager.runs("default", "static"));
  await node.until(() => !node.manager.runs("default", "static"));
  const still = await node.runtime.listContainers({ [LABEL.uid]: second.metadata!.uid! });
  assert.ok(still.every(({ state }) => state !== "RUNNING"));
}

async function sooner(node: Node): Promise<void> {
  const deaf = pod({
    terminationGracePeriodSeconds: 600,
    containers: [shell("main", "trap '' TERM; while :; do sleep 1; done")],
  });
  const uid = deaf.metadata!.uid!;
  node.set(deaf);
  await node.status(uid, (s) => s.phase === "Running");
  node.set(gone(deaf, 600));
  await node.until(() => node.events.some((e) => e.includes("Stopping container main")));
  node.set(gone(deaf, 0));
  await node.until(() => node.ended.has(uid));
  assert.equal(only(node.statuses.get(uid)!).state!.terminated!.exitCode, 137);

  const say = "echo begun >> /data/hook; n=$(wc -l < /data/hook); [ $n -gt 1 ] || sleep 600; echo over >> /data/hook";
  const drains = pod({
    volumes: [{ name: "data", emptyDir: {} }],
    containers: [shell("main", FOREVER, {
      volumeMounts: [{ name: "data", mountPath: "/data" }],
      lifecycle: { preStop: { exec: { command: ["/bin/sh", "-c", say] } } },
    })],
  });
  node.set(drains);
  await node.status(drains.metadata!.uid!, (s) => s.phase === "Running");
  const path = `${node.volume(drains.metadata!.uid!, "data")}/hook`;
  node.set(gone(drains, 600));
  await node.until(() => Deno.readTextFile(path).then((text) => text === "begun\n", () => false));
  const hook = await Deno.open(path);
  node.set(gone(drains, 60));
  await node.until(() => node.ended.has(drains.metadata!.uid!));
  // The hook that was broken off is done again, in the time that is left.
  assert.equal(await new Response(hook.readable).text(), "begun\nbegun\nover\n");

  const slow = pod({
    containers: [shell("main", FOREVER, { lifecycle: { preStop: { exec: { command: ["/bin/sleep", "600"] } } } })],
  });
  node.set(slow);
  await node.status(slow.metadata!.uid!, (s) => s.phase === "Running");
  node.set(gone(slow, 1));
  // One that has not ended in its time is told of when its container takes it along.
  await node.until(() =>
    node.events.some((e) => e.startsWith(slow.metadata!.name!) && e.includes("FailedPreStopHook"))
  );
  await node.until(() => node.ended.has(slow.metadata!.uid!));
}

async function coming(node: Node): Promise<void> {
  const deaf = pod({ containers: [shell("main", "trap '' TERM; while :; do sleep 1; done")] });
  const uid = deaf.metadata!.uid!;
  node.set(deaf);
  await node.status(uid, (s) => s.phase === "Running");
  node.set(gone(deaf, 600));
  await node.until(() => node.events.some((e) => e.includes("Stopping container main")));
  await node.stop();
  node.start();
  const fresh = pod({ containers: [shell("main", FOREVER)] });
  node.set(fresh);
  await node.status(fresh.metadata!.uid!, (s) => s.phase === "Running");
  assert.ok(!node.ended.has(uid));
  node.set(gone(deaf));
  await node.until(() => node.ended.has(uid));
}

async function pulling(node: Node): Promise<void> {
  const arrived = Promise.withResolvers<void>();
  node.images = arrived.promise;
  const web = pod({ containers: [shell("main", FOREVER)] });
  node.set(web);
  const status = await node.status(
    web.metadata!.uid!,
    (s) => s.conditions!.some((c) => c.type === "PodReadyToStartContainers" && c.status === "True"),
  );
  assert.deepEqual([status.phase, only(status).state], ["Pending", { waiting: { reason: "ContainerCreating" } }]);
  arrived.resolve();
  await node.status(web.metadata!.uid!, (s) => s.phase === "Running");
}

async function anew(node: Node): Promise<void> {
  const data = { volumeMounts: [{ name: "data", mountPath: "/data" }] };
  const rule = { action: "RestartAllContainers", exitCodes: { operator: "In", values: [7] } };
  const line = `n=$(wc -l < /data/inits); [ $n -gt 1 ] || exit 7; ${FOREVER}`;
  const web = pod({
    restartPolicy: "Never",
    volumes: [{ name: "data", emptyDir: {} }],
    initContainers: [shell("first", "echo once >> /data/inits", data)],
    containers: [
      shell("main", line, { ...data, restartPolicy: "Never", restartPolicyRules: [rule] }),
      shell("other", FOREVER),
    ],
  });
  const uid = web.metadata!.uid!;
  node.set(web);
  const status = await node.status(
    uid,
    (s) => s.phase === "Running" && s.containerStatuses!.every((c) => c.ready && c.restartCount > 0),
  );
  const restarting = status.conditions!.find((c) => c.type === "AllContainersRestarting")!;
  assert.deepEqual([restarting.status, restarting.observedGeneration], ["False", undefined]);
  assert.equal(await Deno.readTextFile(`${node.volume(uid, "data")}/inits`), "once\nonce\n");
}
