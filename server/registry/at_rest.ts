/** Bytes at rest: how they are made, and whether a write would change them where it does not change what reads show. */
import { sameBytes } from "../../schema/values/bytes.ts";
import { parseCbor } from "../../schema/codec/cbor.ts";
import { parseJson } from "../../schema/codec/json.ts";
import { parseYaml } from "../../schema/codec/yaml.ts";
import { decodeBody, encodeObject, type MediaKind } from "../../schema/codec/mod.ts";
import type { Json, Kind, Obj } from "../../schema/model/types.ts";
import { restVersion, type Scheme } from "../../schema/scheme.ts";
import { storedMedia } from "./entry_codec.ts";
import { sameTree } from "./same.ts";

/** Kinds that are JSON at rest whatever the option says, as the public server's are. */
const ALWAYS_JSON: ReadonlySet<string> = new Set([
  "apiextensions.k8s.io CustomResourceDefinition",
  "apiregistration.k8s.io APIService",
]);

/** Bytes at rest of an object of the stored kind, in the encoding asked for where the kind has it. */
export function encodeAtRest(scheme: Scheme, obj: Obj, stored: Kind, media: MediaKind): Uint8Array {
  const kind = scheme.kindOf(stored.group, restVersion(stored), stored.kind) ?? stored;
  const json = ALWAYS_JSON.has(`${kind.publicGroup} ${kind.kind}`) || media === "protobuf" && !kind.protobuf;
  return encodeObject(kind === stored ? obj : scheme.convert(obj, kind), kind, json ? "json" : media);
}

/**
 * Whether two encodings of an object hold the same. They differ by defaults that only reads fill in, by what reads drop, and by
 * version. The order of members does not count, nor does the media type: what is at rest in another one stays until it changes.
 */
export function sameAtRest(scheme: Scheme, kind: Kind, a: Uint8Array, b: Uint8Array): boolean {
  if (sameBytes(a, b)) return true;
  const media = storedMedia(a);
  return media !== storedMedia(b) || sameTree(held(scheme, kind, a), held(scheme, kind, b));
}

/** The same bytes without `managedFields`: what was filled into the object since is not written. */
export function withoutOwnersAtRest(scheme: Scheme, stored: Kind, bytes: Uint8Array): Uint8Array {
  const media = storedMedia(bytes), obj = held(scheme, stored, bytes) as Obj;
  delete obj.metadata.managedFields;
  const kind = stored.custom ? stored : scheme.kindOf(stored.group, restVersion(stored), stored.kind) ?? stored;
  return encodeObject(obj, kind, media);
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
