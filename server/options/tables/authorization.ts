/** Who may do what (specification, "Authorization"). */
import type { OptionRow } from "../../../schema/flags/types.ts";

/** Rows of the group "Authorization". */
export const AUTHORIZATION = [
  {
    name: "authorization-mode",
    type: "strings",
    rule: { oneOf: ["AlwaysAllow", "AlwaysDeny", "ABAC", "Webhook", "RBAC", "Node"] },
    help: "Authorizers in the order asked; default AlwaysAllow without a configuration file",
  },
  {
    name: "authorization-config",
    type: "path",
    help: "File of the authorizer chain, read again within a second; exclusive with the other authorization options",
  },
  { name: "authorization-policy-file", type: "path", help: "ABAC policies, one JSON object a line" },
  { name: "authorization-webhook-config-file", type: "path", help: "Connection file of the authorization webhook" },
  {
    name: "authorization-webhook-version",
    type: "string",
    default: "v1beta1",
    rule: { oneOf: ["v1beta1", "v1"] },
    help: "Version of the SubjectAccessReview sent to it",
  },
  {
    name: "authorization-webhook-cache-authorized-ttl",
    type: "duration",
    default: "5m0s",
    help: "How long its yes is kept",
  },
  {
    name: "authorization-webhook-cache-unauthorized-ttl",
    type: "duration",
    default: "30s",
    help: "How long its no is kept",
  },
] as const satisfies readonly OptionRow[];
