/** Custom kinds: what a definition's version becomes in the scheme. */
import { copyTree } from "../values/copy.ts";
import { DecodeError } from "../codec/mod.ts";
import { isMap } from "../model/members.ts";
import type { Converter, CustomKind, Json, JsonMap, Kind, Obj } from "../model/types.ts";
import { converted } from "./conversions.ts";
import { applyDefaults, dropNulls, hasDefault } from "./defaults.ts";
import { coerceEmbedded } from "./embedded.ts";
import { kindMessage } from "./message.ts";
import { type Reading, readMetadata } from "./metadata.ts";
import { prune } from "./prune.ts";
import { anywhere, isEmbedded, type Schema } from "./schema.ts";

/** What a version of a custom kind is made of. */
export interface CustomVersion {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  /** Undefined: anything goes. */
  readonly schema: JsonMap | undefined;
  /** Members that the schema does not know are kept. Default: as the schema says. */
  readonly preserves?: boolean | undefined;
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
    message: kindMessage(`${v.group}.${v.version}.${v.kind}`, schema, v.preserves === true),
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
  const head = { apiVersion, kind: v.kind }, preserves = v.preserves === true;
  // What a default gives an embedded object is read as its metadata, too.
  const embeds = schema !== undefined && anywhere(schema, isEmbedded) && anywhere(schema, hasDefault);
  const defaults = (obj: Obj, keepNulls = false): void => {
    if (!schema) return;
    const object = obj as JsonMap;
    applyDefaults(object, schema, keepNulls || preserves);
    if (embeds) coerceEmbedded(object, schema, { stored: true });
  };
  const tidy = (obj: Obj): string[] => schema && !preserves ? prune(obj, schema) : [];
  const read = (tree: Json, how: Reading): { object: Obj; unknown: string[] } => {
    if (!isMap(tree)) throw new DecodeError("an object is expected");
    const { apiVersion: _a, kind: _k, metadata, ...rest } = tree;
    const found = metadata === undefined || metadata === null ? undefined : readMetadata(metadata, "metadata", how);
    const object = { ...head, ...(found ? { metadata: found.metadata } : {}), ...copyTree(rest) } as Obj;
    const inside = schema ? coerceEmbedded(object, schema, how) : [];
    const dropped = tidy(object);
    const unknown = how.strict
      ? [...found?.unknown ?? [], ...dropped.map((p) => `unknown field "${p}"`), ...inside.sort()]
      : [];
    return { object, unknown };
  };
  return {
    schema: v.schema,
    preserves,
    deprecation: v.deprecation,
    ...(v.selectable?.length ? { selectable: v.selectable } : {}),
    defaults,
    prune: (obj) => void tidy(obj),
    settle(obj) {
      tidy(obj);
      defaults(obj);
    },
    decode: (tree, strict) => read(tree, { strict }),
    stored(tree) {
      const { object } = read(tree, { stored: true });
      // Objects of long ago have none.
      object.metadata.generation ||= 1;
      return object;
    },
    answered(tree) {
      const { object } = read(tree, { strict: false });
      if (!preserves) dropNulls(object, schema);
      return object;
    },
    ...(v.converter ? { converter: v.converter } : {}),
    shown(obj) {
      if (obj.apiVersion === apiVersion || !v.storage || v.converter) return this.convert(obj);
      const out = { ...copyTree(obj), ...head };
      tidy(out);
      return out;
    },
    convert(obj) {
      if (v.converter) return obj.apiVersion === apiVersion ? obj : converted(obj, own());
      if (v.storage) return { ...obj, ...head };
      const out = { ...copyTree(obj), ...head };
      tidy(out);
      return out;
    },
  };
}
