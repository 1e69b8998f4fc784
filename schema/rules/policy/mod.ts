/** Rules of the policy group. */
import type { RulesTable } from "../tables.ts";
import { POD_DISRUPTION_BUDGET } from "./pod_disruption_budget.ts";
export { DEFAULTS } from "./defaults.ts";

/** Rules by resource id. */
export const RULES: RulesTable = { "poddisruptionbudgets.policy": POD_DISRUPTION_BUDGET };
