export { openPlugin } from "./client.ts";
export type { PluginHandler, PluginInfo } from "./types.ts";
export { PluginWatch } from "./watch.ts";
