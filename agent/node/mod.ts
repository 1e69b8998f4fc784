/** This node. */
export { declaredFeatures } from "./features.ts";
export { hostNetwork } from "./host_network.ts";
export { hostnameOf, identityOf, inUserNamespace } from "./identity.ts";
export { OwnNode } from "./own_node.ts";
export type { NodeOptions, NodeParts } from "./options.ts";
