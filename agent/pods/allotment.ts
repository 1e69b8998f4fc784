/** What the node gives a pod of cpu and memory, beside what it wants and what it has. */
import type { Container, Pod, ResourceRequirements } from "../../schema/api/core_v1.ts";
import type { Decision } from "./decision.ts";
import { type Given, resizeOf, sameResources } from "./resize.ts";
import { containersOf, initContainersOf } from "./spec.ts";
import { newestOf, type PodState } from "./state.ts";

/** To the pod as a whole, and to containers by name. */
export interface Allotment {
  readonly whole: ResourceRequirements | undefined;
  readonly containers: ReadonlyMap<string, ResourceRequirements>;
}

/** Containers whose resources may change. */
export function resizable(pod: Pod): readonly Container[] {
  return [...initContainersOf(pod), ...containersOf(pod)];
}

/** What a pod wants. */
export function allotmentOf(pod: Pod): Allotment {
  return { whole: pod.spec?.resources, containers: new Map(resizable(pod).map((c) => [c.name, c.resources ?? {}])) };
}

/** Whether cpu and memory are alike in both. */
export function isSame(a: Allotment, b: Allotment): boolean {
  return sameResources(a.whole, b.whole) &&
    [...a.containers].every(([name, resources]) => sameResources(resources, b.containers.get(name)));
}

/** What runs already keeps what it has until the node has agreed to something else. */
export function asRunning({ whole, containers }: Allotment, state: PodState): Allotment {
  const running = new Map([...containers.keys()].flatMap((name) => {
    const last = newestOf(state, name);
    return last?.state === "RUNNING" ? [[name, last] as const] : [];
  }));
  return {
    whole: [...running.values()].find((t) => t.whole)?.whole ?? whole,
    containers: new Map([...containers].map(([name, r]) => [name, running.get(name)?.resources ?? r])),
  };
}

/** A pod with these in the place of its own. */
export function withResources(pod: Pod, { whole, containers }: Allotment): Pod {
  if (!pod.spec || isSame(allotmentOf(pod), { whole, containers })) return pod;
  const give = (c: Container): Container => {
    const resources = containers.get(c.name);
    return resources && !sameResources(c.resources, resources) ? { ...c, resources } : c;
  };
  const { initContainers, containers: regular, resources: _, ...spec } = pod.spec;
  return {
    ...pod,
    spec: {
      ...spec,
      ...(whole ? { resources: whole } : {}),
      ...(initContainers ? { initContainers: initContainers.map(give) } : {}),
      containers: regular?.map(give) ?? null,
    },
  };
}

/** Whether something that runs has not yet what it is to have. */
export function isDoing(pod: Pod, state: PodState): boolean {
  return resizable(pod).some((c) => {
    const last = newestOf(state, c.name);
    return last?.state === "RUNNING" && (resizeOf(pod, c, last) !== "none" || wholeDiffers(pod, last));
  });
}

const wholeDiffers = (pod: Pod, { whole }: Given) => whole !== undefined && !sameResources(pod.spec?.resources, whole);

/** Whether there is anything to tell the runtime, or the pod's group. */
export function changes(
  { pod, state }: { readonly pod: Pod; readonly state: PodState },
  { update }: Decision,
): boolean {
  return update.length > 0 || resizable(pod).some((c) => {
    const last = newestOf(state, c.name);
    return last?.state === "RUNNING" && wholeDiffers(pod, last);
  });
}
