/** Listening: TLS terminator in front of `Deno.serve`, plain HTTP, unix socket. */
export { listen } from "./listen.ts";
export { DEFAULT_LIMITS } from "./limits.ts";
export type * from "./types.ts";
export {
  type DataDir,
  type DataDirOptions,
  ensureDataDir,
  ensureServingPair,
  type FilePair,
  makeDataDir,
} from "./data_dir.ts";
export { writeAdminConf } from "./data_dir.ts";
export { type ConnectionFile, connectionFile } from "./kubeconfig.ts";
export { edgeExport, type HostInfo } from "./edge.ts";
export { followTlsFiles, readTlsFiles, type TlsFiles } from "./tls_files.ts";
export { type PairSource, type Serving, servingFrom, type ServingOptions } from "./from_options.ts";
