/** Options of the server: tables, parser, gates, files. */
export { FeatureGates } from "../../schema/flags/gates/feature_gates.ts";
export { gateEnabled, type Options, type Parsed, parseOptions } from "./parse.ts";
export { RuntimeConfig } from "./runtime_config.ts";
export { GROUPS, type OptionName, type OptionValues, ROWS } from "./table.ts";
export { type CertKey, type OptionRow, type PortRange, statusOf } from "../../schema/flags/types.ts";
export { BINARY_VERSION } from "../../schema/version.ts";
export type { ComponentVersions } from "./versions.ts";
export { readConnectionFile } from "./connection_file.ts";
export { parseDuration } from "../../schema/flags/duration.ts";
export { fetchText, postJson } from "./http_client.ts";
