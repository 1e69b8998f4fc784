/** The configuration file of admission (`--admission-control-config-file`). */
import type { JsonMap } from "../../schema/model/types.ts";

/** Configurations by plugin, decoded and checked. */
export type PluginConfigs = ReadonlyMap<string, JsonMap>;
