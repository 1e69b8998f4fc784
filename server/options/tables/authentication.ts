/** Who asks (specification, "Authentication", "API server"). */
import type { OptionRow } from "../../../schema/flags/types.ts";

/** Signature algorithms of ID tokens. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "PS256", "PS384", "PS512"] as const;

/** Rows of the group "Authentication". */
export const AUTHENTICATION = [
  {
    name: "anonymous-auth",
    type: "bool",
    default: "true",
    help: "Let requests in that no method recognises; exclusive with such a part of --authentication-config; " +
      "off where --authorization-mode has AlwaysAllow",
  },
  {
    name: "authentication-config",
    type: "path",
    help: "File of JWT authenticators, read again within a second and in use when the keys of all are known, and " +
      "conditions of anonymous requests; with the former exclusive with --oidc-*",
  },
  {
    name: "client-ca-file",
    type: "path",
    help: "PEM file of authorities whose client certificates name the caller; read again within a second",
  },
  { name: "token-auth-file", type: "path", help: 'CSV file of static tokens: token,user,uid,"group1,group2"' },
  {
    name: "enable-bootstrap-token-auth",
    type: "bool",
    help: "Accept bootstrap token secrets of the system namespace",
  },
  {
    name: "authentication-token-webhook-config-file",
    type: "path",
    help: "Connection file of a webhook that knows bearer tokens",
  },
  {
    name: "authentication-token-webhook-version",
    type: "string",
    default: "v1beta1",
    rule: { oneOf: ["v1beta1", "v1"] },
    help: "Version of the TokenReview sent to it",
  },
  {
    name: "authentication-token-webhook-cache-ttl",
    type: "duration",
    default: "2m0s",
    help: "How long its answers are kept",
  },
  { name: "oidc-issuer-url", type: "url", help: "Issuer of ID tokens; https" },
  { name: "oidc-client-id", type: "string", help: "Audience that ID tokens must have; needed with the issuer" },
  { name: "oidc-ca-file", type: "path", help: "PEM file that verifies the issuer's server; default the host's roots" },
  { name: "oidc-username-claim", type: "string", default: "sub", help: "Claim that names the user" },
  {
    name: "oidc-username-prefix",
    type: "string",
    help: "Put before user names; - for none; default issuer and #, but nothing for the claim email",
  },
  { name: "oidc-groups-claim", type: "string", help: "Claim that lists the groups" },
  { name: "oidc-groups-prefix", type: "string", help: "Put before group names" },
  { name: "oidc-required-claim", type: "pair", help: "key=value that ID tokens must hold; repeatable" },
  {
    name: "oidc-signing-algs",
    type: "strings",
    default: "RS256",
    rule: { oneOf: ALGORITHMS },
    help: "Signature algorithms accepted",
  },
  { name: "requestheader-username-headers", type: "strings", help: "Headers in which a front proxy names the user" },
  { name: "requestheader-group-headers", type: "strings", help: "Headers in which it names groups" },
  {
    name: "requestheader-extra-headers-prefix",
    type: "strings",
    help: "Prefixes of headers in which it tells extra attributes",
  },
  {
    name: "requestheader-uid-headers",
    type: "strings",
    help: "Headers in which it tells the user's uid; gate RemoteRequestHeaderUID",
  },
  {
    name: "requestheader-client-ca-file",
    type: "path",
    help: "PEM file that verifies the proxy before its headers are believed; read again within a second",
  },
  {
    name: "requestheader-allowed-names",
    type: "strings",
    help: "Common names of proxies; empty allows every verified one",
  },
  {
    name: "api-audiences",
    type: "strings",
    help: "Audiences of this server in service account tokens; default the issuers",
  },
  {
    name: "service-account-issuer",
    type: "array",
    default: "https://kubernetes.default.svc",
    help: "Issuer of service account tokens; repeatable: the first signs, all are accepted",
  },
  {
    name: "service-account-key-file",
    type: "array",
    help: "PEM file of keys that verify service account tokens; repeatable; default the signing key",
  },
  { name: "service-account-signing-key-file", type: "path", help: "PEM file of the key that signs them" },
  {
    name: "service-account-signing-endpoint",
    type: "path",
    help: "Socket of an external signer, or @name of an abstract one; exclusive with both key options",
  },
  {
    name: "service-account-lookup",
    type: "bool",
    default: "true",
    help: "Refuse tokens that secrets keep once the secret or the account is gone; all others are refused in any case",
  },
  {
    name: "service-account-extend-token-expiration",
    type: "bool",
    default: "true",
    help: "Let tokens that admission put into pods live up to a year",
  },
  {
    name: "service-account-max-token-expiration",
    type: "duration",
    help: "Longest validity of a token; 0 has no bound of its own",
  },
  { name: "service-account-jwks-uri", type: "url", help: "Where the keys are, in the OpenID discovery document" },
] as const satisfies readonly OptionRow[];
