/**
 * How stored bytes of a custom resource become objects and forms. They are JSON at rest, or CBOR with its gate, in any version
 * there ever was; both are read whatever the gate says.
 */
import { parseCbor } from "../../schema/codec/cbor.ts";
import { parseJson } from "../../schema/codec/json.ts";
import { parseYaml } from "../../schema/codec/yaml.ts";
import { settle, stepsOf, valueAt } from "../../schema/customresources/mod.ts";
import type { Json, JsonMap, Kind, Obj } from "../../schema/model/types.ts";
import type { Scheme } from "../../schema/scheme.ts";
import type { EntryCodec, Facts } from "../cache/mod.ts";
import { encodeForm, storedMedia } from "../registry/entry_codec.ts";
import { versioned } from "../registry/versioned.ts";

/** The codec of a resource that is stored as `storage`. `fields`: paths that can be selected by. */
export function customCodec(scheme: Scheme, storage: Kind, fields: readonly string[]): EntryCodec {
  const paths = fields.map((f) => [f, stepsOf(f)] as const);
  return {
    decode: (bytes, revision) => {
      const { object } = storage.custom!.decode(treeOf(bytes), false);
      settle(storage, object);
      return versioned(object, revision);
    },
    encode: (obj, form) => encodeForm(scheme, obj, form),
    facts: (obj) => factsOf(obj, paths),
  };
}

/** @throws Error of the codec */
function treeOf(bytes: Uint8Array): Json {
  const media = storedMedia(bytes);
  if (media === "json") return parseJson(bytes).tree;
  return media === "cbor" ? parseCbor(bytes).tree : parseYaml(bytes).tree;
}

function factsOf(obj: Obj, paths: readonly (readonly [string, readonly string[]])[]): Facts {
  const { uid = "", labels } = obj.metadata;
  if (paths.length === 0) return { uid, ...(labels ? { labels } : {}) };
  const fields = Object.fromEntries(paths.map(([name, steps]) => [name, textOf(valueAt(obj as JsonMap, steps))]));
  return { uid, ...(labels ? { labels } : {}), fields };
}

const textOf = (v: Json | undefined): string => v === undefined || v === null || typeof v === "object" ? "" : String(v);
