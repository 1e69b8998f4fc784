/** Rules of the core group. */
import type { RulesTable } from "../tables.ts";
import { POD } from "./pod.ts";
export { DEFAULTS } from "./defaults.ts";

/** Rules by resource id. */
export const RULES: RulesTable = { pods: POD };
