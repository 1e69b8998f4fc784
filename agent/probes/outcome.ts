/** What one run of a probe's handler came to. */
import { nanosToDuration } from "../../schema/values/duration.ts";

/** Longest output that is kept, bytes. */
export const MAX_OUTPUT = 10 * 1024;

/** `warning` counts as success; `error`: it could not be asked at all, which counts as nothing. */
export interface Outcome {
  readonly result: "success" | "warning" | "failure" | "error";
  readonly output: string;
}

/** One of each, with its text. */
export const success = (output = ""): Outcome => ({ result: "success", output });
/** It succeeded, with something to tell. */
export const warning = (output: string): Outcome => ({ result: "warning", output });
/** It did not succeed. */
export const failure = (output: string): Outcome => ({ result: "failure", output });
/** Nobody knows: it could not be asked. */
export const errored = (output: string): Outcome => ({ result: "error", output });

/** Seconds as the field writes them: `1m0s`. */
export const secondsText = (seconds: number): string => nanosToDuration(BigInt(seconds) * 1_000_000_000n);
