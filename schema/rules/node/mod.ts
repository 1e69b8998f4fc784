/** Rules of the node group. */
import type { RulesTable } from "../tables.ts";
import { RUNTIME_CLASS } from "./runtime_class.ts";
export { DEFAULTS } from "./defaults.ts";

/** Rules by resource id. */
export const RULES: RulesTable = { "runtimeclasses.node.k8s.io": RUNTIME_CLASS };
