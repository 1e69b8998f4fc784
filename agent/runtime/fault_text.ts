/** What went wrong with a call of the runtime, in the public words. */
import { RuntimeError } from "./types.ts";

/** An error as events and messages say it: gRPC's code in front. */
export function faultText(error: unknown): string {
  if (!(error instanceof RuntimeError)) return error instanceof Error ? error.message : String(error);
  return `rpc error: code = ${error.code} desc = ${error.message}`;
}
