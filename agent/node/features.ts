/** Features that a node tells of, for clients and schedulers that ask for them. */
import type { Gate } from "../resources/amounts.ts";
import type { RuntimeFeatures } from "../runtime/types.ts";

/** What the agent does while a gate of the same name is on, in order; what the runtime must be able to do besides. */
const FEATURES: readonly (readonly [name: string, needs?: keyof RuntimeFeatures])[] = [
  ["ExtendWebSocketsToKubelet"],
  ["InPlacePodLevelResourcesVerticalScaling"],
  ["InPlacePodVerticalScalingInitContainers"],
  ["RestartAllContainersOnContainerExits"],
  ["UserNamespacesHostNetworkSupport", "userNamespacesHostNetwork"],
  ["VolumeBindMountOptions", "mountOptions"],
];

/** Names for the node's status, in order. @param can undefined: the runtime does not tell */
export function declaredFeatures(gate: Gate, can: RuntimeFeatures | undefined): readonly string[] {
  if (!gate("NodeDeclaredFeatures")) return [];
  return FEATURES.filter(([name, needs]) => gate(name) && (!needs || can?.[needs])).map(([name]) => name);
}
