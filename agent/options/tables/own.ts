/** Where the agent's configuration and its own files are (specification, "Node agent options"). */
import type { AgentRow } from "../types.ts";

/** Rows of the group "This agent". */
export const OWN = [
  {
    name: "api-dialect",
    type: "string",
    default: "orch",
    rule: { oneOf: ["orch", "kubernetes"] },
    help: "Names of groups, labels, media types and system objects that the API server uses: orch or kubernetes",
  },
  { name: "config", type: "path", help: "Configuration file, YAML or JSON; options given here go before it" },
  {
    name: "config-dir",
    type: "path",
    help: "Directory of files ending .conf that are merged over the configuration file, in the order of their names",
  },
  {
    name: "orchconfig",
    type: "path",
    aliases: ["kubeconfig"],
    help: "Connection file of the API server; without it the agent stands alone",
  },
  {
    name: "bootstrap-orchconfig",
    type: "path",
    aliases: ["bootstrap-kubeconfig"],
    help: "Connection file by which a client certificate is asked for when the file of --orchconfig is not there",
  },
  {
    name: "root-dir",
    type: "path",
    default: "/var/lib/orchlet",
    help: "Directory of volumes and of the agent's state",
  },
  {
    name: "cert-dir",
    type: "path",
    default: "/var/lib/orchlet/pki",
    help: "Directory of the agent's certificates; of serving ones only when no pair is named",
  },
  { name: "lock-file", type: "path", help: "File that one agent at a time holds a lock of" },
  {
    name: "exit-on-lock-contention",
    type: "bool",
    help: "End when another process opens the file of --lock-file",
  },
  {
    name: "feature-gates",
    type: "array",
    field: "featureGates",
    help: "name=bool list of features to turn on or off; AllAlpha and AllBeta for all of a stage",
  },
  {
    name: "runonce",
    type: "bool",
    field: "runOnce",
    help: "End when the pods of files and of --manifest-url have been started; not with --enable-server",
  },
] as const satisfies readonly AgentRow[];
