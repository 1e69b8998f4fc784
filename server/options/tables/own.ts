/** What this server adds to the specification's options. */
import type { OptionRow } from "../../../schema/flags/types.ts";

/** Rows of the group "This server". */
export const OWN = [
  {
    name: "api-dialect",
    type: "string",
    default: "orch",
    rule: { oneOf: ["orch", "kubernetes"] },
    help: "Names of groups, labels, media types and system objects: orch, or kubernetes for clients in the field",
  },
  {
    name: "controllers",
    type: "strings",
    default: "*",
    help: "Embedded controllers: * for all that are on by default, name to turn on, -name to turn off, -* for none",
  },
  {
    name: "plain-http",
    type: "bool",
    help: "Serve HTTP without TLS on the secure port; only on a loopback --bind-address; for tests",
  },
] as const satisfies readonly OptionRow[];
