/** Options of the agent: tables, parser, checks. */
export { type AgentOptions, parseOrchletOptions } from "./parse.ts";
export { ROWS, SETTINGS } from "./table.ts";
