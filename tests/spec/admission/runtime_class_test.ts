/** Admission plugin RuntimeClass: see _table.ts. */
import { obj, pod, table } from "./_table.ts";

const runtime = (rest = {}) => obj("node.k8s.io/v1", "RuntimeClass", "r", { handler: "h", ...rest });
const heavy = runtime({
  overhead: { podFixed: { cpu: "100m" } },
  scheduling: { nodeSelector: { a: "b" }, tolerations: [{ key: "t", operator: "Exists" }] },
});

table("RuntimeClass", {
  on: {
    "overhead, selector and tolerations come from the class": {
      given: [heavy],
      post: pod({ runtimeClassName: "r", nodeSelector: { x: "y" } }),
      shows: {
        "spec.overhead": { cpu: "100m" },
        "spec.nodeSelector": { a: "b", x: "y" },
        "spec.tolerations.2.key": "t",
      },
    },
    "another overhead is refused": {
      given: [heavy],
      post: pod({ runtimeClassName: "r", overhead: { cpu: "1" } }),
      says: /Pod's Overhead doesn't match RuntimeClass's defined Overhead/,
    },
    "an absent class is refused": {
      post: pod({ runtimeClassName: "none" }),
      says: /pod rejected: RuntimeClass "none" not found/,
    },
    "overhead without a class is refused": {
      post: pod({ overhead: { cpu: "1" } }),
      says: /Pod Overhead set without corresponding RuntimeClass defined Overhead/,
    },
  },
  edge: {
    "more overhead than the class has": {
      given: [heavy],
      post: pod({ runtimeClassName: "r", overhead: { cpu: "100m", memory: "1" } }),
      says: /Pod's Overhead doesn't match RuntimeClass's defined Overhead/,
    },
    "an overhead of nothing, without a class": {
      post: pod({ overhead: {} }),
      says: /Pod Overhead set without corresponding RuntimeClass defined Overhead/,
    },
    "an equal overhead is fine": {
      given: [heavy],
      post: pod({ runtimeClassName: "r", overhead: { cpu: "0.1" } }),
      shows: { "spec.overhead": { cpu: "100m" } },
    },
  },
  dryRun: {
    "a conflicting selector is refused": {
      given: [heavy],
      post: pod({ runtimeClassName: "r", nodeSelector: { a: "c" } }),
      says: /conflict: runtimeClass\.scheduling\.nodeSelector\[a\] = b; pod\.spec\.nodeSelector\[a\] = c/,
    },
  },
  off: {
    "the class is not asked": { post: pod({ runtimeClassName: "none" }) },
  },
});
