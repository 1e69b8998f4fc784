/** Metrics, logs and traces. */
import type { OptionRow } from "../types.ts";

const METRICS = "All metrics are stable ones of the server's own; there is nothing hidden or relabelled yet";
const LOGS = "Log lines are written at once and whole; there is one stream";

/** Rows of the group "Metrics, logs, traces". */
export const OBSERVABILITY = [
  {
    name: "allow-metric-labels",
    type: "map",
    help: "metric,label=values: the only values that label may take",
    accepted: METRICS,
  },
  { name: "allow-metric-labels-manifest", type: "path", help: "The same as a file", accepted: METRICS },
  { name: "disabled-metrics", type: "strings", help: "Metrics not to serve" },
  {
    name: "show-hidden-metrics-for-version",
    type: "string",
    help: "Serve metrics that were hidden since then",
    accepted: METRICS,
  },
  { name: "logging-format", type: "string", default: "text", rule: { oneOf: ["text", "json"] }, help: "text or json" },
  { name: "log-flush-frequency", type: "duration", default: "5s", help: "How often logs are flushed", accepted: LOGS },
  { name: "log-text-info-buffer-size", type: "quantity", help: "Buffer of informational text lines", accepted: LOGS },
  {
    name: "log-text-split-stream",
    type: "bool",
    help: "Errors to standard error, the rest to standard output",
    accepted: LOGS,
  },
  { name: "log-json-info-buffer-size", type: "quantity", help: "Buffer of informational JSON lines", accepted: LOGS },
  { name: "log-json-split-stream", type: "bool", help: "The same for JSON", accepted: LOGS },
  { name: "v", short: "v", type: "int", rule: { min: 0 }, help: "Verbosity of the log" },
  {
    name: "vmodule",
    type: "strings",
    help: "pattern=N list of verbosity by file",
    accepted: "There is one verbosity for the whole server",
  },
  {
    name: "tracing-config-file",
    type: "path",
    help: "File of the tracing set-up",
    accepted: "Spans are not exported yet",
  },
  {
    name: "enable-logs-handler",
    type: "bool",
    deprecated: "nothing",
    help: "Serve /logs: what is in /var/log",
  },
] as const satisfies readonly OptionRow[];
