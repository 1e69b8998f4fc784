/** Rules and defaults of `rbac.authorization.k8s.io`. */
import type { RulesTable } from "../tables.ts";
import { CLUSTER_ROLE_BINDING, ROLE_BINDING } from "./bindings.ts";
import { CLUSTER_ROLE, ROLE } from "./roles.ts";

export { DEFAULTS } from "./defaults.ts";

/** By resource id. */
export const RULES: RulesTable = {
  "clusterroles.rbac.authorization.k8s.io": CLUSTER_ROLE,
  "clusterrolebindings.rbac.authorization.k8s.io": CLUSTER_ROLE_BINDING,
  "roles.rbac.authorization.k8s.io": ROLE,
  "rolebindings.rbac.authorization.k8s.io": ROLE_BINDING,
};
