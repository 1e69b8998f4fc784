/** Admission plugin PodResizeValidator: see _table.ts. */
import { big, resize, running } from "./_nodes.ts";
import { container, pod, table } from "./_table.ts";

table("PodResizeValidator", {
  on: {
    "more than the node has": {
      given: [big("big"), running("big")],
      request: resize("3"),
      says: /node didn't have enough allocatable resources: cpu, requested: 3000, allocatable: 2000/,
      shows: { "details.causes": [{ reason: "NodeCapacity" }] },
    },
    "an absent node": {
      given: [running("none")],
      request: resize("2"),
      says: /node "none" not found/,
      shows: { "details.causes": undefined },
    },
  },
  edge: {
    "a resize that fits": { given: [big("big"), running("big")], request: resize("2") },
    "a node that does not tell its system": { given: [big("any", null), running("any")], request: resize("2") },
    "a node of another system, too small": {
      given: [big("small", "windows"), running("small")],
      request: resize("3"),
      says: /only supported on linux nodes/,
    },
    "a pod without a node": {
      given: [pod({ containers: [container({ requests: { cpu: "1" } })] })],
      request: resize("9"),
    },
  },
  dryRun: {
    "another system": {
      given: [big("win", "windows"), running("win")],
      request: resize("2"),
      says: /pod resize is only supported on linux nodes, node "win" is "windows"/,
      shows: { "details.causes": [{ reason: "UnsupportedPlatform" }] },
    },
  },
  off: {
    "anything": { given: [big("big"), running("big")], request: resize("3") },
  },
});
