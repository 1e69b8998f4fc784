/** Admission plugin AlwaysAdmit: see _table.ts. */
import { elsewhere, map } from "./_objects.ts";
import { table } from "./_table.ts";

table("AlwaysAdmit", {
  on: {
    "everything": { post: map },
  },
  edge: {
    "what others refuse stays refused": { request: elsewhere(), status: 404 },
    "deletion": { given: [map], request: { method: "DELETE", path: "/api/v1/namespaces/{ns}/configmaps/m" } },
  },
  dryRun: {
    "in a dry run": { post: map },
  },
  off: {
    "the same": { post: map },
  },
});
