/** Defaults of the node group: there are none. */
import type { DefaultsTable } from "../tables.ts";

/** Rows of the group. */
export const DEFAULTS: DefaultsTable = {};
