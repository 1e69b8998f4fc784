/** What a container is made with to have its devices. */
import type { ContainerDevices } from "../types.ts";
import type { Given } from "./allocations.ts";

/** That of several resources together: of two that mean the same place or name the first counts. */
export function containerDevices(given: Iterable<Given>): ContainerDevices {
  const all = [...given].map(({ allocation }) => allocation);
  const texts = (which: "envs" | "annotations") => all.toReversed().map((one) => one[which]);
  const first = <T>(items: readonly T[], key: (item: T) => string): T[] =>
    [
      ...new Map(items.toReversed().map((item) => [key(item), item])).values(),
    ].reverse();
  return {
    envs: Object.entries(Object.assign({}, ...texts("envs"))).map(([key, value]) => ({ key, value: value as string })),
    mounts: first(all.flatMap(({ mounts }) => mounts), (m) => m.containerPath)
      .map(({ readOnly, ...paths }) => ({ ...paths, readonly: readOnly })),
    devices: first(all.flatMap(({ devices }) => devices), (d) => d.containerPath),
    annotations: Object.assign({}, ...texts("annotations")),
    cdiDevices: first(all.flatMap(({ cdiDevices }) => cdiDevices), (d) => d.name),
  };
}
