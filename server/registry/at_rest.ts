/** Whether a write would change the bytes at rest, where it does not change what reads show. */
import { parseCbor } from "../../schema/codec/cbor.ts";
import { parseJson } from "../../schema/codec/json.ts";
import { parseYaml } from "../../schema/codec/yaml.ts";
import { decodeBody } from "../../schema/codec/mod.ts";
import type { Json, Kind, Obj } from "../../schema/model/types.ts";
import type { Scheme } from "../../schema/scheme.ts";
import { storedMedia } from "./entry_codec.ts";
import { sameTree } from "./same.ts";

/**
 * Whether two encodings of an object hold the same. They differ by defaults that only reads fill in, by what reads drop, and by
 * version. The order of members does not count, nor does the media type: what is at rest in another one stays until it changes.
 */
export function sameAtRest(scheme: Scheme, kind: Kind, a: Uint8Array, b: Uint8Array): boolean {
  if (sameBytes(a, b)) return true;
  const media = storedMedia(a);
  return media !== storedMedia(b) || sameTree(held(scheme, kind, a), held(scheme, kind, b));
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** What the bytes themselves say, with nothing filled in. */
function held(scheme: Scheme, defaultKind: Kind, bytes: Uint8Array): Obj | Json {
  switch (storedMedia(bytes)) {
    case "protobuf":
      return decodeBody(scheme, bytes, "protobuf", { defaultKind, strict: false }).object;
    case "json":
      return parseJson(bytes).tree;
    case "cbor":
      return parseCbor(bytes).tree;
    case "yaml":
      return parseYaml(bytes).tree;
  }
}
