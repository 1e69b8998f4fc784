/** What events say of a change of a pod's resources. */
import type { Container, Pod, ResourceRequirements } from "../../schema/api/core_v1.ts";
import { containersOf, initContainersOf } from "./spec.ts";

/** The words and, as JSON, what each container is to have. @param error why it has it not */
export function resizeText(words: string, pod: Pod, generation: number, error?: string): string {
  const of = (containers: readonly Container[]) =>
    containers.length === 0
      ? undefined
      : containers.map(({ name, resources }) => ({ name, resources: ordered(resources) }));
  const summary = { initContainers: of(initContainersOf(pod)), containers: of(containersOf(pod)), generation, error };
  return `${words}: ${JSON.stringify(summary)}`;
}

/** As the public API writes it. */
function ordered({ limits, requests, claims }: ResourceRequirements = {}) {
  const sorted = (list: ResourceRequirements["limits"]) =>
    list && Object.fromEntries(Object.entries(list).sort(([a], [b]) => a < b ? -1 : 1));
  return { limits: sorted(limits), requests: sorted(requests), claims };
}
