/** Objects, lists and Tables as response bodies: whole where they are small, streamed from the cache where not. */
import { encodeObject } from "../../schema/codec/mod.ts";
import { encodeCbor } from "../../schema/codec/cbor_write.ts";
import { cborInput } from "../../schema/codec/cbor_object.ts";
import { encodeJson, parseJson } from "../../schema/codec/json.ts";
import { stringifyYaml } from "../../schema/codec/yaml.ts";
import { wrap } from "../../schema/codec/envelope.ts";
import type { Json, JsonMap, Kind, Obj } from "../../schema/model/types.ts";
import type { Scheme } from "../../schema/scheme.ts";
import { concat } from "../../schema/values/bytes.ts";
import type { Form } from "../cache/mod.ts";
import type { Accepted } from "../negotiation/accept.ts";
import { formOf } from "../registry/forms.ts";
import { type Body, pieces } from "./pieces.ts";
import { protobufList } from "./protobuf_list.ts";
import { formBytes, ListForms, type Source } from "./sources.ts";

const UTF8 = new TextEncoder();
/** Type names that stand before an object's own members, as text. */
export const typeText = (apiVersion: string, kind: string): string =>
  `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`;

/** The same as bytes. */
export function typePrefix(apiVersion: string, kind: string): Uint8Array {
  const key = `${apiVersion} ${kind}`;
  let bytes = PREFIXES.get(key);
  if (!bytes) {
    bytes = UTF8.encode(typeText(apiVersion, kind));
    if (PREFIXES.size < MAX_PREFIXES) PREFIXES.set(key, bytes);
  }
  return bytes;
}
const PREFIXES = new Map<string, Uint8Array>();
const MAX_PREFIXES = 4096;
const NEWLINE = UTF8.encode("\n");
const COMMA = UTF8.encode(",");

/** The type that an answer carries, and the form that its objects take. */
export interface Shape {
  readonly apiVersion: string;
  readonly kind: string;
  readonly form: Form;
  /** Kind whose message the form's Protobuf is. */
  readonly message: Kind;
}

/** A kind under another `apiVersion`, of which answers are that say so. */
export function kindNamed({ group, publicGroup, version, kind, message, protobuf }: Kind, apiVersion: string): Kind {
  return { group, publicGroup, version, kind, apiVersion, message, protobuf };
}

/** The shape of single objects of a kind under an agreed representation. */
export function shapeOf(scheme: Scheme, kind: Kind, accepted: Accepted): Shape {
  const media = accepted.media.kind;
  if (accepted.as === "object") {
    return { apiVersion: kind.apiVersion, kind: kind.kind, form: formOf(kind.apiVersion, media), message: kind };
  }
  const meta = scheme.kind(`${scheme.product.local("meta.k8s.io")}/v1`, "PartialObjectMetadata")!;
  const apiVersion = `${accepted.group}/${accepted.version}`;
  return { apiVersion, kind: "PartialObjectMetadata", form: formOf(kind.apiVersion, media, "metadata"), message: meta };
}

/**
 * One object, to be made a response of at once: a small one stands in a buffer that the next is written to. A response takes a copy of
 * its bytes (Fetch standard, "extract a body"), so an array of its own would be made only to be copied.
 */
export function renderOne(scheme: Scheme, source: Source, shape: Shape, pretty: boolean): Uint8Array<ArrayBuffer> {
  const { media } = shape.form;
  if (media === "json" && !pretty) return lent([...jsonParts(scheme, source, shape), NEWLINE]);
  if (media === "protobuf") return wrap(shape.apiVersion, shape.kind, formBytes(scheme, source, shape.form));
  return encodeTree(wholeTree(scheme, source, shape), media, pretty, shape.message);
}

const LENT = new Uint8Array(64 * 1024);

/** Parts joined; valid until the next call. */
function lent(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let size = 0;
  for (const part of parts) size += part.length;
  if (size > LENT.length) return concat(parts);
  let at = 0;
  for (const part of parts) {
    LENT.set(part, at);
    at += part.length;
  }
  return LENT.subarray(0, size);
}

/** One object in compact JSON, in parts to be joined. */
function jsonParts(scheme: Scheme, source: Source, shape: Shape): Uint8Array[] {
  return [typePrefix(shape.apiVersion, shape.kind), formBytes(scheme, source, shape.form).subarray(1)];
}

/** One object as a tree, with its type. */
export function wholeTree(scheme: Scheme, source: Source, shape: Shape): JsonMap {
  const bytes = formBytes(scheme, source, formOf(shape.form.version, "json", shape.form.as));
  return { kind: shape.kind, apiVersion: shape.apiVersion, ...parseJson(bytes).tree as JsonMap };
}

/** A tree in an encoding that is not assembled from cached bytes; `kind` tells CBOR which members hold bytes. */
export function encodeTree(
  tree: Json,
  media: "json" | "yaml" | "cbor" | "protobuf",
  pretty: boolean,
  kind?: Kind,
): Uint8Array<ArrayBuffer> {
  if (media === "cbor") return encodeCbor(kind ? cborInput(kind.message, tree as JsonMap) : tree);
  if (media === "yaml") return UTF8.encode(stringifyYaml(tree));
  return encodeJson(tree, pretty);
}

/** What a list says of itself. */
export interface ListMeta {
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
  readonly shardInfo?: { readonly selector: string };
}

/** Metadata in declared order. */
export function listMetaTree(meta: ListMeta): JsonMap {
  const out: JsonMap = {};
  if (meta.resourceVersion !== "") out["resourceVersion"] = meta.resourceVersion;
  if (meta.continue !== undefined) out["continue"] = meta.continue;
  if (meta.remainingItemCount !== undefined) out["remainingItemCount"] = meta.remainingItemCount;
  if (meta.shardInfo) out["shardInfo"] = { selector: meta.shardInfo.selector };
  return out;
}

/** A list: its kind, its metadata, and its items. */
export function renderList(
  scheme: Scheme,
  listKind: { apiVersion: string; kind: string; message: Kind },
  meta: ListMeta,
  sources: readonly Source[],
  shape: Shape,
  options: { pretty: boolean; typedItems: boolean },
): Body {
  const { media } = shape.form;
  if (media === "protobuf") {
    return protobufList(listKind.message, listMetaTree(meta), sources, new ListForms(scheme, shape.form, sources));
  }
  // Nothing to make metadata of is null there, as with the public server.
  const none = sources.length === 0 && listKind.kind === "PartialObjectMetadataList";
  if (media === "json" && !options.pretty && !none) {
    return jsonList(scheme, listKind, meta, sources, shape, options.typedItems);
  }
  const items = sources.map((s) => {
    const tree = wholeTree(scheme, s, shape);
    if (!options.typedItems) {
      delete tree["kind"];
      delete tree["apiVersion"];
    }
    return tree;
  });
  const head = { kind: listKind.kind, apiVersion: listKind.apiVersion, metadata: listMetaTree(meta) };
  const tree = { ...head, items: none ? null : items };
  return encodeTree(tree, media, options.pretty, listKind.message);
}

function jsonList(
  scheme: Scheme,
  listKind: { apiVersion: string; kind: string },
  meta: ListMeta,
  sources: readonly Source[],
  shape: Shape,
  typed: boolean,
): Body {
  const head = concat([
    typePrefix(listKind.apiVersion, listKind.kind),
    UTF8.encode(`"metadata":${JSON.stringify(listMetaTree(meta))},"items":[`),
  ]);
  function* parts(): Generator<Uint8Array> {
    yield head;
    const prefix = typePrefix(shape.apiVersion, shape.kind);
    const forms = new ListForms(scheme, shape.form, sources);
    for (let i = 0; i < sources.length; i++) {
      if (i > 0) yield COMMA;
      const bytes = forms.of(sources[i]!);
      if (!typed) yield bytes;
      else {
        yield prefix;
        yield bytes.subarray(1);
      }
    }
    yield LIST_END;
  }
  return pieces(parts());
}
const LIST_END = UTF8.encode("]}\n");

/** Any object of a kind that no cache holds (`Scale`, a review, a `Status`). */
export function renderAny(kind: Kind, obj: Obj, accepted: Accepted): Uint8Array<ArrayBuffer> {
  return encodeObject(obj, kind, accepted.media.kind, accepted.pretty) as Uint8Array<ArrayBuffer>;
}
