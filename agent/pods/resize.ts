/** Changes of cpu and memory of containers that run. */
import type { Container, ResourceRequirements } from "../../schema/api/core_v1.ts";
import { compareQuantity } from "../../schema/values/quantity.ts";

const RESIZABLE = ["cpu", "memory"] as const;

/** What is to be done with a running container whose resources are to be others: nothing, told to the runtime, or another start. */
export type Resize = "none" | "update" | "restart";

/** @param has what the container was given; undefined: unknown, which is taken for what it should have */
export function resizeOf(container: Container, has: ResourceRequirements | undefined): Resize {
  if (!has) return "none";
  const changed = RESIZABLE.filter((name) => !sameResource(container.resources, has, name));
  if (changed.length === 0) return "none";
  const restarts = container.resizePolicy?.some((p) =>
    p.restartPolicy === "RestartContainer" && changed.some((name) => name === p.resourceName)
  );
  return restarts ? "restart" : "update";
}

/** Whether cpu and memory are alike in both. */
export function sameResources(a: ResourceRequirements | undefined, b: ResourceRequirements | undefined): boolean {
  return RESIZABLE.every((name) => sameResource(a, b, name));
}

function sameResource(a: ResourceRequirements | undefined, b: ResourceRequirements | undefined, name: string): boolean {
  return (["requests", "limits"] as const).every((list) =>
    compareQuantity(a?.[list]?.[name] ?? "0", b?.[list]?.[name] ?? "0") === 0
  );
}
