/** Rules of the group of API services. */
import type { RulesTable } from "../tables.ts";
import { API_SERVICE } from "./api_service.ts";
export { DEFAULTS } from "./defaults.ts";

/** Rules by resource id. */
export const RULES: RulesTable = { "apiservices.apiregistration.k8s.io": API_SERVICE };
