export { openPlugin } from "./client.ts";
export type { PluginHandler, PluginInfo, PluginKinds } from "./types.ts";
export { PluginWatch } from "./watch.ts";
