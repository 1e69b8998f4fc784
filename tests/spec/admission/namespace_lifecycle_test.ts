/** Admission plugin NamespaceLifecycle: see _table.ts. */
import { elsewhere, map } from "./_objects.ts";
import { table } from "./_table.ts";

const del = (name: string) => ({ method: "DELETE", path: `/api/v1/namespaces/${name}` });

table("NamespaceLifecycle", {
  on: {
    "nothing is created where there is no namespace": {
      request: elsewhere(),
      status: 404,
      says: /^namespaces "nowhere" not found$/,
      shows: { "details.kind": "namespaces", "details.name": "nowhere" },
    },
    "default stays": {
      request: del("default"),
      says: /^namespaces "default" is forbidden: this namespace may not be deleted$/,
    },
    "kube-public stays": { request: del("kube-public"), says: /this namespace may not be deleted/ },
  },
  edge: {
    "a namespace that is there": { post: map },
    "a review tells nobody whether there is a namespace": {
      request: {
        method: "POST",
        path: "/apis/authorization.k8s.io/v1/namespaces/nowhere/localsubjectaccessreviews",
        body: { spec: { user: "u", resourceAttributes: { namespace: "nowhere", verb: "get", resource: "pods" } } },
      },
      status: 201,
    },
  },
  dryRun: {
    "not in a dry run either": { request: elsewhere(), status: 404, says: /namespaces "nowhere" not found/ },
    "kube-system stays": { request: del("kube-system"), says: /this namespace may not be deleted/ },
    "node leases may go": { request: del("kube-node-lease") },
  },
  off: {
    "default may go": { request: del("default"), dry: true },
  },
});
