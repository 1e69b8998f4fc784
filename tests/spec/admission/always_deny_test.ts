/** Admission plugin AlwaysDeny: see _table.ts. Namespaces are those of a fresh server: it takes no other. */
import { map } from "./_objects.ts";
import { table } from "./_table.ts";

const denied = /is forbidden: admission control is denying all modifications$/;
const DEFAULT = "/api/v1/namespaces/default";

table("AlwaysDeny", {
  on: {
    "what is created": { in: "default", post: map, says: denied },
    "what is changed": {
      in: "default",
      request: {
        method: "PATCH",
        path: DEFAULT,
        type: "application/merge-patch+json",
        body: { metadata: { labels: { a: "b" } } },
      },
      says: denied,
    },
    "what is deleted": {
      in: "default",
      request: { method: "DELETE", path: "/api/v1/namespaces/kube-node-lease" },
      says: denied,
    },
  },
  edge: { "reads pass": { in: "default", request: { method: "GET", path: DEFAULT } } },
  dryRun: { "refused too": { in: "default", post: map, says: denied } },
  off: { "everything goes": { in: "default", post: map } },
});
