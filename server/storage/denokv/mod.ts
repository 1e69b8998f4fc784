/** The store on Deno KV. */
export { type DenoKvOptions, openDenoKv } from "./open.ts";
