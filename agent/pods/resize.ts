/** Changes of cpu and memory of containers that run. */
import type { Container, Pod, ResourceRequirements } from "../../schema/api/core_v1.ts";
import { compareQuantity } from "../../schema/values/quantity.ts";
import type { ContainerTry } from "./state.ts";

/** What of the agent's options says that processors or memory are containers' own. */
export interface ResizeOptions {
  readonly cpuManagerPolicy?: string;
  readonly memoryManagerPolicy?: string;
}

const RESIZABLE = ["cpu", "memory"] as const;

/** What a container was given; without resources: unknown, which is taken for what it should have. */
export type Given = Pick<ContainerTry, "resources" | "whole">;

/** What is to be done with a running container whose resources are to be others: nothing, told to the runtime, or another start. */
export type Resize = "none" | "update" | "restart";

/** By what it has of its own, and of what its pod has as a whole. */
export function resizeOf(pod: Pod, container: Container, has: Given): Resize {
  if (!has.resources) return "none";
  const whole = pod.spec?.resources;
  const wanted = effective(container.resources, whole), given = effective(has.resources, has.whole ?? whole);
  const changed = RESIZABLE.filter((name) => !sameResource(wanted, given, name));
  if (changed.length === 0) return "none";
  const restarts = container.resizePolicy?.some((p) =>
    p.restartPolicy === "RestartContainer" && changed.some((name) => name === p.resourceName)
  );
  return restarts ? "restart" : "update";
}

/** With the limits of its pod where it has none of its own. */
export function effective(
  own: ResourceRequirements = {},
  whole: ResourceRequirements | undefined,
): ResourceRequirements {
  const limits = { ...own.limits };
  for (const name of RESIZABLE) {
    const limit = whole?.limits?.[name];
    if (limit !== undefined && compareQuantity(limits[name] ?? "0", "0") === 0) limits[name] = limit;
  }
  return { ...own, limits };
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
