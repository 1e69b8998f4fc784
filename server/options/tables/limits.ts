/** Limits and shutdown (specification, "Limits" and "Errors"). */
import type { OptionRow } from "../../../schema/flags/types.ts";

/** Rows of the group "Limits". */
export const LIMITS = [
  {
    name: "request-timeout",
    type: "duration",
    default: "1m0s",
    rule: { min: 0 },
    help: "Time that a handler has, but for watches and other long requests",
  },
  {
    name: "min-request-timeout",
    type: "int",
    default: "1800",
    rule: { min: 0 },
    help: "Seconds that a watch lasts at least; each gets a random time above it",
  },
  {
    name: "max-requests-inflight",
    type: "int",
    default: "400",
    rule: { min: 0 },
    help: "Reads in flight; with the next the total limit of priority and fairness",
  },
  {
    name: "max-mutating-requests-inflight",
    type: "int",
    default: "200",
    rule: { min: 0 },
    help: "Writes in flight; 0 is no limit when priority and fairness is off",
  },
  {
    name: "enable-priority-and-fairness",
    type: "bool",
    default: "true",
    help: "Queue requests by flow schemas and priority levels",
  },
  {
    name: "max-connection-bytes-per-sec",
    type: "int",
    default: "0",
    rule: { min: 0 },
    help: "Bytes a second of all long-running answers of a connection (watches); 0 is no limit",
  },
  {
    name: "shutdown-delay-duration",
    type: "duration",
    rule: { min: 0 },
    help: "How long /readyz fails and all else is served before the server stops",
  },
  {
    name: "shutdown-send-retry-after",
    type: "bool",
    help: "Answer 429 with Retry-After and close connections while the server stops",
  },
  {
    name: "shutdown-watch-termination-grace-period",
    type: "duration",
    rule: { min: 0 },
    help: "Longest wait for watches to end when the server stops",
  },
  {
    name: "livez-grace-period",
    type: "duration",
    rule: { min: 0 },
    help: "How long after start /livez takes unfinished start-up work for well",
  },
] as const satisfies readonly OptionRow[];
