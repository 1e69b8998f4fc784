/** How stored bytes of a resource become objects and wire forms: what the watch cache is given per resource. */
import { decodeBody, type MediaKind } from "../../schema/codec/mod.ts";
import { encodeMessage } from "../../schema/codec/protobuf.ts";
import { encodeCbor } from "../../schema/codec/cbor_write.ts";
import { stringifyYaml } from "../../schema/codec/yaml.ts";
import { encodeJsonBare } from "../../schema/codec/json.ts";
import { cborInput } from "../../schema/codec/cbor_object.ts";
import type { Json, JsonMap, Kind, Obj } from "../../schema/model/types.ts";
import { defaultsFor } from "../../schema/rules/mod.ts";
import type { RuleContext } from "../../schema/rules/types.ts";
import type { Scheme } from "../../schema/scheme.ts";
import { internal } from "../../schema/status.ts";
import type { EntryCodec, Facts, Form } from "../cache/mod.ts";
import type { Resource } from "../catalog/types.ts";
import { fieldsOf } from "./fields.ts";
import { versioned } from "./versioned.ts";

/** Which encoding bytes at rest have; told by how they start. @throws StatusError for those that are still encrypted */
export function storedMedia(bytes: Uint8Array): MediaKind {
  if (bytes[0] === 0x6b && bytes[1] === 0x38 && bytes[2] === 0x73 && bytes[3] === 0) return "protobuf";
  if (bytes[0] === 0xd9 && bytes[1] === 0xd9 && bytes[2] === 0xf7) return "cbor";
  if (bytes[0] === 0x7b) return "json";
  if (/^(?:k8s|orch):enc:/.test(new TextDecoder().decode(bytes.subarray(0, 9)))) {
    throw internal("the value is encrypted at rest, and the server was given no --encryption-provider-config");
  }
  return "yaml";
}

/**
 * The codec of a resource. Objects at rest are given the defaults of their version: it may have some that it had not when
 * they were written. `also`: ids of resources that share its stored objects.
 */
export function entryCodec(
  scheme: Scheme,
  resource: Resource,
  rules: RuleContext,
  also: readonly string[] = [],
): EntryCodec {
  const stored = resource.storageKind;
  const decode = (bytes: Uint8Array, revision: number): Obj => {
    const { object, kind } = decodeBody(scheme, bytes, storedMedia(bytes), { defaultKind: stored, strict: false });
    if (kind.kind !== stored.kind) {
      throw internal(`${kind.kind} in version ${JSON.stringify(kind.version)} cannot be handled as a ${stored.kind}`);
    }
    defaultsFor(kind.publicGroup, kind.version, kind.kind)?.(object, rules);
    const obj = kind === stored ? object : scheme.convert(object, stored);
    return versioned(obj, revision);
  };
  return {
    decode,
    encode: (obj, form) => encodeForm(scheme, obj, form),
    facts: (obj) => factsOf([resource.id, ...also], obj),
  };
}

function factsOf(ids: readonly string[], obj: Obj): Facts {
  let fields: Record<string, string> | undefined;
  for (const id of ids) {
    const more = fieldsOf(id, obj);
    if (more) fields = { ...fields, ...more };
  }
  const { uid = "", labels } = obj.metadata;
  return { uid, ...(labels ? { labels: sharing(labels) } : {}), ...(fields ? { fields: sharing(fields) } : {}) };
}

/** Texts that stand in the facts of many objects, each once: phases, policies, values of labels. */
const SHARED = new Map<string, string>();
const MOST_SHARED = 10_000;
/** Longest value of a label; what is longer is hardly ever the same twice. */
const LONGEST_SHARED = 63;

/** The same texts, of which those that were seen lately are kept once for all. */
function sharing(texts: Readonly<Record<string, string>>): Record<string, string> {
  const out: Record<string, string> = { ...texts };
  for (const name in out) out[name] = shared(out[name]!);
  return out;
}

function shared(text: string): string {
  if (text.length > LONGEST_SHARED) return text;
  const known = SHARED.get(text);
  if (known !== undefined) return known;
  if (SHARED.size >= MOST_SHARED) SHARED.clear();
  SHARED.set(text, text);
  return text;
}

/** A stored object in a form. @throws Error for a kind that has no such form */
export function encodeForm(scheme: Scheme, obj: Obj, form: Form): Uint8Array {
  if (form.as === "metadata") {
    return encodeBare(metadataKind(scheme), { metadata: ownMetadata(obj) } as Obj, form.media);
  }
  const kind = servedKind(scheme, obj, form.version);
  return encodeBare(kind, kind.apiVersion === obj.apiVersion ? obj : scheme.shown(obj, kind), form.media);
}

/** In the form of `apps/v1` a member of the object that stands among its annotations. */
const TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

/** What answers of metadata alone show: they are made of no version of the object, so its members are not there. */
function ownMetadata({ apiVersion, kind, metadata }: Obj): Obj["metadata"] {
  if (kind !== "DaemonSet" || apiVersion !== "apps/v1" || !metadata.annotations?.[TEMPLATE_GENERATION]) return metadata;
  const { [TEMPLATE_GENERATION]: _, ...annotations } = metadata.annotations;
  const { annotations: _all, ...rest } = metadata;
  return Object.keys(annotations).length > 0 ? { ...metadata, annotations } : rest;
}

const metadataKind = (scheme: Scheme): Kind =>
  scheme.kind(`${scheme.product.local("meta.k8s.io")}/v1`, "PartialObjectMetadata")!;

function servedKind(scheme: Scheme, obj: Obj, apiVersion: string): Kind {
  const kind = scheme.kind(apiVersion, obj.kind);
  if (!kind) throw new Error(`no kind ${obj.kind} in ${apiVersion}`);
  return kind;
}

/** An object without its type, in an encoding. */
export function encodeBare(kind: Kind, obj: Obj, media: MediaKind): Uint8Array {
  if (media === "protobuf") return encodeMessage(kind.message, obj);
  const { kind: _k, apiVersion: _v, ...rest } = obj;
  if (media === "json") return encodeJsonBare(rest as Json);
  if (media === "cbor") return encodeCbor(cborInput(kind.message, rest as JsonMap));
  return new TextEncoder().encode(stringifyYaml(rest as Json));
}
