// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type * as meta_v1 from "./meta_v1.ts";
/** Descriptors of `apiserver.v1beta1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "apiserver.config.k8s.io",
  version: "v1beta1",
  short: "apiserver.v1beta1",
  protobuf: false,
  kinds: String.raw`{
"AuthenticationConfiguration":{"protobuf":false},
"AuthorizationConfiguration":{"protobuf":false},
"EgressSelectorConfiguration":{"protobuf":false},
"TracingConfiguration":{"protobuf":false}
}`,
  messages: String.raw`{
"AnonymousAuthCondition":{"f":["path 0 string R"]},
"AnonymousAuthConfig":{"f":["enabled 0 bool R","conditions 0 .AnonymousAuthCondition re"]},
"AuthenticationConfiguration":{"t":1,"f":["jwt 0 .JWTAuthenticator rR","anonymous 0 .AnonymousAuthConfig pe"]},
"AuthorizationConfiguration":{"t":1,"f":["authorizers 0 .AuthorizerConfiguration rR"]},
"AuthorizerConfiguration":{"f":["type 0 string R","name 0 string R","webhook 0 .WebhookConfiguration pe"]},
"ClaimMappings":{"f":["username 0 .PrefixedClaimOrExpression R","groups 0 .PrefixedClaimOrExpression Oe","uid 0 .ClaimOrExpression O","extra 0 .ExtraMapping rOe"]},
"ClaimOrExpression":{"f":["claim 0 string Oe","expression 0 string Oe"]},
"ClaimValidationRule":{"f":["claim 0 string Oe","requiredValue 0 string Oe","expression 0 string Oe","message 0 string Oe"]},
"Connection":{"f":[["proxyProtocol 0 string e",{"alias":"ProtocolType"}],"transport 0 .Transport pOe"]},
"EgressSelection":{"f":["name 0 string R","connection 0 .Connection R"]},
"EgressSelectorConfiguration":{"t":1,"f":["egressSelections 0 .EgressSelection rR"]},
"ExtraMapping":{"f":["key 0 string R","valueExpression 0 string R"]},
"Issuer":{"f":["url 0 string R","discoveryURL 0 string pOe","certificateAuthority 0 string Oe","audiences 0 string rR",["audienceMatchPolicy 0 string Oe",{"alias":"AudienceMatchPolicyType"}],["egressSelectorType 0 string Oe",{"alias":"EgressSelectorType"}]]},
"JWTAuthenticator":{"f":["issuer 0 .Issuer R","claimValidationRules 0 .ClaimValidationRule rOe","claimMappings 0 .ClaimMappings R","userValidationRules 0 .UserValidationRule rOe"]},
"PrefixedClaimOrExpression":{"f":["claim 0 string Oe","prefix 0 string pOe","expression 0 string Oe"]},
"TCPTransport":{"f":["url 0 string e","tlsConfig 0 .TLSConfig pOe"]},
"TLSConfig":{"f":["caBundle 0 string Oe","clientKey 0 string Oe","clientCert 0 string Oe","tlsServerName 0 string Oe"]},
"TracingConfiguration":{"t":1,"f":[" 0 tracing.v1.TracingConfiguration i"]},
"Transport":{"f":["tcp 0 .TCPTransport pOe","uds 0 .UDSTransport pOe"]},
"UDSTransport":{"f":["udsName 0 string e"]},
"UserValidationRule":{"f":["expression 0 string R","message 0 string Oe"]},
"WebhookConfiguration":{"f":["authorizedTTL 0 meta.v1.Duration R","cacheAuthorizedRequests 0 bool pOe","unauthorizedTTL 0 meta.v1.Duration R","cacheUnauthorizedRequests 0 bool pOe","timeout 0 meta.v1.Duration R","subjectAccessReviewVersion 0 string R","matchConditionSubjectAccessReviewVersion 0 string R","failurePolicy 0 string R","connectionInfo 0 .WebhookConnectionInfo R","matchConditions 0 .WebhookMatchCondition rR"]},
"WebhookConnectionInfo":{"f":["type 0 string R","kubeConfigFile 0 string p"]},
"WebhookMatchCondition":{"f":["expression 0 string R"]}
}`,
};

export interface AnonymousAuthCondition {
  path: string;
}
export interface AnonymousAuthConfig {
  enabled: boolean;
  conditions?: AnonymousAuthCondition[];
}
export interface AuthenticationConfiguration {
  apiVersion?: string;
  kind?: string;
  jwt: JWTAuthenticator[] | null;
  anonymous?: AnonymousAuthConfig;
}
export interface AuthorizationConfiguration {
  apiVersion?: string;
  kind?: string;
  authorizers: AuthorizerConfiguration[] | null;
}
export interface AuthorizerConfiguration {
  type: string;
  name: string;
  webhook?: WebhookConfiguration;
}
export interface ClaimMappings {
  username: PrefixedClaimOrExpression;
  groups?: PrefixedClaimOrExpression;
  uid?: ClaimOrExpression;
  extra?: ExtraMapping[];
}
export interface ClaimOrExpression {
  claim?: string;
  expression?: string;
}
export interface ClaimValidationRule {
  claim?: string;
  requiredValue?: string;
  expression?: string;
  message?: string;
}
export interface Connection {
  proxyProtocol?: string;
  transport?: Transport;
}
export interface EgressSelection {
  name: string;
  connection: Connection;
}
export interface EgressSelectorConfiguration {
  apiVersion?: string;
  kind?: string;
  egressSelections: EgressSelection[] | null;
}
export interface ExtraMapping {
  key: string;
  valueExpression: string;
}
export interface Issuer {
  url: string;
  discoveryURL?: string;
  certificateAuthority?: string;
  audiences: string[] | null;
  audienceMatchPolicy?: string;
  egressSelectorType?: string;
}
export interface JWTAuthenticator {
  issuer: Issuer;
  claimValidationRules?: ClaimValidationRule[];
  claimMappings: ClaimMappings;
  userValidationRules?: UserValidationRule[];
}
export interface PrefixedClaimOrExpression {
  claim?: string;
  prefix?: string;
  expression?: string;
}
export interface TCPTransport {
  url?: string;
  tlsConfig?: TLSConfig;
}
export interface TLSConfig {
  caBundle?: string;
  clientKey?: string;
  clientCert?: string;
  tlsServerName?: string;
}
export interface TracingConfiguration {
  apiVersion?: string;
  kind?: string;
  endpoint?: string;
  samplingRatePerMillion?: number;
}
export interface Transport {
  tcp?: TCPTransport;
  uds?: UDSTransport;
}
export interface UDSTransport {
  udsName?: string;
}
export interface UserValidationRule {
  expression: string;
  message?: string;
}
export interface WebhookConfiguration {
  authorizedTTL: meta_v1.Duration;
  cacheAuthorizedRequests?: boolean;
  unauthorizedTTL: meta_v1.Duration;
  cacheUnauthorizedRequests?: boolean;
  timeout: meta_v1.Duration;
  subjectAccessReviewVersion: string;
  matchConditionSubjectAccessReviewVersion: string;
  failurePolicy: string;
  connectionInfo: WebhookConnectionInfo;
  matchConditions: WebhookMatchCondition[] | null;
}
export interface WebhookConnectionInfo {
  type: string;
  kubeConfigFile?: string | null;
}
export interface WebhookMatchCondition {
  expression: string;
}
