/** Options of the server: tables, parser, gates, files. */
export { type Options, parseOptions } from "./parse.ts";
export { BINARY_VERSION } from "../../schema/version.ts";
export { currentConnection, readConnectionFile } from "./connection_file.ts";
export { parseDuration } from "../../schema/flags/duration.ts";
export { fetchText, postJson } from "./http_client.ts";
