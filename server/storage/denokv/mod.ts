/** The store on Deno KV. */
export { type Verdict, verifyDenoKv } from "./verify.ts";
export { DenoKvBackend, type DenoKvOptions, openDenoKv } from "./open.ts";
