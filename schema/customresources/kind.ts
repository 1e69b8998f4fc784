/** Custom kinds: what a definition's version becomes in the scheme. */
import { copyTree } from "../values/copy.ts";
import { DecodeError, decodeTyped } from "../codec/mod.ts";
import { builtInMessage } from "../messages.ts";
import { isMap } from "../model/members.ts";
import type { Converter, CustomKind, Json, JsonMap, Kind, Obj } from "../model/types.ts";
import { converted } from "./conversions.ts";
import { applyDefaults } from "./defaults.ts";
import { coerceEmbedded } from "./embedded.ts";
import { kindMessage } from "./message.ts";
import { prune } from "./prune.ts";
import type { Schema } from "./schema.ts";

/** What a version of a custom kind is made of. */
export interface CustomVersion {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  /** Undefined: anything goes. */
  readonly schema: JsonMap | undefined;
  /** Warning of requests in this version, when it is deprecated. */
  readonly deprecation?: string | undefined;
  /** Fields that objects can be selected by: `spec.color`. */
  readonly selectable?: readonly string[];
  /** The version that is stored: objects on their way into the store keep what its schema does not know till then. */
  readonly storage: boolean;
  /** Versions differ by more than their schemas: this converts. */
  readonly converter?: Converter | undefined;
}

/** The kind of a version. */
export function customKind(v: CustomVersion): Kind {
  const apiVersion = `${v.group}/${v.version}`;
  const schema = v.schema as Schema | undefined;
  const kind: Kind = {
    group: v.group,
    publicGroup: v.group,
    version: v.version,
    kind: v.kind,
    apiVersion,
    list: v.listKind,
    protobuf: false,
    message: kindMessage(`${v.group}.${v.version}.${v.kind}`, schema),
    custom: behaviour(v, apiVersion, schema, () => kind),
  };
  return kind;
}

function behaviour(
  v: CustomVersion,
  apiVersion: string,
  schema: Schema | undefined,
  own: () => Kind,
): CustomKind {
  const head = { apiVersion, kind: v.kind };
  const defaults = (obj: Obj, keepNulls = false): void => {
    if (schema) applyDefaults(obj as unknown as JsonMap, schema, keepNulls);
  };
  return {
    schema: v.schema,
    deprecation: v.deprecation,
    ...(v.selectable?.length ? { selectable: v.selectable } : {}),
    defaults,
    decode(tree, strict) {
      if (!isMap(tree)) throw new DecodeError("an object is expected");
      const found = metadataOf(tree["metadata"], strict);
      const { apiVersion: _a, kind: _k, metadata: _m, ...rest } = tree;
      const obj = {
        ...head,
        ...(found ? { metadata: found.metadata } : {}),
        ...copyTree(rest),
      } as unknown as Obj;
      const inside = schema ? coerceEmbedded(obj as unknown as JsonMap, schema, strict) : [];
      const dropped = schema ? prune(obj as unknown as JsonMap, schema) : [];
      const unknown = strict ? [...found?.unknown ?? [], ...inside, ...dropped.map((p) => `unknown field "${p}"`)] : [];
      return { object: obj, unknown };
    },
    ...(v.converter ? { converter: v.converter } : {}),
    convert(obj) {
      if (v.converter) return obj.apiVersion === apiVersion ? obj : converted(obj, own());
      if (v.storage) return { ...obj, ...head };
      const out = { ...copyTree(obj), ...head };
      tidy(out, schema);
      return out;
    },
  };
}

/** Drops what a schema does not know, in place; gives its paths. */
function tidy(obj: Obj, schema: Schema | undefined): string[] {
  if (!schema) return [];
  return prune(obj as unknown as JsonMap, schema);
}

/** An object that was written in some version, as the storage version keeps it: pruned and defaulted by its schema, in place. */
export function settle(kind: Kind, obj: Obj): void {
  tidy(obj, kind.custom?.schema as Schema | undefined);
  kind.custom?.defaults(obj);
}

function metadataOf(tree: Json | undefined, strict: boolean): { metadata: JsonMap; unknown: string[] } | undefined {
  if (tree === undefined || tree === null) return undefined;
  const unknown: string[] = [];
  const metadata = decodeTyped(builtInMessage("meta.v1.ObjectMeta")!, tree, { strict, path: "metadata" }, { unknown });
  return { metadata, unknown };
}
