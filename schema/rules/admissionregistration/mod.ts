/** Rules of this group. */
import type { RulesTable } from "../tables.ts";
export { DEFAULTS } from "./defaults.ts";

/** Rules by resource id. */
export const RULES: RulesTable = {};
