/** The store on Deno KV. */
export { verifyDenoKv } from "./verify.ts";
export { DenoKvBackend, type DenoKvOptions, openDenoKv } from "./open.ts";
