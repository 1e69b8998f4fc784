/**
 * How stored bytes of a custom resource become objects and forms. They are JSON at rest, or CBOR with its gate, in any version
 * there ever was; both are read whatever the gate says.
 */
import { parseCbor } from "../../schema/codec/cbor.ts";
import { parseJson } from "../../schema/codec/json.ts";
import { parseYaml } from "../../schema/codec/yaml.ts";
import { stepsOf, valueAt } from "../../schema/customresources/mod.ts";
import type { Json, JsonMap, Kind, Obj } from "../../schema/model/types.ts";
import type { Scheme } from "../../schema/scheme.ts";
import { isMap } from "../../schema/model/members.ts";
import type { EntryCodec, Facts } from "../cache/mod.ts";
import { encodeForm, storedMedia } from "../registry/entry_codec.ts";
import { plainFailure } from "./webhook_answer.ts";
import { valueText } from "../registry/fields.ts";
import { versioned } from "../registry/versioned.ts";

/**
 * The codec of a resource that is stored as `storage`; what was stored as another one of `kinds` stays of that version till
 * it is written again: it has members that `storage` does not know. `fields`: paths that can be selected by.
 */
export function customCodec(
  scheme: Scheme,
  storage: Kind,
  kinds: readonly Kind[],
  fields: readonly string[],
): EntryCodec {
  const paths = fields.map((f) => [f, stepsOf(f)] as const);
  return {
    decode: (bytes, revision) => {
      const tree = treeOf(bytes), kind = kindOf(tree, storage, kinds);
      const object = kind.custom!.stored(tree);
      kind.custom!.settle(object);
      return versioned(object, revision);
    },
    encode: (obj, form) => encodeForm(scheme, obj, form),
    facts: (obj) => factsOf(obj, paths),
  };
}

/** @throws StatusError 500 for an object of a version that the definition has no more, where conversion takes a call */
function kindOf(tree: JsonMap, storage: Kind, kinds: readonly Kind[]): Kind {
  const { apiVersion = storage.apiVersion } = tree;
  const kind = apiVersion === storage.apiVersion ? storage : kinds.find((k) => k.apiVersion === apiVersion);
  if (kind) return kind;
  if (!storage.custom!.converter) return storage;
  throw plainFailure(`request to convert CR from an invalid group/version: ${String(apiVersion)}`);
}

/** @throws Error of the codec, or for what is no object */
function treeOf(bytes: Uint8Array): JsonMap {
  const tree = parsed(bytes);
  if (isMap(tree)) return tree;
  throw new Error("what is stored is no object");
}

function parsed(bytes: Uint8Array): Json {
  const media = storedMedia(bytes);
  if (media === "json") return parseJson(bytes).tree;
  return media === "cbor" ? parseCbor(bytes).tree : parseYaml(bytes).tree;
}

function factsOf(obj: Obj, paths: readonly (readonly [string, readonly string[]])[]): Facts {
  const { uid = "", labels } = obj.metadata;
  if (paths.length === 0) return { uid, ...(labels ? { labels } : {}) };
  const fields = Object.fromEntries(paths.map(([name, steps]) => [name, valueText(valueAt(obj, steps))]));
  return { uid, ...(labels ? { labels } : {}), fields };
}
