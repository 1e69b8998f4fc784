/** Rules of the group of custom resources. */
import type { RulesTable } from "../tables.ts";
import { DEFINITION } from "./definition.ts";
export { DEFAULTS } from "./defaults.ts";

/** Rules by resource id. */
export const RULES: RulesTable = { "customresourcedefinitions.apiextensions.k8s.io": DEFINITION };
