/** The store on Deno KV. */
export { DenoKvBackend, type DenoKvOptions, openDenoKv } from "./open.ts";
