/** Rules of the internal API server group. */
import type { RulesTable } from "../tables.ts";
import { STORAGE_VERSION } from "./storage_version.ts";
export { DEFAULTS } from "./defaults.ts";

/** Rules by resource id. */
export const RULES: RulesTable = { "storageversions.internal.apiserver.k8s.io": STORAGE_VERSION };
