/** Rules of the storage migration group. */
import type { RulesTable } from "../tables.ts";
import { STORAGE_VERSION_MIGRATION } from "./storage_version_migration.ts";
export { DEFAULTS } from "./defaults.ts";

/** Rules by resource id. */
export const RULES: RulesTable = { "storageversionmigrations.storagemigration.k8s.io": STORAGE_VERSION_MIGRATION };
