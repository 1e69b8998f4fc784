/** Admission and what it fills in (specification, "Request processing options"). */
import type { OptionRow } from "../../../schema/flags/types.ts";

/** Rows of the group "Admission". */
export const ADMISSION = [
  { name: "enable-admission-plugins", type: "strings", help: "Plugins to turn on besides the default ones" },
  { name: "disable-admission-plugins", type: "strings", help: "Default plugins to turn off" },
  {
    name: "admission-control",
    type: "strings",
    deprecated: "--enable-admission-plugins and --disable-admission-plugins",
    help: "Exactly the plugins to run",
  },
  { name: "admission-control-config-file", type: "path", help: "File of the plugins' own configurations" },
  { name: "allow-privileged", type: "bool", help: "Allow privileged containers" },
  {
    name: "default-not-ready-toleration-seconds",
    type: "int",
    default: "300",
    help: "How long a pod that says nothing stays on a node that is not ready",
  },
  {
    name: "default-unreachable-toleration-seconds",
    type: "int",
    default: "300",
    help: "How long a pod that says nothing stays on a node that is not reached",
  },
] as const satisfies readonly OptionRow[];
