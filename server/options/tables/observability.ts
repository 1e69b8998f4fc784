/** Metrics, logs and traces. */
import type { OptionRow } from "../../../schema/flags/types.ts";

/** Rows of the group "Metrics, logs, traces". */
export const OBSERVABILITY = [
  {
    name: "allow-metric-labels",
    type: "map",
    help: "metric,label=values: the only values that label may take",
  },
  { name: "allow-metric-labels-manifest", type: "path", help: "The same as a YAML file, which excludes the option" },
  { name: "disabled-metrics", type: "strings", help: "Metrics not to serve" },
  {
    name: "show-hidden-metrics-for-version",
    type: "string",
    help: "The minor version before: metrics that are hidden since this one are served",
  },
  { name: "logging-format", type: "string", default: "text", rule: { oneOf: ["text", "json"] }, help: "text or json" },
  { name: "log-flush-frequency", type: "duration", default: "5s", help: "How often buffered lines are written" },
  {
    name: "log-text-info-buffer-size",
    type: "quantity",
    help: "Bytes of informational text lines that may wait, where the streams are split; gate LoggingAlphaOptions",
  },
  {
    name: "log-text-split-stream",
    type: "bool",
    help: "Errors and warnings to standard error, the rest to standard output; gate LoggingAlphaOptions",
  },
  { name: "log-json-info-buffer-size", type: "quantity", help: "The same for JSON" },
  { name: "log-json-split-stream", type: "bool", help: "Errors apart from the rest in JSON; gate LoggingAlphaOptions" },
  { name: "v", short: "v", type: "int", rule: { min: 0, max: 2 ** 31 - 1 }, help: "Verbosity of the log" },
  {
    name: "vmodule",
    type: "strings",
    help: "pattern=N list of verbosity by module, such as httplog=3; format text only",
  },
  {
    name: "tracing-config-file",
    type: "path",
    help: "File of the tracing set-up (docs/tracing.md)",
  },
  {
    name: "enable-logs-handler",
    type: "bool",
    deprecated: "nothing",
    help: "Serve /logs: what is in /var/log",
  },
] as const satisfies readonly OptionRow[];
