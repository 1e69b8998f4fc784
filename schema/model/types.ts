/**
 * The one schema model: a kind is a tree of fields. From it come decoding, defaults, validation, Protobuf and CBOR, the
 * merges, field ownership, OpenAPI and the Tables. Built-in kinds are read from `schema/api/*`; a structural schema of a
 * custom kind compiles to the same shape.
 */

/** A value as JSON holds it. Integers outside ±2^53 are `bigint`; bytes are base64 text; times are RFC 3339 text. */
export type Json = null | boolean | number | bigint | string | Json[] | JsonMap;
/** A 64-bit integer: a `bigint` outside ±2^53. Comparisons take both; arithmetic must choose. */
export type Int64 = number | bigint;
/** A JSON object. */
export interface JsonMap {
  [key: string]: Json;
}

/** The types that need no message. `any` holds any JSON. */
export type Scalar = "string" | "bytes" | "bool" | "int32" | "int64" | "uint32" | "double" | "float" | "any";

/**
 * Messages whose JSON form is not a plain object, or whose wire form is not field by field (facts README, "Wrapper forms").
 * `raw` is RawExtension, JSON and FieldsV1.
 */
export type Wrapper =
  | "time"
  | "microTime"
  | "duration"
  | "quantity"
  | "intOrString"
  | "raw"
  | "list"
  | "schemaOrArray"
  | "schemaOrBool"
  | "schemaOrStringArray";

/** One field of a message. Absent facts are `undefined`, never null. */
export interface Field {
  /** JSON name. Empty for an inlined member. */
  readonly name: string;
  /** Protobuf number; 0 when the field is not on the wire. */
  readonly number: number;
  /** Type of the value, of the list's items, or of the map's values. */
  readonly type: Scalar | Message;
  readonly repeated: boolean;
  /** A map from string to `type`. */
  readonly map: boolean;
  /** Members of `type` stand flattened in the JSON object; with a `number` they are a nested message on the wire. */
  readonly inline: boolean;
  readonly pointer: boolean;
  readonly required: boolean;
  readonly optional: boolean;
  readonly omitempty: boolean;
  readonly omitzero: boolean;
  /** For wire `list` wrappers: absent (nil) and empty differ. */
  readonly nullable: boolean;
  readonly default?: Json;
  /** Allowed values when the type is a marked enum. */
  readonly enum?: readonly string[];
  /** Name of the field's enum or other named scalar type (`Protocol`, `IPFamily`). */
  readonly alias?: string;
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
  readonly listType?: "atomic" | "set" | "map";
  readonly listMapKeys?: readonly string[];
  readonly mapType?: "atomic" | "granular";
  readonly structType?: "atomic" | "granular";
  /** Validation tags as in the facts: `{"beta@1.37:immutable": true, …}`. */
  readonly validate?: Readonly<Record<string, Json>>;
  /** Names the chosen member of a `union`. */
  readonly unionDiscriminator?: boolean;
}

/** A message: an object with fields, or a wrapper. */
export interface Message {
  /** `<short>.<Name>`, such as `core.v1.PodSpec`; of a custom kind `<group>.<version>.<path>`. */
  readonly id: string;
  readonly wrapper?: Wrapper;
  /** Declared order, inlined members as one field with `inline`. TypeMeta is not among them. */
  readonly fields: readonly Field[];
  /** Declared order, inlined members replaced by what they hold: the JSON object's members. */
  readonly json: readonly Field[];
  /** `json` by name. */
  readonly byName: ReadonlyMap<string, Field>;
  /** Fields with a number, ascending. */
  readonly wire: readonly Field[];
  /** The JSON object may carry `apiVersion` and `kind` itself (kinds, and what embeds them: claim templates). */
  readonly typeMeta?: boolean;
  /** Of `list` wrappers: an empty list and an absent one differ on the wire. */
  readonly nullable?: boolean;
  readonly structType?: "atomic" | "granular";
  readonly mapType?: "atomic" | "granular";
  /** Of its members, less the discriminator, one is chosen. */
  readonly union?: boolean;
  /** Of custom kinds: unknown members are kept. */
  readonly preserveUnknown?: boolean;
}

/** A kind: a message that stands at the top level, under `apiVersion` and `kind`. */
export interface Kind {
  /** Group in the scheme's dialect, empty for core. */
  readonly group: string;
  /** The group's public name, by which tables are keyed (`rbac.authorization.k8s.io`). */
  readonly publicGroup: string;
  readonly version: string;
  readonly kind: string;
  /** `group/version`, or `v1` for core. */
  readonly apiVersion: string;
  readonly message: Message;
  /** Name of the kind's list kind. */
  readonly list?: string;
  /** Set on a list kind: the kind of its items. */
  readonly itemKind?: string;
  /** False where the kind has no Protobuf form. */
  readonly protobuf: boolean;
  /** Versions `major.minor` of its life, where stated: what is served with an emulated version goes by them. */
  readonly introduced?: string;
  readonly deprecated?: string;
  readonly removed?: string;
  readonly replacement?: { readonly group: string; readonly version: string; readonly kind: string };
  /** Set on kinds that a custom resource definition makes: what a message cannot say of them. */
  readonly custom?: CustomKind;
}

/** One version of a custom kind. Its objects are JSON as clients sent it, pruned; empty lists, maps and zeros stay. */
export interface CustomKind {
  /** The version's `openAPIV3Schema`, as its definition has it; undefined: anything goes. */
  readonly schema: JsonMap | undefined;
  /** Members that the schema does not know are kept (`spec.preserveUnknownFields` of definitions from before v1). */
  readonly preserves: boolean;
  /** Warning of requests in this version, when it is deprecated. */
  readonly deprecation: string | undefined;
  /** Fields that this version's objects can be selected by: `spec.color`. */
  readonly selectable?: readonly string[];
  /**
   * A tree as an object of this version: metadata read, unknown fields dropped, and told of when `strict`.
   * @throws Error of the codec for metadata that cannot be read
   */
  decode(tree: Json, strict: boolean): { object: Obj; unknown: string[] };
  /**
   * The same for what was stored: it may have been written under other rules, so what its metadata, and that of objects
   * within it, holds of a wrong JSON type is left out.
   * @throws Error of the codec for metadata that is no map
   */
  stored(tree: Json): Obj;
  /** The same for what another server answers: it has no nulls that may not be, and gains no defaults. */
  answered(tree: Json): Obj;
  /** Fills in the schema's defaults, in place, after dropping nulls that may not be; `keepNulls` leaves those to validation. */
  defaults(obj: Obj, keepNulls?: boolean): void;
  /** Takes away what this version does not know, in place. */
  prune(obj: Obj): void;
  /** Makes an object of another version one of this, in place: it loses what this version does not know, and has its defaults. */
  settle(obj: Obj): void;
  /**
   * An object of another version as one of this: the argument stays as it is, parts may be shared. It loses what this
   * version does not know, and gains nothing: defaults are those of the version it was written or stored in.
   */
  convert(obj: Obj): Obj;
  /**
   * A stored object as readers of this version see it, without what this version does not know. {@linkcode convert} keeps
   * that in the version that is stored, for what is on its way into the store.
   */
  shown(obj: Obj): Obj;
  /** What converts where versions differ by more than their schemas; undefined: {@linkcode convert} can do it alone. */
  readonly converter?: Converter;
}

/**
 * Converts objects of any versions of a custom kind to one version, in their order; the arguments stay as they are.
 * @throws StatusError 500 when it cannot be done
 */
export type Converter = (objects: readonly Obj[], to: Kind, signal?: AbortSignal) => Promise<Obj[]>;

/** Object metadata as every object carries it (specification, "Object metadata"). A type, as its parts: interfaces are no trees. */
export type ObjectMeta = {
  name?: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
};

/** An owner of an object, by which garbage collection works. */
export type OwnerReference = {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
};

/** What one manager owns of an object. */
export type ManagedFieldsEntry = {
  manager?: string;
  operation?: "Apply" | "Update";
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: JsonMap;
  subresource?: string;
};

/**
 * What the compiler cannot know and another table says: members of an object (its kind's interface, and decoding has
 * checked them), a row's own kind, arguments by a signature.
 */
// deno-lint-ignore no-explicit-any -- the codec edge
export type Untyped = any;

/**
 * A decoded object. Canonical: members in declared order, `apiVersion` and `kind` included, quantities and times in
 * canonical text, nothing that the JSON form omits and everything that it always writes. `JSON.stringify` of it (with
 * `kind`, `apiVersion` first) is the JSON form.
 */
export interface Obj {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [field: string]: Untyped;
}
