/** kubectl's three ways of deleting what has dependents, and of a namespace, with the server's own controllers at work. */
import assert from "node:assert/strict";
import { clientMinor, Kubectl, ServerProcess, until } from "./_server.ts";

const MODES = { background: [], foreground: [], orphan: ["replicaset.apps/child"] };

const ignore = await clientMinor() === undefined; // kubectl is not installed

Deno.test({ name: "kubectl deletes with and without dependents, and namespaces", ignore }, async (test) => {
  const server = await ServerProcess.start("kubernetes", ["--controllers=*"]);
  try {
    const k = await Kubectl.of(server);
    for (const [mode, left] of Object.entries(MODES)) {
      await test.step(`--cascade=${mode}`, () => cascade(k, mode, left));
    }
    await test.step("a namespace with all that is in it", () => wholeNamespace(k));
  } finally {
    await server.end();
  }
});

const labels = { app: "tree" };
const spec = {
  replicas: 0,
  selector: { matchLabels: labels },
  template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "example.com/c:1" }] } },
};

async function cascade(k: Kubectl, mode: string, left: readonly string[]): Promise<void> {
  const ns = `cascade-${mode}`;
  await k.run(`create namespace ${ns}`);
  const parent = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "parent" }, spec };
  await k.run(`-n ${ns} create -f -`, parent);
  const { metadata: { uid } } = await k.json(`-n ${ns} get deployment parent`);
  const owner = { apiVersion: "apps/v1", kind: "Deployment", name: "parent", uid, blockOwnerDeletion: true };
  const child = {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { name: "child", ownerReferences: [owner] },
    spec,
  };
  await k.run(`-n ${ns} create -f -`, child);
  await k.run(`-n ${ns} delete deployment parent --cascade=${mode} --timeout=120s`);
  await until("the owner is gone and its dependents are dealt with", async () => {
    const found = (await k.run(`-n ${ns} get deployments,replicasets -o name`)).split("\n").filter((l) => l !== "");
    return JSON.stringify(found) === JSON.stringify(left);
  });
  if (left.length === 0) return;
  const { metadata } = await k.json(`-n ${ns} get replicaset child`);
  assert.equal(metadata.ownerReferences, undefined);
  assert.equal(metadata.deletionTimestamp, undefined);
}

async function wholeNamespace(k: Kubectl): Promise<void> {
  await k.run("create namespace whole");
  await k.run("-n whole create configmap a");
  await k.run("-n whole create secret generic b");
  await k.run("delete namespace whole --timeout=120s");
  assert.match((await k.try(["get", "namespace", "whole"])).err, /NotFound/);
  await k.run("create namespace whole");
  const found = await k.run("-n whole get configmaps,secrets -o name");
  assert.ok(!found.includes("configmap/a") && !found.includes("secret/b"), found);
}
