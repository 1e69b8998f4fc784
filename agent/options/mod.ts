/** Options of the agent: tables, parser, checks. */
export { type AgentOptions, type Parsed, parseOrchletOptions } from "./parse.ts";
export { type FieldName, GROUPS, type OptionName, ROWS, SETTINGS, type SettingValues } from "./table.ts";
