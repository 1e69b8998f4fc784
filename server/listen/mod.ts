/** Listening: TLS terminator in front of `Deno.serve`, plain HTTP, unix socket. */
export { listen } from "./listen.ts";
export type * from "./types.ts";
export { type DataDir, type DataDirOptions, ensureDataDir, ensureServingPair, makeDataDir } from "./data_dir.ts";
export { followDataDir } from "./renewal.ts";
export { connectionFile } from "./kubeconfig.ts";
export { edgeExport } from "./edge.ts";
export { followTlsFiles, readTlsFiles } from "./tls_files.ts";
export { servingFrom } from "./from_options.ts";
export { readProcess } from "./process.ts";
