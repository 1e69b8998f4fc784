/** Rules of the authentication group: nothing of it is stored. */
import type { RulesTable } from "../tables.ts";
export { DEFAULTS } from "./defaults.ts";

/** Rules by resource id. */
export const RULES: RulesTable = {};
