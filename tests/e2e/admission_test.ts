/** What a new user of kubectl meets of admission: a restricted namespace, a quota, limits, a priority class, and what it says on refusal. */
import assert from "node:assert/strict";
import { clientMinor, Kubectl, ServerProcess, until } from "./_server.ts";

/** The one reason for skipping: kubectl is not installed. */
const ignore = await clientMinor() === undefined; // kubectl is not installed

const pod = (name: string, spec = {}) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name },
  spec: { containers: [{ name: "c", image: "example.com/c:1" }], ...spec },
});
const APPLY = ["apply", "-f", "-"];

async function refusal(k: Kubectl, args: readonly string[], input: unknown): Promise<string> {
  const { code, out, err } = await k.try(args, input);
  assert.notEqual(code, 0, out);
  return err;
}

const STEPS: Record<string, (k: Kubectl) => Promise<void>> = {
  "a namespace that is restricted": async (k) => {
    await k.run("create namespace strict");
    await k.run("label namespace strict pod-security.kubernetes.io/enforce=restricted");
    const said = await refusal(k, [...APPLY, "-n", "strict"], pod("p"));
    assert.match(
      said,
      /Error from server \(Forbidden\).*pods "p" is forbidden: violates PodSecurity "restricted:latest"/,
    );
    assert.match(said, /runAsNonRoot != true/);
  },
  "a namespace that warns": async (k) => {
    await k.run("create namespace warned");
    await k.run("label namespace warned pod-security.kubernetes.io/warn=restricted");
    const { code, err } = await k.try([...APPLY, "-n", "warned"], pod("p"));
    assert.equal(code, 0, err);
    assert.match(err, /Warning: would violate PodSecurity "restricted:latest"/);
  },
  "a level that is none": async (k) => {
    const said = await refusal(k, [
      "label",
      "namespace",
      "strict",
      "--overwrite",
      "pod-security.kubernetes.io/enforce=max",
    ], "");
    assert.match(said, /must be one of privileged, baseline, restricted/);
  },
  "a quota": async (k) => {
    await k.run("create namespace bounded");
    await k.run("create quota q --hard=pods=1 -n bounded");
    await until(
      "the quota is counted",
      async () => (await k.json("get quota q -n bounded")).status?.used?.pods === "0",
    );
    await k.run("apply -n bounded -f -", pod("a"));
    const said = await refusal(k, [...APPLY, "-n", "bounded"], pod("b"));
    assert.match(said, /pods "b" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1/);
    assert.match(await k.run("describe quota q -n bounded"), /pods\s+1\s+1/);
    await k.run("delete pod a -n bounded --now");
    await until(
      "what went is given back",
      async () => (await k.json("get quota q -n bounded")).status.used.pods === "0",
    );
    await k.run("apply -n bounded -f -", pod("b"));
  },
  "limits": async (k) => {
    await k.run("create namespace limited");
    await k.run("apply -n limited -f -", {
      apiVersion: "v1",
      kind: "LimitRange",
      metadata: { name: "l" },
      spec: { limits: [{ type: "Container", default: { memory: "1Gi" }, max: { memory: "2Gi" } }] },
    });
    await k.run("apply -n limited -f -", pod("a"));
    const made = await k.json("get pod a -n limited");
    assert.equal(made.spec.containers[0].resources.limits.memory, "1Gi");
    const big = [{ name: "c", image: "i", resources: { limits: { memory: "3Gi" } } }];
    const said = await refusal(k, [...APPLY, "-n", "limited"], pod("b", { containers: big }));
    assert.match(said, /maximum memory usage per Container is 2Gi, but limit is 3Gi/);
  },
  "a priority class": async (k) => {
    await k.run("create priorityclass high --value=1000 --description=important");
    await k.run("apply -n warned -f -", pod("urgent", { priorityClassName: "high" }));
    assert.equal((await k.json("get pod urgent -n warned")).spec.priority, 1000);
    const said = await refusal(k, [...APPLY, "-n", "warned"], pod("x", { priorityClassName: "highest" }));
    assert.match(said, /no PriorityClass with name highest was found/);
  },
  "namespaces": async (k) => {
    const nowhere = await refusal(k, ["create", "configmap", "m", "-n", "nowhere"], "");
    assert.match(nowhere, /namespaces "nowhere" not found/);
    const kept = await refusal(k, ["delete", "namespace", "kube-system", "--wait=false"], "");
    assert.match(kept, /namespaces "kube-system" is forbidden: this namespace may not be deleted/);
  },
};

Deno.test({ name: "kubectl and admission", ignore }, async (test) => {
  const server = await ServerProcess.start("kubernetes", ["--controllers=resourcequota"]);
  try {
    const k = await Kubectl.of(server);
    for (const [name, step] of Object.entries(STEPS)) await test.step(name, () => step(k));
  } finally {
    await server.end();
  }
});
