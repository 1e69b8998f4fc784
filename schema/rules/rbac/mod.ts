/** Rules and defaults of `rbac.authorization.k8s.io`. */
import type { RulesTable } from "../tables.ts";

export { DEFAULTS } from "./defaults.ts";

/** By resource id. Names of roles may hold colons: any path segment will do. */
export const RULES: RulesTable = {
  "clusterroles.rbac.authorization.k8s.io": { name: "path" },
  "clusterrolebindings.rbac.authorization.k8s.io": { name: "path" },
  "roles.rbac.authorization.k8s.io": { name: "path" },
  "rolebindings.rbac.authorization.k8s.io": { name: "path" },
};
