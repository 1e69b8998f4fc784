/** Admission plugin NamespaceAutoProvision: see _table.ts. */
import { map } from "./_objects.ts";
import { obj, table } from "./_table.ts";

table("NamespaceAutoProvision", {
  on: {
    "a namespace comes with its first object": {
      flags: ["--v=1"],
      request: { method: "POST", path: "/api/v1/namespaces/fresh/configmaps", body: map },
      status: 201,
      after: { "/api/v1/namespaces/fresh": { "status.phase": "Active" } },
    },
  },
  edge: {
    "a name no namespace can have is refused": {
      request: { method: "POST", path: "/api/v1/namespaces/Bad_x/configmaps", body: map },
      status: 403,
    },
    "one that is there is taken": { post: map },
    "cluster-wide objects need none": { post: obj("v1", "Node", "n") },
  },
  dryRun: {
    "a dry run makes none": {
      request: { method: "POST", path: "/api/v1/namespaces/fresh/configmaps", body: map },
      status: 404,
      after: { "/api/v1/namespaces/fresh": { code: 404 } },
    },
  },
  off: {
    "404": {
      request: { method: "POST", path: "/api/v1/namespaces/fresh/configmaps", body: map },
      status: 404,
    },
  },
});
