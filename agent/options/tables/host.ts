/** The agent's process, the kernel, and the log (specification, "Node agent options"). */
import { type AgentRow, NOT_NEGATIVE } from "../types.ts";

/** Rows of the group "Process and kernel". */
export const HOST = [
  {
    name: "max-open-files",
    type: "int",
    default: "1000000",
    rule: { min: 0 },
    field: "maxOpenFiles",
    help: "Most files that the agent may have open",
  },
  {
    name: "oom-score-adj",
    type: "int",
    default: "-999",
    rule: { min: -1000, max: 1000 },
    field: "oomScoreAdj",
    help: "How soon the kernel ends the agent for want of memory",
  },
  {
    name: "protect-kernel-defaults",
    type: "bool",
    field: "protectKernelDefaults",
    help: "Do not start where settings of the kernel are not what the agent needs; else they are set",
  },
  {
    name: "kernel-memcg-notification",
    type: "bool",
    field: "kernelMemcgNotification",
    help: "Have the kernel tell when memory runs out, beside looking at it",
    accepted: "The kernel tells by an eventfd, which Deno cannot open: memory is looked at every 10 s",
  },
] as const satisfies readonly AgentRow[];

/** Rows of the group "Log". */
export const LOG = [
  {
    name: "logging-format",
    type: "string",
    default: "text",
    rule: { oneOf: ["text", "json"] },
    field: "logging.format",
    help: "text or json",
  },
  {
    name: "log-flush-frequency",
    type: "duration",
    default: "5s",
    field: "logging.flushFrequency",
    help: "How often buffered lines are written",
  },
  {
    name: "log-text-info-buffer-size",
    type: "quantity",
    field: "logging.options.text.infoBufferSize",
    help: "Bytes of informational text lines that may wait, where the streams are split; gate LoggingAlphaOptions",
  },
  {
    name: "log-text-split-stream",
    type: "bool",
    field: "logging.options.text.splitStream",
    help: "Errors and warnings to standard error, the rest to standard output; gate LoggingAlphaOptions",
  },
  {
    name: "log-json-info-buffer-size",
    type: "quantity",
    field: "logging.options.json.infoBufferSize",
    help: "The same for JSON",
  },
  {
    name: "log-json-split-stream",
    type: "bool",
    field: "logging.options.json.splitStream",
    help: "Errors apart from the rest in JSON; gate LoggingAlphaOptions",
  },
  {
    name: "v",
    short: "v",
    type: "int",
    rule: NOT_NEGATIVE,
    field: "logging.verbosity",
    help: "Verbosity of the log",
  },
  {
    name: "vmodule",
    type: "strings",
    field: "logging.vmodule",
    help: "pattern=N list of verbosity by module, such as probes=3; format text only",
  },
] as const satisfies readonly AgentRow[];
