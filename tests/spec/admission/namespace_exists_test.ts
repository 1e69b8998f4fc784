/** Admission plugin NamespaceExists: see _table.ts. */
import { elsewhere, map } from "./_objects.ts";
import { obj, table } from "./_table.ts";

const without = ["--disable-admission-plugins=NamespaceLifecycle,ServiceAccount"];

table("NamespaceExists", {
  on: {
    "no namespace, no object": {
      flags: without,
      request: elsewhere(),
      status: 404,
      says: /^namespaces "nowhere" not found$/,
    },
  },
  edge: {
    "one that is there": { flags: without, post: map },
    "cluster-wide objects": { flags: without, post: obj("v1", "Node", "n") },
  },
  dryRun: {
    "not in a dry run": { flags: without, request: elsewhere(), status: 404, says: /namespaces "nowhere"/ },
  },
  off: {
    "the object is stored": { flags: without, request: elsewhere(), status: 201 },
  },
});
