/** Objects ↔ bodies in the media type that the agent prefers. */
import { decodeProtobuf } from "../../schema/codec/envelope.ts";
import { encodeObject } from "../../schema/codec/mod.ts";
import { parseJson, stringifyJson } from "../../schema/codec/json.ts";
import { decodeMessage } from "../../schema/codec/protobuf.ts";
import { isMap } from "../../schema/model/members.ts";
import type { Json, JsonMap, Obj } from "../../schema/model/types.ts";
import type { Product } from "../../schema/product.ts";
import { type Scheme, schemeOf } from "../../schema/scheme.ts";

const JSON_TYPE = "application/json";
const encoder = new TextEncoder();

/** A body as it is sent. */
export interface Body {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** A watch event. */
export interface WatchEvent {
  readonly type: string;
  readonly object: JsonMap;
}

/** Reads and writes bodies; errors of its methods are those of the codecs. */
export interface Media {
  /** Value of the Accept header. */
  readonly accept: string;
  /** @param patch media type of a patch, which goes as its JSON */
  encode(body: unknown, patch?: string): Body;
  /** An answer's object; of a list each item with its `apiVersion` and `kind`. What is no object of the API comes as its text. */
  decode(contentType: string, bytes: Uint8Array): unknown;
  /** Whether a stream of that type is one of Protobuf. */
  framed(contentType: string): boolean;
  event(contentType: string, frame: Uint8Array): WatchEvent;
}

/** @param contentType `--orch-api-content-type`; another one than Protobuf's: JSON */
export function mediaOf(product: Product, contentType: string): Media {
  const scheme = schemeOf(product);
  const binary = product.local(contentType) === product.protobuf;
  const framed = (type: string) => plain(type) === product.protobuf;
  return {
    accept: binary ? `${product.protobuf},${JSON_TYPE}` : JSON_TYPE,
    encode(body, patch) {
      const { apiVersion, kind: name } = body as Obj;
      const kind = binary && !patch && apiVersion && name ? scheme.kind(apiVersion, name) : undefined;
      return kind?.protobuf
        ? { type: product.protobuf, bytes: encodeObject(body as Obj, kind, "protobuf") }
        : { type: patch ?? JSON_TYPE, bytes: encoder.encode(stringifyJson(body as Json)) };
    },
    decode(type, bytes) {
      if (framed(type)) return withItemKinds(decodeProtobuf(bytes, scheme).object, scheme);
      if (plain(type) !== JSON_TYPE) return new TextDecoder().decode(bytes);
      return withItemKinds(parseJson(bytes).tree, scheme);
    },
    framed,
    event(type, frame) {
      const event = framed(type)
        ? decodeMessage(scheme.message("meta.v1.WatchEvent"), frame, {
          embedded: (inner) => decodeProtobuf(inner, scheme).object,
        })
        : parseJson(frame).tree;
      if (!isMap(event) || typeof event["type"] !== "string" || !isMap(event["object"])) {
        throw new Error("a frame of the watch is no event");
      }
      return { type: event["type"], object: event["object"] };
    },
  };
}

const plain = (type: string): string => type.split(";")[0]!.trim();

/** Lists name the kind of their items once, and an empty one may have none. */
function withItemKinds(tree: Json, scheme: Scheme): Json {
  if (!isMap(tree) || !(Array.isArray(tree["items"]) || tree["items"] === null)) return tree;
  const { apiVersion, kind } = tree as Obj;
  const item = scheme.kind(apiVersion, kind)?.itemKind ?? kind.replace(/List$/, "");
  return { ...tree, items: (tree["items"] ?? []).map((i) => ({ apiVersion, kind: item, ...i as JsonMap })) };
}
