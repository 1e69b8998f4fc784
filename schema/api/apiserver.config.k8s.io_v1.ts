// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type * as meta_v1 from "./meta_v1.ts";
import type * as runtime from "./runtime.ts";
/** Descriptors of `apiserver.v1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "apiserver.config.k8s.io",
  version: "v1",
  short: "apiserver.v1",
  protobuf: false,
  kinds: String.raw`{
"AdmissionConfiguration":{"protobuf":false},
"AuthenticationConfiguration":{"protobuf":false},
"AuthorizationConfiguration":{"protobuf":false},
"EncryptionConfiguration":{"protobuf":false},
"TracingConfiguration":{"protobuf":false}
}`,
  messages: String.raw`{
"AESConfiguration":{"f":["keys 0 .Key rR"]},
"AdmissionConfiguration":{"t":1,"f":["plugins 0 .AdmissionPluginConfiguration rO"]},
"AdmissionPluginConfiguration":{"f":["name 0 string R","path 0 string O","configuration 0 runtime.Unknown pO"]},
"AnonymousAuthCondition":{"f":["path 0 string R"]},
"AnonymousAuthConfig":{"f":["enabled 0 bool R","conditions 0 .AnonymousAuthCondition re"]},
"AuthenticationConfiguration":{"t":1,"f":["jwt 0 .JWTAuthenticator rR","anonymous 0 .AnonymousAuthConfig pe"]},
"AuthorizationConfiguration":{"t":1,"f":["authorizers 0 .AuthorizerConfiguration rR"]},
"AuthorizerConfiguration":{"f":["type 0 string R","name 0 string R","webhook 0 .WebhookConfiguration pe"]},
"ClaimMappings":{"f":["username 0 .PrefixedClaimOrExpression R","groups 0 .PrefixedClaimOrExpression Oe","uid 0 .ClaimOrExpression O","extra 0 .ExtraMapping rOe"]},
"ClaimOrExpression":{"f":["claim 0 string Oe","expression 0 string Oe"]},
"ClaimValidationRule":{"f":["claim 0 string Oe","requiredValue 0 string Oe","expression 0 string Oe","message 0 string Oe"]},
"EncryptionConfiguration":{"t":1,"f":["resources 0 .ResourceConfiguration rR"]},
"ExtraMapping":{"f":["key 0 string R","valueExpression 0 string R"]},
"IdentityConfiguration":{"f":[]},
"Issuer":{"f":["url 0 string R","discoveryURL 0 string pOe","certificateAuthority 0 string Oe","audiences 0 string rR",["audienceMatchPolicy 0 string Oe",{"alias":"AudienceMatchPolicyType"}],["egressSelectorType 0 string Oe",{"alias":"EgressSelectorType"}]]},
"JWTAuthenticator":{"f":["issuer 0 .Issuer R","claimValidationRules 0 .ClaimValidationRule rOe","claimMappings 0 .ClaimMappings R","userValidationRules 0 .UserValidationRule rOe"]},
"KMSConfiguration":{"f":["apiVersion 0 string O","name 0 string R","cachesize 0 int32 pOe","endpoint 0 string R","timeout 0 meta.v1.Duration pOe"]},
"Key":{"f":["name 0 string R","secret 0 string R"]},
"PrefixedClaimOrExpression":{"f":["claim 0 string Oe","prefix 0 string pOe","expression 0 string Oe"]},
"ProviderConfiguration":{"f":["aesgcm 0 .AESConfiguration pe","aescbc 0 .AESConfiguration pe","secretbox 0 .SecretboxConfiguration pe","identity 0 .IdentityConfiguration pe","kms 0 .KMSConfiguration pe"]},
"ResourceConfiguration":{"f":["resources 0 string rR","providers 0 .ProviderConfiguration rR"]},
"SecretboxConfiguration":{"f":["keys 0 .Key rR"]},
"TracingConfiguration":{"t":1,"f":[" 0 tracing.v1.TracingConfiguration i"]},
"UserValidationRule":{"f":["expression 0 string R","message 0 string Oe"]},
"WebhookConfiguration":{"f":["authorizedTTL 0 meta.v1.Duration R","cacheAuthorizedRequests 0 bool pOe","unauthorizedTTL 0 meta.v1.Duration R","cacheUnauthorizedRequests 0 bool pOe","timeout 0 meta.v1.Duration R","subjectAccessReviewVersion 0 string R","matchConditionSubjectAccessReviewVersion 0 string R","failurePolicy 0 string R","connectionInfo 0 .WebhookConnectionInfo R","matchConditions 0 .WebhookMatchCondition rR"]},
"WebhookConnectionInfo":{"f":["type 0 string R","kubeConfigFile 0 string p"]},
"WebhookMatchCondition":{"f":["expression 0 string R"]}
}`,
};

export interface AESConfiguration {
  keys: Key[] | null;
}
export interface AdmissionConfiguration {
  apiVersion?: string;
  kind?: string;
  plugins?: AdmissionPluginConfiguration[] | null;
}
export interface AdmissionPluginConfiguration {
  name: string;
  path?: string;
  configuration?: runtime.Unknown | null;
}
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
export interface EncryptionConfiguration {
  apiVersion?: string;
  kind?: string;
  resources: ResourceConfiguration[] | null;
}
export interface ExtraMapping {
  key: string;
  valueExpression: string;
}
export type IdentityConfiguration = Record<string, never>;
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
export interface KMSConfiguration {
  apiVersion?: string;
  name: string;
  cachesize?: number;
  endpoint: string;
  timeout?: meta_v1.Duration;
}
export interface Key {
  name: string;
  secret: string;
}
export interface PrefixedClaimOrExpression {
  claim?: string;
  prefix?: string;
  expression?: string;
}
export interface ProviderConfiguration {
  aesgcm?: AESConfiguration;
  aescbc?: AESConfiguration;
  secretbox?: SecretboxConfiguration;
  identity?: IdentityConfiguration;
  kms?: KMSConfiguration;
}
export interface ResourceConfiguration {
  resources: string[] | null;
  providers: ProviderConfiguration[] | null;
}
export interface SecretboxConfiguration {
  keys: Key[] | null;
}
export interface TracingConfiguration {
  apiVersion?: string;
  kind?: string;
  endpoint?: string;
  samplingRatePerMillion?: number;
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
