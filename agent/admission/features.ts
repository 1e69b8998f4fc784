/** Features of a node that a pod needs: one without them would run it otherwise than it says. */
import type { Pod } from "../../schema/api/core_v1.ts";
import { canRestartAll, containersOf, initContainersOf } from "../pods/spec.ts";
import type { Refusal } from "../types.ts";

/** By the names that nodes tell, in order. */
const NEEDED: readonly (readonly [feature: string, by: (pod: Pod) => boolean])[] = [
  ["RestartAllContainersOnContainerExits", canRestartAll],
  ["UserNamespacesHostNetworkSupport", ({ spec }) => spec?.hostNetwork === true && spec.hostUsers === false],
  [
    "VolumeBindMountOptions",
    (pod) =>
      [...initContainersOf(pod), ...containersOf(pod), ...pod.spec?.ephemeralContainers ?? []]
        .some((c) => c.volumeMounts?.some((mount) => (mount.bindMountOptions?.length ?? 0) > 0)),
  ],
];

/** @param told what the node tells that it can */
export function featureRefusal(pod: Pod, told: readonly string[]): Refusal | undefined {
  const lacking = NEEDED.filter(([feature, by]) => !told.includes(feature) && by(pod)).map(([feature]) => feature);
  if (lacking.length === 0) return undefined;
  const message = `Pod requires node features that are not available: ${lacking.join(", ")}`;
  return { reason: "PodFeatureUnsupported", message };
}
