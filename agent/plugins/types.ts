/** What registering plugins of the node say and are told. */

/** A plugin as it tells of itself. */
export interface PluginInfo {
  readonly name: string;
  /** Path of the socket where its service is. */
  readonly endpoint: string;
  /** Of that service. */
  readonly versions: readonly string[];
}

/** What is done with plugins of one type. */
export interface PluginHandler {
  /** @throws Error: such a plugin is not taken; the plugin is told why */
  validate(plugin: PluginInfo): void;
  /** All that makes it one that can be used, or nothing. @throws Error that the plugin is told */
  register(plugin: PluginInfo, signal: AbortSignal): Promise<void>;
  /** It is gone. @throws Error: something of it could not be taken away */
  deregister(plugin: PluginInfo): Promise<void>;
}

/** Handlers by the type that plugins tell: `CSIPlugin`. */
export type PluginKinds = Readonly<Record<string, PluginHandler>>;
