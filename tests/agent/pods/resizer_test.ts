import assert from "node:assert/strict";
import type { Container } from "../../../schema/api/core_v1.ts";
import { PodMemory } from "../../../agent/pods/memory.ts";
import type { PodParts } from "../../../agent/pods/parts.ts";
import { Resizer } from "../../../agent/pods/resizer.ts";
import { attempt, pod, state } from "./_fixture.ts";

/** A node that gives all that is asked for, and swap. */
const parts = {
  admit: () => undefined,
  resources: { container: () => ({ unified: { "memory.swap.max": "4096" } }) },
} as unknown as PodParts;

const main = (memory: string, more: Partial<Container> = {}): Container => ({
  name: "main",
  image: "app:1",
  resources: { requests: { memory, cpu: "1" } },
  ...more,
});

Deno.test("a container that may swap keeps its memory while it runs", () => {
  const resizer = new Resizer(parts, () => []), runs = state([attempt(main("1Mi"))]);
  resizer.allot(pod({ containers: [main("1Mi")] }), runs);
  const wanted = pod({ containers: [main("2Mi")] });
  assert.deepEqual(resizer.allot(wanted, runs).spec!.containers, [main("1Mi")]);
  const memory = new PodMemory(wanted);
  memory.see(runs);
  const [pending] = resizer.conditions(memory);
  assert.deepEqual([pending?.type, pending?.reason, pending?.message], [
    "PodResizePending",
    "Infeasible",
    "In-place resize of containers with swap is not supported.",
  ]);
  const restarts = main("2Mi", { resizePolicy: [{ resourceName: "memory", restartPolicy: "RestartContainer" }] });
  assert.deepEqual(resizer.allot(pod({ containers: [restarts] }), runs).spec!.containers, [restarts]);
});
