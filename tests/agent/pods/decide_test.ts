import assert from "node:assert/strict";
import type { Container, Pod } from "../../../schema/api/core_v1.ts";
import type { ProbeState } from "../../../agent/types.ts";
import { decide } from "../../../agent/pods/decide.ts";
import { NOTHING, type PodState } from "../../../agent/pods/state.ts";
import { attempt, exited, pod, READY, ready, sandbox, state } from "./_fixture.ts";

const c = (name: string, more: Partial<Container> = {}): Container => ({ name, image: "app:1", ...more });
const names = (list: readonly { readonly name: string }[]) => list.map((x) => x.name);

/** In one line what is to be done. */
function told(of: Pod, has: PodState, probes: (id: string) => ProbeState = ready, restartAll = false): string {
  const d = decide({ pod: of, state: has, probes, restartAll });
  return [
    d.killPod ? "kill pod" : "",
    d.createSandbox ? `sandbox ${d.attempt}` : "",
    ...d.kill.map((k) => `kill ${k.container.name} (${k.reason}: ${k.message})`),
    ...d.reset.map((r) => `reset ${r.container.name}${r.running ? " running" : ""}`),
    ...d.update.map((u) => `update ${u.container.name}`),
    ...names(d.startEphemeral).map((n) => `ephemeral ${n}`),
    ...names(d.startInit).map((n) => `init ${n}`),
    ...names(d.start).map((n) => `start ${n}`),
  ].filter((s) => s).join(", ");
}

Deno.test("decide: a sandbox is made when there is none that can be used", () => {
  const web = pod({}), main = web.spec!.containers![0]!;
  assert.equal(told(web, NOTHING), "kill pod, sandbox 0, start main");
  const down = (n: number) => sandbox({ state: "NOTREADY" }, n);
  assert.equal(told(web, state([exited(main, 0)], [down(2)])), "kill pod, sandbox 3, start main");
  assert.equal(told(web, state([], [sandbox({}, 1), sandbox()])), "kill pod, sandbox 2, start main");
  assert.equal(
    told(web, state([], [sandbox({ network: { ip: "", additionalIps: [] } })])),
    "kill pod, sandbox 1, start main",
  );
  const never = pod({ restartPolicy: "Never" });
  assert.equal(told(never, state([exited(main, 0)], [down(0)])), "kill pod", "it ran: no other sandbox");
  assert.equal(told(never, state([], [down(0)])), "kill pod, sandbox 1, start main", "it never ran");
  const once = pod({ restartPolicy: "OnFailure" });
  assert.equal(told(once, state([exited(main, 0)], [down(0)])), "kill pod");
  assert.equal(told(once, state([exited(main, 1)], [down(0)])), "kill pod, sandbox 1, start main");
  const mute = sandbox({ network: { ip: "", additionalIps: [] } });
  assert.equal(told(once, state([attempt(main)], [mute])), "kill pod, sandbox 1, start main", "it has not succeeded");
  const options = { network: "NODE", pid: "CONTAINER", ipc: "POD", targetId: "" } as const;
  const onHost = sandbox({ ...mute, linux: { namespaces: { options } } });
  assert.equal(told(pod({ hostNetwork: true }), state([attempt(main)], [onHost])), "", "its address is the host's");
  const withInit = pod({ initContainers: [c("first"), c("second")] });
  assert.equal(told(withInit, NOTHING), "kill pod, sandbox 0, init first");
});

Deno.test("decide: restart policies of pod and container, and rules by exit code", () => {
  const main = c("main"), other = c("other");
  const of = (policy: "Always" | "OnFailure" | "Never", own: Partial<Container> = {}) =>
    pod({ restartPolicy: policy, containers: [{ ...main, ...own }, other] });
  const has = (code: number) => state([attempt(other), exited(main, code)]);
  assert.equal(told(of("Always"), has(0)), "start main");
  assert.equal(told(of("OnFailure"), has(0)), "");
  assert.equal(told(of("OnFailure"), has(1)), "start main");
  assert.equal(told(of("Never"), has(1)), "");
  assert.equal(told(of("Never"), state([attempt(other), attempt(main, { state: "CREATED" })])), "start main");
  assert.equal(told(of("Never", { restartPolicy: "Always" }), has(0)), "start main");
  const rules: Partial<Container> = {
    restartPolicy: "Never",
    restartPolicyRules: [{ action: "Restart", exitCodes: { operator: "In", values: [42] } }],
  };
  assert.equal(told(of("Never", rules), has(42)), "start main");
  assert.equal(told(of("Always", rules), has(1)), "");
  assert.equal(told(of("Never"), state([exited(other, 0), exited(main, 1)])), "kill pod", "nothing is left to run");
  const deleted = pod({ containers: [main, other] }, { deletionTimestamp: "2026-01-01T00:00:00Z" });
  assert.equal(told(deleted, has(1)), "");
});

Deno.test("decide: running containers are ended for their probes, their spec and their resources", () => {
  const main = c("main", { resources: { limits: { cpu: "1" } } }), web = pod({ containers: [main] });
  assert.equal(told(web, state([attempt(main)])), "");
  const failing = (probe: "liveness" | "startup") => (): ProbeState => ({
    ...READY,
    failed: { probe, message: "no" },
  });
  assert.equal(
    told(web, state([attempt(main)]), failing("liveness")),
    "kill main (LivenessProbe: Container main failed liveness probe, will be restarted), start main",
  );
  assert.equal(
    told(pod({ containers: [main], restartPolicy: "Never" }), state([attempt(main)]), failing("startup")),
    "kill pod, kill main (StartupProbe: Container main failed startup probe)",
  );
  assert.equal(
    told(pod({ containers: [c("main", { image: "app:2" })], restartPolicy: "Never" }), state([attempt(main)])),
    "kill main (Unknown: Container main definition changed, will be restarted), start main",
  );
  const had = state([attempt(main, { resources: { limits: { cpu: "500m" } } })]);
  assert.equal(told(web, had), "update main");
  assert.equal(told(web, state([attempt(main, { resources: { limits: { cpu: "1000m" } } })])), "");
  const resized = pod({
    containers: [{ ...main, resizePolicy: [{ resourceName: "cpu", restartPolicy: "RestartContainer" }] }],
  });
  assert.equal(told(resized, had), "kill main (Unknown: Container main resize requires restart), start main");
  assert.equal(
    told(web, state([attempt(main, { state: "UNKNOWN" })])),
    'kill main (Unknown: Container is in "unknown" state, try killing it before restart), start main',
  );
});

Deno.test("decide: init containers run one after the other, and sidecars go on", () => {
  const one = c("one"), side = c("side", { restartPolicy: "Always", startupProbe: { exec: {} } }), two = c("two");
  const main = c("main");
  const web = pod({ initContainers: [one, side, two], containers: [main] });
  const done = exited(one, 0);
  assert.equal(told(web, state([])), "init one");
  assert.equal(told(web, state([attempt(one)])), "");
  assert.equal(told(web, state([exited(one, 1)])), "init one");
  assert.equal(told(web, state([exited(one, 0, { reason: "OOMKilled" })])), "init one");
  assert.equal(told(pod({ ...web.spec, restartPolicy: "Never" }), state([exited(one, 1)])), "kill pod");
  assert.equal(told(web, state([done])), "init side");
  assert.equal(
    told(web, state([done, attempt(side)]), () => ({ started: false, ready: false })),
    "",
    "not yet started",
  );
  assert.equal(told(web, state([done, attempt(side)])), "init two");
  assert.equal(told(web, state([done, attempt(side), attempt(two)])), "");
  assert.equal(told(web, state([attempt(side), exited(two, 0)])), "start main", "what ran first may be gone");
  const lost = attempt(one, { state: "UNKNOWN" });
  assert.equal(told(web, state([lost, attempt(side), exited(two, 0)])), "start main", "or lost sight of");
  assert.equal(told(web, state([exited(side, 1), exited(two, 0)])), "init side, start main");
  assert.equal(told(web, state([exited(two, 0), attempt(main)])), "init side", "one that vanished");
  const failing = (): ProbeState => ({ ...READY, failed: { probe: "liveness", message: "" } });
  assert.equal(
    told(web, state([attempt(side)]), failing),
    "kill side (LivenessProbe: Init container side failed liveness probe), init side, init two",
  );
  const never = pod({ ...web.spec, restartPolicy: "Never" });
  assert.equal(told(never, state([attempt(side), exited(two, 0), exited(main, 0)])), "kill pod", "sidecars end too");
  assert.equal(told(never, state([exited(side, 1), exited(two, 0), exited(main, 0)])), "kill pod", "or stay ended");
  const had = attempt(side, { resources: { limits: { cpu: "1" } } });
  assert.equal(told(web, state([had, exited(two, 0), attempt(main)])), "update side");
});

Deno.test("decide: ephemeral containers start once, whatever init containers do", () => {
  const debug = { name: "debug", image: "tool" };
  const web = pod({ initContainers: [c("one")], ephemeralContainers: [debug] });
  assert.equal(told(web, state([attempt(c("one"))])), "ephemeral debug");
  assert.equal(told(web, state([attempt(c("one")), exited(debug, 1)])), "");
});

Deno.test("decide: all containers begin anew, those that caused it last", () => {
  const cause = c("cause", {
    restartPolicy: "Never",
    restartPolicyRules: [{ action: "RestartAllContainers", exitCodes: { operator: "In", values: [7] } }],
  });
  const web = pod({ initContainers: [c("one")], containers: [cause, c("main")] });
  const has = state([exited(c("one"), 0), exited(cause, 7), attempt(c("main"))]);
  assert.equal(told(web, has, ready, true), "reset main running, reset one, reset cause");
});
