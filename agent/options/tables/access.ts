/** Who may call the agent (specification, "Authentication", "Node agent"). */
import type { AgentRow } from "../types.ts";

/** Rows of the group "Authentication and authorization". */
export const ACCESS = [
  {
    name: "anonymous-auth",
    type: "bool",
    default: "true",
    fileDefault: "false",
    field: "authentication.anonymous.enabled",
    help: "Take requests that no method refuses, as user system:anonymous of group system:unauthenticated",
  },
  {
    name: "authentication-token-webhook",
    type: "bool",
    default: "false",
    fileDefault: "true",
    field: "authentication.webhook.enabled",
    help: "Have the API server review bearer tokens",
  },
  {
    name: "authentication-token-webhook-cache-ttl",
    type: "duration",
    default: "2m0s",
    field: "authentication.webhook.cacheTTL",
    help: "How long reviews of tokens are kept",
  },
  {
    name: "authorization-mode",
    type: "string",
    default: "AlwaysAllow",
    fileDefault: "Webhook",
    rule: { oneOf: ["AlwaysAllow", "Webhook"] },
    field: "authorization.mode",
    help: "AlwaysAllow, or Webhook: the API server reviews what a user may",
  },
  {
    name: "authorization-webhook-cache-authorized-ttl",
    type: "duration",
    default: "5m0s",
    field: "authorization.webhook.cacheAuthorizedTTL",
    help: "How long it is kept that a user may",
  },
  {
    name: "authorization-webhook-cache-unauthorized-ttl",
    type: "duration",
    default: "30s",
    field: "authorization.webhook.cacheUnauthorizedTTL",
    help: "How long it is kept that a user may not",
  },
  {
    name: "client-ca-file",
    type: "path",
    field: "authentication.x509.clientCAFile",
    help: "PEM file of authorities; a client certificate of theirs says by its CommonName who calls",
  },
] as const satisfies readonly AgentRow[];
