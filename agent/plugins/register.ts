/** Registering one plugin by its socket. */
import { GET_INFO, NOTIFY } from "./calls.ts";
import { openPlugin } from "./client.ts";
import type { PluginHandler, PluginInfo, PluginKinds } from "./types.ts";

/** Longest times of the calls, ms. */
const ASK_MS = 10_000, NOTIFY_MS = 5_000;

/** A plugin that is registered. */
export interface Registered {
  readonly handler: PluginHandler;
  readonly plugin: PluginInfo;
}

/** @throws Error that says why not; the plugin has been told, where it listens */
export async function register(socket: string, kinds: PluginKinds, signal: AbortSignal): Promise<Registered> {
  const client = openPlugin(socket);
  const tell = (error: string) =>
    client.call(NOTIFY, { pluginRegistered: error === "", error }, { timeout: NOTIFY_MS, signal });
  const during = async (what: string, work: () => void | Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (e) {
      const error = `RegisterPlugin error -- ${what}${(e as Error).message}`;
      await tell(error);
      throw new Error(error, { cause: e });
    }
  };
  try {
    const info = await client.call(GET_INFO, {}, { timeout: ASK_MS, signal });
    const { type, name, endpoint, supportedVersions: versions } = info;
    const handler = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
    const plugin = { name, endpoint: endpoint || socket, versions };
    await during("", () => {
      if (!handler) throw new Error(`no handler registered for plugin type: ${type} at socket ${socket}`);
    });
    await during("plugin validation failed with err: ", () => handler!.validate(plugin));
    await during("plugin registration failed with err: ", () => handler!.register(plugin, signal));
    try {
      await tell("");
    } catch (e) {
      await handler!.deregister(plugin);
      throw e;
    }
    return { handler: handler!, plugin };
  } finally {
    client.close();
  }
}
