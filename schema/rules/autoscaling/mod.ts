/** Rules of the autoscaling group. */
import type { RulesTable } from "../tables.ts";
import { HORIZONTAL_POD_AUTOSCALER } from "./horizontal_pod_autoscaler.ts";
export { DEFAULTS } from "./defaults.ts";

/** Rules by resource id. */
export const RULES: RulesTable = { "horizontalpodautoscalers.autoscaling": HORIZONTAL_POD_AUTOSCALER };
