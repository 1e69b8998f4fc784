/** Fields of the first content belong to the server. */
import assert from "node:assert/strict";
import type { JsonMap } from "../../schema/model/types.ts";
import { sharedServer } from "../spec/_spec.ts";

const server = sharedServer();
const PRODUCER = "api-priority-and-fairness-config-producer-v1";

/** Where an object is, who owns fields of it, and some that are owned and some that are not. */
const OWNED: readonly [path: string, manager: string, owned: readonly string[], free: readonly string[]][] = [
  ["/api/v1/namespaces/default", "kube-apiserver", ["f:metadata.f:labels"], ["f:spec"]],
  ["/api/v1/namespaces/default/services/kubernetes", "kube-apiserver", ["f:spec.f:clusterIP"], ["f:spec.f:ipFamilies"]],
  ["/apis/rbac.authorization.k8s.io/v1/clusterroles/view", "kube-apiserver", ["f:aggregationRule"], ["f:rules"]],
  ["/apis/rbac.authorization.k8s.io/v1/clusterroles/cluster-admin", "kube-apiserver", ["f:rules"], []],
  ["/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical", "kube-apiserver", ["f:value"], []],
  ["/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/exempt", PRODUCER, ["f:spec.f:rules"], ["f:status"]],
];

for (const [path, manager, owned, free] of OWNED) {
  Deno.test(`${path} is ${manager}'s`, async () => {
    const { metadata: { managedFields }, apiVersion } = (await (await server()).fetch(path)).body;
    const made = managedFields.filter((e: JsonMap) => e.operation === "Update"), entry = made[0];
    assert.deepEqual(made.map((e: JsonMap) => [e.manager, e.apiVersion]), [[manager, apiVersion]]);
    const at = (name: string) =>
      name.split(".").reduce<JsonMap | undefined>((t, k) => t?.[k] as JsonMap | undefined, entry.fieldsV1);
    for (const name of owned) assert.ok(at(name), name);
    for (const name of free) assert.equal(at(name), undefined, name);
  });
}
