/** The configuration file of the agent. */
export { configzOf } from "./configz.ts";
export { type ConfigFiles, hostFiles } from "./files.ts";
