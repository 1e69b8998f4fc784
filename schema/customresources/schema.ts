/** The schema of a custom kind, as a definition's `openAPIV3Schema` holds it (specification, "Versioning": custom resources). */
import type { Json } from "../model/types.ts";

/** A node of a schema. What is absent says nothing; numbers of whole type may be `bigint`. */
export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly default?: Json;
  readonly description?: string;
  readonly properties?: { readonly [name: string]: Schema };
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly Json[];
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number | bigint;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-embedded-resource"?: boolean;
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-list-type"?: "atomic" | "set" | "map";
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-map-type"?: "atomic" | "granular";
  readonly "x-kubernetes-validations"?: readonly Rule[];
}

/** One row of `x-kubernetes-validations`. */
export interface Rule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** Members that every object with a type has; schemas do not speak of them. */
export const TYPE_MEMBERS: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/** Whether unknown members of a node are kept. */
export const keepsUnknown = (s: Schema): boolean => s["x-kubernetes-preserve-unknown-fields"] === true;
/** Whether a node is an object with a type and metadata of its own. */
export const isEmbedded = (s: Schema): boolean => s["x-kubernetes-embedded-resource"] === true;
/** Whether a node is a whole number or a text. */
export const isIntOrString = (s: Schema): boolean => s["x-kubernetes-int-or-string"] === true;

/** The schema of a declared member; undefined when there is none of that name. */
export function propertyOf(s: Schema, name: string): Schema | undefined {
  return s.properties && Object.hasOwn(s.properties, name) ? s.properties[name] : undefined;
}

/** The schema of the values of a map; undefined when the node allows none or says nothing of them. */
export function valuesOf(s: Schema): Schema | undefined {
  return typeof s.additionalProperties === "object" ? s.additionalProperties : undefined;
}

/** Schemas right below a node, those of its logical parts included. */
function* partsOf(s: Schema): Iterable<Schema> {
  if (s.properties) yield* Object.values(s.properties);
  const values = valuesOf(s);
  if (values) yield values;
  if (s.items) yield s.items;
  for (const list of [s.allOf, s.anyOf, s.oneOf]) if (list) yield* list;
  if (s.not) yield s.not;
}

/** Whether a node or anything below it satisfies a test. */
export function anywhere(s: Schema, test: (s: Schema) => boolean): boolean {
  if (test(s)) return true;
  for (const part of partsOf(s)) if (anywhere(part, test)) return true;
  return false;
}
