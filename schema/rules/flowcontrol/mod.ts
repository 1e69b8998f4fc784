/** Rules of the flow control group. */
import type { RulesTable } from "../tables.ts";
import { FLOW_SCHEMA } from "./flow_schema.ts";
import { PRIORITY_LEVEL } from "./priority_level.ts";
export { DEFAULTS } from "./defaults.ts";

/** Rules by resource id. */
export const RULES: RulesTable = {
  "flowschemas.flowcontrol.apiserver.k8s.io": FLOW_SCHEMA,
  "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io": PRIORITY_LEVEL,
};
