/** Defaults of the internal API server group. */
import type { DefaultsTable } from "../tables.ts";

/** Rows of the group: none. */
export const DEFAULTS: DefaultsTable = {};
