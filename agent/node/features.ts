/** Features that a node tells of, for clients and schedulers that ask for them. */
import type { Gate } from "../resources/amounts.ts";

/** What the agent does while a gate of the same name is on, in order. */
const FEATURES = [
  "ExtendWebSocketsToKubelet",
  "InPlacePodLevelResourcesVerticalScaling",
  "InPlacePodVerticalScalingInitContainers",
  "RestartAllContainersOnContainerExits",
] as const;

/** Names for the node's status, in order. */
export function declaredFeatures(gate: Gate): readonly string[] {
  return gate("NodeDeclaredFeatures") ? FEATURES.filter(gate) : [];
}
