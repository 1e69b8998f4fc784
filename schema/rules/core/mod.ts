import type { DefaultsTable, RulesTable } from "../tables.ts";
export const RULES: RulesTable = {};
export const DEFAULTS: DefaultsTable = {};
