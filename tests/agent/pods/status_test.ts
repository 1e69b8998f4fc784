import assert from "node:assert/strict";
import type { Container, Pod, PodStatus } from "../../../schema/api/core_v1.ts";
import { evicted, finalStatus, type StatusInput, statusOf } from "../../../agent/pods/status.ts";
import { NOTHING } from "../../../agent/pods/state.ts";
import { attempt, exited, pod, ready, sandbox, state } from "./_fixture.ts";

const NOW = Date.UTC(2026, 0, 1);
const T0 = "2026-01-01T00:00:00Z";

function status(of: Pod, more: Partial<StatusInput> = {}): PodStatus {
  return statusOf({
    pod: of,
    state: NOTHING,
    runtimeName: "containerd",
    faults: new Map(),
    probes: ready,
    recursiveReadOnly: false,
    old: of.status ?? {},
    isStatic: false,
    ended: false,
    hostIPs: ["192.168.1.5"],
    devices: () => [],
    gate: () => true,
    now: NOW,
    ...more,
  });
}

const condition = (of: PodStatus, type: string) => {
  const { status, reason, message } = of.conditions!.find((c) => c.type === type)!;
  return [status, reason, message].filter((x) => x !== undefined).join(": ");
};

const main: Container = { name: "main", image: "app:1" };

Deno.test("status: of a pod of which nothing is there yet", () => {
  const got = status(pod({}));
  assert.equal(got.phase, "Pending");
  assert.deepEqual(got.containerStatuses![0]!.state, { waiting: { reason: "ContainerCreating" } });
  assert.equal(condition(got, "PodReadyToStartContainers"), "False: PodSandboxNotReady: no pod sandbox exists");
  assert.equal(condition(got, "Initialized"), "True");
  const why = "False: ContainersNotReady: containers with unready status: [main]";
  assert.equal(condition(got, "Ready"), why);
  assert.equal(condition(got, "ContainersReady"), why);
  assert.equal(condition(got, "PodScheduled"), "True");
  assert.deepEqual(got.hostIPs, [{ ip: "192.168.1.5" }]);
  assert.equal(got.podIP, undefined);
  assert.equal(got.startTime, T0);
  assert.equal(got.qosClass, "BestEffort");
  assert.equal(got.observedGeneration, 1);
});

Deno.test("status: of a pod that runs, and times of transitions are kept", () => {
  const running = {
    state: state([exited(main, 3, { message: "oops" }), attempt(main, { restartCount: 1, stopSignal: "SIGUSR1" })]),
  };
  const first = status(pod({}), running);
  assert.equal(first.phase, "Running");
  assert.equal(condition(first, "Ready"), "True");
  assert.equal(first.podIP, "10.0.0.2");
  const [c] = first.containerStatuses!;
  assert.equal(c!.stopSignal, "SIGUSR1");
  const mounts = pod({ containers: [{ ...main, volumeMounts: [{ name: "files", mountPath: "/files" }] }] });
  const mounted = { state: state([attempt(main, { images: new Map([["/files", "sha256:f"]]) })]) };
  assert.deepEqual(status(mounts, mounted).containerStatuses![0]!.volumeMounts, [
    { name: "files", mountPath: "/files", volumeStatus: { image: { imageRef: "sha256:f" } } },
  ]);
  assert.equal(status(pod({}), { ...running, gate: () => false }).containerStatuses![0]!.stopSignal, undefined);
  assert.deepEqual(c!.state, { running: { startedAt: "1970-01-01T00:00:05Z" } });
  assert.equal(c!.lastState!.terminated!.exitCode, 3);
  assert.equal(c!.lastState!.terminated!.message, "oops");
  assert.deepEqual([c!.ready, c!.started, c!.restartCount], [true, true, 1]);
  assert.match(c!.containerID!, /^containerd:\/\/id\d+$/);
  const later = status(pod({}), { ...running, old: first, now: NOW + 60_000 });
  assert.equal(later.conditions!.find((x) => x.type === "Ready")!.lastTransitionTime, T0);
  assert.equal(later.startTime, T0);
  const unready = status(pod({}), {
    ...running,
    old: first,
    now: NOW + 60_000,
    probes: () => ({ started: true, ready: false }),
  });
  assert.equal(unready.conditions!.find((x) => x.type === "Ready")!.lastTransitionTime, "2026-01-01T00:01:00Z");
  assert.equal(unready.conditions!.find((x) => x.type === "PodScheduled")!.lastTransitionTime, T0);
});

Deno.test("status: containers that cannot be started wait and say why", () => {
  const faults = new Map([["main", { reason: "CrashLoopBackOff", message: "back-off 10s" }]]);
  const got = status(pod({}), { state: state([exited(main, 1)]), faults });
  const [c] = got.containerStatuses!;
  assert.deepEqual(c!.state, { waiting: { reason: "CrashLoopBackOff", message: "back-off 10s" } });
  assert.equal(c!.lastState!.terminated!.exitCode, 1);
  assert.equal(got.phase, "Running", "it is being started again");
  const never = status(pod({ restartPolicy: "Never" }), { state: state([exited(main, 1)]), faults });
  assert.equal(never.containerStatuses![0]!.state!.terminated!.exitCode, 1, "it is not");
  const counted = { containerStatuses: [{ ...c!, restartCount: 5 }] };
  assert.equal(
    status(pod({}), { state: state([exited(main, 1)]), old: counted }).containerStatuses![0]!.restartCount,
    5,
    "tries that were taken away count",
  );
  const pull = status(pod({}), {
    state: state([]),
    faults: new Map([["main", { reason: "ErrImagePull", message: "" }]]),
  });
  assert.deepEqual(pull.containerStatuses![0]!.state, { waiting: { reason: "ErrImagePull" } });
  assert.equal(pull.phase, "Pending");
});

Deno.test("status: phases by policies and exit codes", () => {
  const phase = (policy: "Always" | "OnFailure" | "Never", codes: readonly number[], ended = false) => {
    const containers = codes.map((_, i) => ({ name: `c${i}`, image: "app:1" }));
    return status(pod({ restartPolicy: policy, containers }), {
      state: state(containers.map((c, i) => exited(c, codes[i]!))),
      ended,
    }).phase;
  };
  assert.equal(phase("Never", [0, 0]), "Succeeded");
  assert.equal(phase("Never", [0, 1]), "Failed");
  assert.equal(phase("OnFailure", [0, 0]), "Succeeded");
  assert.equal(phase("OnFailure", [0, 1]), "Running");
  assert.equal(phase("Always", [0]), "Running");
  assert.equal(phase("Always", [0], true), "Succeeded");
  assert.equal(phase("Always", [137], true), "Failed");
  const has = { state: state([exited(main, 0)]), ended: true };
  assert.equal(status(pod({}), { ...has, isStatic: true }).phase, "Running", "its manifest begins it anew");
  const waits = { reason: "CrashLoopBackOff", message: "" };
  assert.equal(status(pod({}), { ...has, faults: new Map([["main", waits]]) }).phase, "Failed", "it was to run again");
  const side: Container = { name: "side", image: "app:1", restartPolicy: "Always" };
  const young = (id: string) => ({ started: id === "main", ready: id === "main" });
  const tries = [attempt(side, { id: "side" }), attempt(main, { id: "main" })];
  const again = status(pod({ initContainers: [side] }), { state: state(tries), probes: young });
  assert.equal(again.phase, "Running", "a sidecar that starts again holds back nothing");
  const init: Container = { name: "one", image: "app:1" };
  const failed = status(pod({ restartPolicy: "Never", initContainers: [init] }), { state: state([exited(init, 2)]) });
  assert.equal(failed.phase, "Failed");
  assert.equal(condition(failed, "Ready"), "False: PodFailed");
  assert.equal(
    condition(failed, "Initialized"),
    "False: ContainersNotInitialized: containers with incomplete status: [one]",
  );
  assert.deepEqual(failed.containerStatuses![0]!.state, { waiting: { reason: "PodInitializing" } });
});

Deno.test("status: readiness gates, conditions of others, deadline", () => {
  const gated: Pod = {
    ...pod({ readinessGates: [{ conditionType: "x.io/in" }] }),
    status: { conditions: [{ type: "y.io/other", status: "True" }] },
  };
  const has = { state: state([attempt(main)]) };
  const closed = status(gated, has);
  assert.equal(
    condition(closed, "Ready"),
    'False: ReadinessGatesNotReady: corresponding condition of pod readiness gate "x.io/in" does not exist.',
  );
  assert.equal(condition(closed, "y.io/other"), "True");
  const open = status({ ...gated, status: { conditions: [{ type: "x.io/in", status: "True" }] } }, has);
  assert.equal(condition(open, "Ready"), "True");
  const late = status(pod({}), { ...has, fault: { reason: "DeadlineExceeded", message: "too long" } });
  assert.deepEqual([late.phase, late.reason, late.message], ["Failed", "DeadlineExceeded", "too long"]);
  const after = status(pod({}), { ...has, old: late, ended: true });
  assert.deepEqual([after.phase, after.reason], ["Failed", "DeadlineExceeded"], "a last phase stays, with its reason");
});

Deno.test("status: who is evicted is as ready as before until it has ended, and then says what its containers came to", () => {
  const fault = { reason: "Evicted", message: "no room", conditions: [{ type: "DisruptionTarget", status: "True" }] };
  const ending = evicted(status(pod({}), { state: state([attempt(main)]) }), fault);
  assert.deepEqual([ending.phase, ending.reason, ending.message], ["Failed", "Evicted", "no room"]);
  assert.equal(condition(ending, "Ready"), "True");
  assert.deepEqual(evicted(ending, fault), ending);
  const after = (code: number) => status(pod({}), { state: state([exited(main, code)]), old: ending, ended: true });
  const [good, bad] = [after(0), after(3)];
  assert.deepEqual([good.phase, good.reason], ["Succeeded", undefined]);
  assert.deepEqual([bad.phase, bad.reason, bad.message], ["Failed", "Evicted", "no room"]);
  for (const one of [good, bad]) assert.equal(condition(one, "DisruptionTarget"), "True");
  assert.equal(condition(bad, "Ready"), "False: PodFailed");
});

Deno.test("status: containers that vanished, and the last status of a pod", () => {
  const ran = status(pod({}), { state: state([attempt(main)]) });
  const gone = status(pod({}), { state: state([]), old: ran });
  assert.equal(gone.containerStatuses![0]!.lastState!.terminated!.reason, "ContainerStatusUnknown");
  assert.equal(gone.containerStatuses![0]!.restartCount, 1);
  const deleted = pod({}, { deletionTimestamp: T0 });
  assert.equal(status(deleted, { state: state([]), old: ran }).containerStatuses![0]!.restartCount, 0);
  const twice = status(pod({}), { state: state([exited(main, 3), attempt(main, { restartCount: 1 })]) });
  const [lost] = status(pod({}), { state: state([]), old: twice }).containerStatuses!;
  assert.deepEqual([lost!.lastState, lost!.restartCount], [twice.containerStatuses![0]!.lastState, 1]);
  const over = status(pod({ restartPolicy: "Never" }), { state: state([exited(main, 3)]) });
  const kept = status(pod({ restartPolicy: "Never" }), { state: state([]), old: over });
  assert.deepEqual(kept.containerStatuses, over.containerStatuses, "what it came to is known");
  const last = finalStatus(pod({}), gone, false);
  assert.equal(last.phase, "Failed");
  assert.equal(last.containerStatuses![0]!.state!.terminated!.exitCode, 137);
  assert.equal(gone.podIP, "10.0.0.2");
});

Deno.test("status: containers that were never begun as an init container ended with its pod still wait", () => {
  const one: Container = { name: "one", image: "app:1" };
  const of = pod({ initContainers: [one] });
  const running = status(of, { state: state([attempt(one)]) });
  const ended = status(of, { state: state([exited(one, 0)]), old: running, ended: true });
  const states = (there: PodStatus) =>
    Object.keys(finalStatus({ ...of, status: there }, ended, false).containerStatuses![0]!.state!);
  assert.deepEqual(states(running), ["waiting"]);
  assert.deepEqual(states(ended), ["terminated"]);
});

Deno.test("status: addresses by the host's first family; pods in the host's network have the host's", () => {
  const two = { ...state([attempt(main)]), ips: ["fd00::2", "10.0.0.2"] };
  assert.deepEqual(status(pod({}), { state: two }).podIPs, [{ ip: "10.0.0.2" }, { ip: "fd00::2" }]);
  const host = pod({ hostNetwork: true });
  const box = sandbox({ linux: { namespaces: { options: { network: "NODE" } } } });
  const got = status(host, { state: state([attempt(main)], [box]), hostIPs: ["192.168.1.5", "fd00::1"] });
  assert.deepEqual(got.podIPs, [{ ip: "192.168.1.5" }, { ip: "fd00::1" }]);
});

Deno.test("status: init containers are in the spec's order, sidecars are ready by their probes", () => {
  const side: Container = { name: "a-side", image: "app:1", restartPolicy: "Always" };
  const one: Container = { name: "z-one", image: "app:1" };
  const got = status(pod({ initContainers: [one, side] }), {
    state: state([exited(one, 0), attempt(side), attempt(main)]),
  });
  assert.deepEqual(got.initContainerStatuses!.map((s) => [s.name, s.ready, s.started]), [
    ["z-one", true, false],
    ["a-side", true, true],
  ]);
  assert.equal(got.phase, "Running");
});

Deno.test("status: last words are cut by bytes, between characters", () => {
  const containers = ["a", "b", "c", "d"].map((name) => ({ name, image: "app:1" }));
  const message = "\u{1f525}".repeat(1000) + "\u00e9".repeat(100);
  const got = status(pod({ containers }), { state: state(containers.map((c) => exited(c, 1, { message }))) });
  for (const { state } of got.containerStatuses!) {
    assert.equal(state!.terminated!.message, "\u{1f525}".repeat(768));
  }
  const odd = status(pod({ containers }), {
    state: state(containers.map((c) => exited(c, 1, { message: `.${message}` }))),
  });
  assert.equal(odd.containerStatuses![0]!.state!.terminated!.message, `.${"\u{1f525}".repeat(767)}`);
});
