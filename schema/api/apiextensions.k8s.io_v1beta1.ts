// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type { Int64, Json } from "../model/types.ts";
import type * as meta_v1 from "./meta_v1.ts";
import type * as runtime from "./runtime.ts";
/** Descriptors of `apiextensions.v1beta1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "apiextensions.k8s.io",
  version: "v1beta1",
  short: "apiextensions.v1beta1",
  protobuf: true,
  kinds: String.raw`{
"ConversionReview":{"introduced":"1.13","deprecated":"1.19","removed":"1.22","replacement":{"group":"apiextensions.k8s.io","version":"v1","kind":"ConversionReview"}},
"CustomResourceDefinition":{"list":"CustomResourceDefinitionList","introduced":"1.7","deprecated":"1.16","removed":"1.22","replacement":{"group":"apiextensions.k8s.io","version":"v1","kind":"CustomResourceDefinition"}}
}`,
  messages: String.raw`{
"ConversionRequest":{"f":[["uid 1 string R",{"alias":"types.UID"}],"desiredAPIVersion 2 string R",["objects 3 runtime.RawExtension rR",{"listType":"atomic"}]]},
"ConversionResponse":{"f":[["uid 1 string R",{"alias":"types.UID"}],["convertedObjects 2 runtime.RawExtension rR",{"listType":"atomic"}],"result 3 meta.v1.Status R"]},
"ConversionReview":{"t":1,"f":["request 1 .ConversionRequest pOe","response 2 .ConversionResponse pOe"]},
"CustomResourceColumnDefinition":{"f":["name 1 string R","type 2 string R","format 3 string Oe","description 4 string Oe","priority 5 int32 Oe","JSONPath 6 string R"]},
"CustomResourceConversion":{"f":[["strategy 1 string R",{"alias":"ConversionStrategyType"}],"webhookClientConfig 2 .WebhookClientConfig pOe",["conversionReviewVersions 3 string rOe",{"listType":"atomic"}]]},
"CustomResourceDefinition":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .CustomResourceDefinitionSpec R","status 3 .CustomResourceDefinitionStatus Oe"]},
"CustomResourceDefinitionCondition":{"f":[["type 1 string R",{"alias":"CustomResourceDefinitionConditionType"}],["status 2 string R",{"alias":"ConditionStatus"}],"lastTransitionTime 3 meta.v1.Time Oe","reason 4 string Oe","message 5 string Oe","observedGeneration 6 int64 Oe"]},
"CustomResourceDefinitionList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .CustomResourceDefinition rR"]},
"CustomResourceDefinitionNames":{"f":["plural 1 string R","singular 2 string Oe",["shortNames 3 string rOe",{"listType":"atomic"}],"kind 4 string R","listKind 5 string Oe",["categories 6 string rOe",{"listType":"atomic"}]]},
"CustomResourceDefinitionSpec":{"f":["group 1 string R","version 2 string Oe","names 3 .CustomResourceDefinitionNames R",["scope 4 string R",{"alias":"ResourceScope"}],"validation 5 .CustomResourceValidation pOe","subresources 6 .CustomResourceSubresources pOe",["versions 7 .CustomResourceDefinitionVersion rOe",{"listType":"atomic"}],["additionalPrinterColumns 8 .CustomResourceColumnDefinition rOe",{"listType":"atomic"}],["selectableFields 11 .SelectableField rOe",{"listType":"atomic"}],"conversion 9 .CustomResourceConversion pOe","preserveUnknownFields 10 bool pOe"]},
"CustomResourceDefinitionStatus":{"f":[["conditions 1 .CustomResourceDefinitionCondition rO",{"listType":"map","listMapKeys":["type"]}],"acceptedNames 2 .CustomResourceDefinitionNames O",["storedVersions 3 string rO",{"listType":"atomic"}],"observedGeneration 4 int64 Oe"]},
"CustomResourceDefinitionVersion":{"f":["name 1 string R","served 2 bool R","storage 3 bool R","deprecated 7 bool Oe","deprecationWarning 8 string pOe","schema 4 .CustomResourceValidation pOe","subresources 5 .CustomResourceSubresources pOe",["additionalPrinterColumns 6 .CustomResourceColumnDefinition rOe",{"listType":"atomic"}],["selectableFields 9 .SelectableField rOe",{"listType":"atomic"}]]},
"CustomResourceSubresourceScale":{"f":["specReplicasPath 1 string R","statusReplicasPath 2 string R","labelSelectorPath 3 string pOe"]},
"CustomResourceSubresourceStatus":{"f":[]},
"CustomResourceSubresources":{"f":["status 1 .CustomResourceSubresourceStatus pOe","scale 2 .CustomResourceSubresourceScale pOe"]},
"CustomResourceValidation":{"f":["openAPIV3Schema 1 .JSONSchemaProps pOe"]},
"ExternalDocumentation":{"f":["description 1 string e","url 2 string e"]},
"JSON":{"w":"raw","f":[" 1 bytes"]},
"JSONSchemaProps":{"f":["id 1 string e",["$schema 2 string e",{"alias":"JSONSchemaURL"}],"$ref 3 string pe","description 4 string e","type 5 string e","format 6 string e","title 7 string e","default 8 .JSON pe","maximum 9 double pe","exclusiveMaximum 10 bool e","minimum 11 double pe","exclusiveMinimum 12 bool e","maxLength 13 int64 pe","minLength 14 int64 pe","pattern 15 string e","maxItems 16 int64 pe","minItems 17 int64 pe","uniqueItems 18 bool e","multipleOf 19 double pe",["enum 20 .JSON re",{"listType":"atomic"}],"maxProperties 21 int64 pe","minProperties 22 int64 pe",["required 23 string re",{"listType":"atomic"}],"items 24 .JSONSchemaPropsOrArray pe",["allOf 25 .JSONSchemaProps re",{"listType":"atomic"}],["oneOf 26 .JSONSchemaProps re",{"listType":"atomic"}],["anyOf 27 .JSONSchemaProps re",{"listType":"atomic"}],"not 28 .JSONSchemaProps pe","properties 29 .JSONSchemaProps em","additionalProperties 30 .JSONSchemaPropsOrBool pe","patternProperties 31 .JSONSchemaProps em",["dependencies 32 .JSONSchemaPropsOrStringArray em",{"alias":"JSONSchemaDependencies"}],"additionalItems 33 .JSONSchemaPropsOrBool pe",["definitions 34 .JSONSchemaProps em",{"alias":"JSONSchemaDefinitions"}],"externalDocs 35 .ExternalDocumentation pe","example 36 .JSON pe","nullable 37 bool e","x-kubernetes-preserve-unknown-fields 38 bool pe","x-kubernetes-embedded-resource 39 bool e","x-kubernetes-int-or-string 40 bool e",["x-kubernetes-list-map-keys 41 string rOe",{"listType":"atomic"}],"x-kubernetes-list-type 42 string pOe","x-kubernetes-map-type 43 string pOe",["x-kubernetes-validations 44 .ValidationRule re",{"alias":"ValidationRules","patchStrategy":"merge","patchMergeKey":"rule","listType":"map","listMapKeys":["rule"]}]]},
"JSONSchemaPropsOrArray":{"w":"schemaOrArray","f":[" 1 .JSONSchemaProps p",[" 2 .JSONSchemaProps r",{"listType":"atomic"}]]},
"JSONSchemaPropsOrBool":{"w":"schemaOrBool","f":[" 1 bool"," 2 .JSONSchemaProps p"]},
"JSONSchemaPropsOrStringArray":{"w":"schemaOrStringArray","f":[" 1 .JSONSchemaProps p",[" 2 string r",{"listType":"atomic"}]]},
"SelectableField":{"f":["jsonPath 1 string R"]},
"ServiceReference":{"f":["namespace 1 string R","name 2 string R","path 3 string pOe","port 4 int32 pOe"]},
"ValidationRule":{"f":["rule 1 string R","message 2 string e","messageExpression 3 string Oe",["reason 4 string pOe",{"enum":["FieldValueRequired","FieldValueDuplicate","FieldValueInvalid","FieldValueForbidden"],"alias":"FieldValueErrorReason"}],"fieldPath 5 string Oe","optionalOldSelf 6 bool pOe"]},
"WebhookClientConfig":{"f":["url 3 string pOe","service 1 .ServiceReference pOe","caBundle 2 bytes Oe"]}
}`,
};

export interface ConversionRequest {
  uid: string;
  desiredAPIVersion: string;
  objects: runtime.RawExtension[] | null;
}
export interface ConversionResponse {
  uid: string;
  convertedObjects: runtime.RawExtension[] | null;
  result: meta_v1.Status;
}
export interface ConversionReview {
  apiVersion?: string;
  kind?: string;
  request?: ConversionRequest;
  response?: ConversionResponse;
}
/** One column of the tables in which clients show the objects. */
export interface CustomResourceColumnDefinition {
  name: string;
  type: string;
  format?: string;
  description?: string;
  priority?: number;
  JSONPath: string;
}
/** How objects get from one version of the kind to another. */
export interface CustomResourceConversion {
  strategy: string;
  webhookClientConfig?: WebhookClientConfig;
  conversionReviewVersions?: string[];
}
/** Adds a kind of your own to the API: its names, its versions and the schema of its objects. Its name is the plural, a dot and the group. Deleting it deletes all objects of the kind. */
export interface CustomResourceDefinition {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec: CustomResourceDefinitionSpec;
  status?: CustomResourceDefinitionStatus;
}
/** One statement about a custom kind, and since when it holds. */
export interface CustomResourceDefinitionCondition {
  type: string;
  status: string;
  lastTransitionTime?: meta_v1.Time;
  reason?: string;
  message?: string;
  observedGeneration?: Int64;
}
/** List of custom resource definitions. */
export interface CustomResourceDefinitionList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: CustomResourceDefinition[] | null;
}
/** What a custom kind and its resource are called. */
export interface CustomResourceDefinitionNames {
  plural: string;
  singular?: string;
  shortNames?: string[];
  kind: string;
  listKind?: string;
  categories?: string[];
}
/** What the kind is called, in which versions it is served, and what its objects look like. */
export interface CustomResourceDefinitionSpec {
  group: string;
  version?: string;
  names: CustomResourceDefinitionNames;
  scope: string;
  validation?: CustomResourceValidation;
  subresources?: CustomResourceSubresources;
  versions?: CustomResourceDefinitionVersion[];
  additionalPrinterColumns?: CustomResourceColumnDefinition[];
  selectableFields?: SelectableField[];
  conversion?: CustomResourceConversion;
  preserveUnknownFields?: boolean;
}
/** How far the server has come with a custom kind. */
export interface CustomResourceDefinitionStatus {
  conditions?: CustomResourceDefinitionCondition[] | null;
  acceptedNames?: CustomResourceDefinitionNames;
  storedVersions?: string[] | null;
  observedGeneration?: Int64;
}
/** One version of a custom kind, with its schema. */
export interface CustomResourceDefinitionVersion {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema?: CustomResourceValidation;
  subresources?: CustomResourceSubresources;
  additionalPrinterColumns?: CustomResourceColumnDefinition[];
  selectableFields?: SelectableField[];
}
/** Where the objects keep what the subresource scale shows and changes. */
export interface CustomResourceSubresourceScale {
  specReplicasPath: string;
  statusReplicasPath: string;
  labelSelectorPath?: string;
}
/** Splits off the subresource status. Writes to the object then leave its status alone, and writes to the subresource change nothing else. It has no members. */
export type CustomResourceSubresourceStatus = Record<string, never>;
/** Subresources of a custom kind. Each one that is present is served. */
export interface CustomResourceSubresources {
  status?: CustomResourceSubresourceStatus;
  scale?: CustomResourceSubresourceScale;
}
/** What objects of a version must look like. */
export interface CustomResourceValidation {
  openAPIV3Schema?: JSONSchemaProps;
}
/** Points to a page where more can be read. */
export interface ExternalDocumentation {
  description?: string;
  url?: string;
}
/** A JSON value of any type: null, true or false, a number, a string, a list or an object. */
export type JSON = Json;
/** A schema: what a value must be like, and what is said of it. Of JSON Schema only part may be used, and some members are there only to be refused. */
export interface JSONSchemaProps {
  id?: string;
  $schema?: string;
  $ref?: string;
  description?: string;
  type?: string;
  format?: string;
  title?: string;
  default?: JSON;
  maximum?: number;
  exclusiveMaximum?: boolean;
  minimum?: number;
  exclusiveMinimum?: boolean;
  maxLength?: Int64;
  minLength?: Int64;
  pattern?: string;
  maxItems?: Int64;
  minItems?: Int64;
  uniqueItems?: boolean;
  multipleOf?: number;
  enum?: JSON[];
  maxProperties?: Int64;
  minProperties?: Int64;
  required?: string[];
  items?: JSONSchemaPropsOrArray;
  allOf?: JSONSchemaProps[];
  oneOf?: JSONSchemaProps[];
  anyOf?: JSONSchemaProps[];
  not?: JSONSchemaProps;
  properties?: Record<string, JSONSchemaProps>;
  additionalProperties?: JSONSchemaPropsOrBool;
  patternProperties?: Record<string, JSONSchemaProps>;
  dependencies?: Record<string, JSONSchemaPropsOrStringArray>;
  additionalItems?: JSONSchemaPropsOrBool;
  definitions?: Record<string, JSONSchemaProps>;
  externalDocs?: ExternalDocumentation;
  example?: JSON;
  nullable?: boolean;
  "x-kubernetes-preserve-unknown-fields"?: boolean;
  "x-kubernetes-embedded-resource"?: boolean;
  "x-kubernetes-int-or-string"?: boolean;
  "x-kubernetes-list-map-keys"?: string[];
  "x-kubernetes-list-type"?: string;
  "x-kubernetes-map-type"?: string;
  "x-kubernetes-validations"?: ValidationRule[];
}
/** One schema, or a list of schemas. Only the single schema is accepted in the definition of a kind. */
export type JSONSchemaPropsOrArray = JSONSchemaProps | JSONSchemaProps[];
/** A schema, or true for any value, or false for none. */
export type JSONSchemaPropsOrBool = JSONSchemaProps | boolean;
/** A schema, or a list of names of members. */
export type JSONSchemaPropsOrStringArray = JSONSchemaProps | string[];
/** A member by which objects can be selected. */
export interface SelectableField {
  jsonPath: string;
}
/** A service of the cluster behind which a conversion webhook answers. */
export interface ServiceReference {
  namespace: string;
  name: string;
  path?: string;
  port?: number;
}
/** A rule in CEL that a value must meet. */
export interface ValidationRule {
  rule: string;
  message?: string;
  messageExpression?: string;
  reason?: "FieldValueRequired" | "FieldValueDuplicate" | "FieldValueInvalid" | "FieldValueForbidden";
  fieldPath?: string;
  optionalOldSelf?: boolean;
}
/** How the API server reaches a conversion webhook, always over TLS. Exactly one of url and service must be given. */
export interface WebhookClientConfig {
  url?: string;
  service?: ServiceReference;
  caBundle?: string;
}
