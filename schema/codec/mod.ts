/** Bodies ↔ objects in every encoding. The one place that endpoints and clients need. */
import type { Field, Json, JsonMap, Kind, Message, Obj } from "../model/types.ts";
import { apiVersionOf, type Scheme, splitApiVersion } from "../scheme.ts";
import { ValueError } from "../values/error.ts";
import { jsonTypeOf } from "./_typed_context.ts";
import { markedCborFloats, parseCbor } from "./cbor.ts";
import { encodeCborObject } from "./cbor_object.ts";
import { decodeProtobuf, encodeProtobuf, notRegistered, unwrap } from "./envelope.ts";
import { DecodeError } from "./error.ts";
import { byPlace, fieldReports } from "./_json_scan.ts";
import { encodeJson, markedFloats, type Parsed, parseJson, unmarked } from "./json.ts";
import type { MediaKind } from "./media.ts";
import { decodeObject } from "./typed.ts";
import { parseYaml, stringifyYaml } from "./yaml.ts";

export type { MediaKind } from "./media.ts";
export { DecodeError, type Mismatch } from "./error.ts";
export { decodeObject, decodeTyped } from "./typed.ts";
export { jsonTypeOf } from "./_typed_context.ts";
export { fieldReports } from "./_json_scan.ts";
export { notRegistered } from "./envelope.ts";

/** How to read a body. */
export interface BodyOptions {
  /** What the endpoint takes: fills in a missing `apiVersion` or `kind`, and is named in errors. */
  readonly defaultKind?: Kind;
  /** Report unknown and duplicate fields (`fieldValidation` Warn and Strict). */
  readonly strict: boolean;
  /** A client wrote it: fields that stand twice count as in a strict reading, though nobody hears of them. Default false. */
  readonly sent?: boolean;
  /** A kind of the default kind's name is the default kind, whatever version it states. Default false. */
  readonly anyVersion?: boolean;
}

/** A body that was read. */
export interface DecodedBody {
  readonly object: Obj;
  /** The object's own kind, which may be another than the endpoint's. */
  readonly kind: Kind;
  /** `unknown field "…"`, `duplicate field "…"`; empty unless strict. */
  readonly strictErrors: string[];
}

/** Most messages in one body: a body of the size limit stays within about a hundred megabytes of memory. */
const MAX_MESSAGES = 400_000;

interface Named {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * Reads a request's body. The body's own `apiVersion` and `kind` count; what is missing comes from the default kind, but
 * for custom kinds, which must say both. A custom object keeps the kind that it says.
 * @throws DecodeError whose message is fit for a 400: broken encoding, wrong types, a kind that is not known
 */
export function decodeBody(scheme: Scheme, bytes: Uint8Array, media: MediaKind, opts: BodyOptions): DecodedBody {
  let named: Named | undefined;
  const name = (found: Named) => named = found;
  try {
    if (media === "protobuf") return decodeEnvelope(scheme, bytes, opts, name);
    return decodeTree(scheme, bytes, media, opts, name);
  } catch (err) {
    if (!(err instanceof ValueError)) throw err;
    throw new DecodeError(explain(err.message, named, opts.defaultKind, bytes), { cause: err });
  }
}

function decodeEnvelope(scheme: Scheme, bytes: Uint8Array, opts: BodyOptions, name: (n: Named) => void): DecodedBody {
  const own = unwrap(bytes);
  const wanted = withDefaults(own, opts.defaultKind);
  name(wanted);
  const kind = scheme.kind(wanted.apiVersion, wanted.kind) ?? unversioned(wanted, opts);
  if (!kind) throw notRegistered(wanted.kind, wanted.apiVersion);
  return { ...decodeProtobuf(bytes, scheme, { defaultKind: kind, maxMessages: MAX_MESSAGES }), strictErrors: [] };
}

function decodeTree(
  scheme: Scheme,
  bytes: Uint8Array,
  media: Exclude<MediaKind, "protobuf">,
  opts: BodyOptions,
  name: (n: Named) => void,
): DecodedBody {
  const { tree: parsed, duplicates, wholeFloats, text } = parsedAs(media, bytes, opts.strict || opts.sent === true);
  const tree = parsed ?? {};
  const custom = opts.defaultKind?.custom ? opts.defaultKind : undefined;
  const wanted = withDefaults(namesOf(tree, media !== "cbor" && !custom), custom ? undefined : opts.defaultKind);
  name(wanted);
  const kind = !wanted.kind || (!wanted.apiVersion && !custom)
    ? undefined
    : custom
    ? customAs(scheme, custom, wanted)
    : scheme.kind(wanted.apiVersion, wanted.kind) ?? unversioned(wanted, opts);
  if (!kind) throw notRegistered(wanted.kind, wanted.apiVersion);
  if (media === "json" && text !== undefined && !kind.custom) noFloatForInteger(kind, text);
  if (wholeFloats && !kind.custom) decodeObject(kind, markedCborFloats(bytes), { maxMessages: MAX_MESSAGES });
  // What has no type of its own is filled by whole members, not field by field.
  const own = kind.custom && duplicates.length > 0 ? PARSERS[media](bytes, { whole: true }).tree ?? {} : tree;
  const { object, unknown: found } = decodeObject(kind, own, { strict: opts.strict, maxMessages: MAX_MESSAGES });
  if (custom) object.kind = wanted.kind;
  if (!kind.custom) keepEmptyManagers(own, object);
  if (!opts.strict) return { object, kind, strictErrors: [] };
  if (custom) return { object, kind, strictErrors: [...duplicates, ...customReports(custom, kind, object, found)] };
  const told = media !== "json"
    ? [...duplicates, ...inKnownOrder(kind, found)]
    : duplicates.length + found.length > 1
    ? fieldReports(text!, found)
    : [...duplicates, ...found];
  return { object, kind, strictErrors: told.filter((d) => !insideOpaque(kind.message, d)) };
}

/** What a custom kind's endpoint takes an object for: it reads any, of whatever type. */
function customAs(scheme: Scheme, custom: Kind, { apiVersion, kind }: Named): Kind {
  if (apiVersion === custom.apiVersion) return custom;
  const found = scheme.kind(apiVersion, kind);
  if (found?.custom && found.group === custom.group && kind === custom.kind) return found;
  return { ...custom, ...splitApiVersion(apiVersion), apiVersion, kind };
}

/**
 * What is unknown in an object that a custom kind's endpoint takes. Of another type only its metadata is looked at; a version that
 * is not there has no fields at all.
 */
function customReports(custom: Kind, kind: Kind, object: Obj, found: readonly string[]): string[] {
  const { apiVersion: _a, kind: name, metadata: _m, ...rest } = object;
  if (name !== custom.kind || kind.group !== custom.group) return inKnownOrder(custom, found).filter(ofMetadata);
  if (kind.custom !== custom.custom || kind.version === custom.version) return inKnownOrder(kind, found);
  const dropped = found.flatMap((r) => /^unknown field "([^.[]+)"$/.exec(r)?.[1] ?? []);
  const members = [...new Set([...Object.keys(rest), ...dropped])].sort();
  return [...inKnownOrder(custom, found).filter(ofMetadata), ...members.map((k) => `unknown field "${k}"`)];
}

const ofMetadata = (report: string): boolean => /^\w+ field "metadata[.[]/.test(report);

/**
 * Unknown fields in the order in which the public server tells of them where it does not read the sent text itself: by
 * place; of custom objects only those of `metadata`, which come first.
 */
export function inKnownOrder(kind: Kind, reports: readonly string[]): string[] {
  if (reports.length < 2) return [...reports];
  if (!kind.custom) return byPlace(reports);
  return [...byPlace(reports.filter(ofMetadata)), ...reports.filter((r) => !ofMetadata(r))];
}

/** The default kind for one of its name that is taken in whatever version. */
const unversioned = ({ apiVersion, kind }: Named, { anyVersion, defaultKind }: BodyOptions): Kind | undefined =>
  anyVersion && kind === defaultKind?.kind && !apiVersion.endsWith("/") ? defaultKind : undefined;

/** Whether a `duplicate field "a.b[0].c"` lies within a member that holds any JSON, where fields are not looked at. */
function insideOpaque(message: Message, report: string): boolean {
  const path = /^duplicate field "(.*)"$/.exec(report)?.[1];
  if (path === undefined) return false;
  let at: Message | undefined = message;
  for (const name of path.replace(/\[\d+\]/g, "").split(".").slice(0, -1)) {
    const field: Field | undefined = at?.byName.get(name);
    if (!field || field.map) return false;
    if (field.type === "any" || (typeof field.type === "object" && field.type.wrapper === "raw")) return true;
    at = typeof field.type === "object" ? field.type : undefined;
  }
  return false;
}

/** @throws DecodeError when an integer is written as a float (`2.0`). Costs a second decoding where such numbers are at all. */
function noFloatForInteger(kind: Kind, text: string): void {
  const marked = markedFloats(text);
  if (!marked) return;
  try {
    decodeObject(kind, marked.tree, { maxMessages: MAX_MESSAGES });
  } catch (err) {
    if (!(err instanceof ValueError)) throw err;
    throw new DecodeError(unmarked(err.message, marked.texts));
  }
}

/**
 * An empty `metadata.managedFields` says "nobody owns anything", unlike an absent one: it outlives the decoding. Of custom objects
 * it says nothing.
 */
export function keepEmptyManagers(tree: Json, object: Obj): void {
  const metadata = (tree as JsonMap)["metadata"] as JsonMap | null | undefined;
  const list = metadata?.["managedFields"];
  // Options have no metadata, whatever was sent.
  if (Array.isArray(list) && list.length === 0 && object.metadata) object.metadata.managedFields = [];
}

function parsedAs(media: keyof typeof PARSERS, bytes: Uint8Array, duplicates: boolean): Parsed {
  try {
    return PARSERS[media](bytes, { duplicates });
  } catch (err) {
    if (media !== "json" || !(err instanceof ValueError)) throw err;
    throw new DecodeError(UNNAMED + err.message);
  }
}

const PARSERS = { json: parseJson, yaml: parseYaml, cbor: parseCbor };

/** A body that is no JSON fails before its kind is known. */
const UNNAMED = "couldn't get version/kind; json parse error: ";

/** The name of a member that is looked for in whatever case: long s and the Kelvin sign are letters, too. */
const folded = (name: string): string => name.toLowerCase().replaceAll("\u017f", "s");
const TYPE_NAMES: Readonly<Record<string, keyof Named>> = { apiversion: "apiVersion", kind: "kind" };

/** The last of each counts; null says nothing. */
function* typeMembers(tree: JsonMap, anyCase: boolean): Generator<readonly [keyof Named, Json | undefined]> {
  for (const name of Object.keys(tree)) {
    if (name.length !== 4 && name.length !== 10) continue;
    const field = name === "apiVersion" || name === "kind" ? name : anyCase ? TYPE_NAMES[folded(name)] : undefined;
    if (field) yield [field, tree[name]];
  }
}

/** `apiVersion` and `kind` that a tree states, in any case where it is JSON or YAML of a built-in kind. */
function namesOf(tree: Json, anyCase: boolean): Named {
  if (typeof tree !== "object" || tree === null || Array.isArray(tree)) {
    throw new DecodeError(`${UNNAMED}json: cannot unmarshal ${jsonTypeOf(tree)} into an object`);
  }
  const found: Partial<Record<keyof Named, string>> = {};
  for (const [field, value] of typeMembers(tree, anyCase)) {
    if (value === undefined || value === null) continue;
    if (typeof value === "string") {
      found[field] = value;
      continue;
    }
    throw new DecodeError(
      `${UNNAMED}json: cannot unmarshal ${jsonTypeOf(value)} into Go struct field .${field} of type string`,
    );
  }
  const text = found.apiVersion ?? "";
  if (text.split("/").length > 2) throw new DecodeError(`unexpected GroupVersion string: ${text}`);
  // What has nothing before its slash is of the core group; a slash alone names no version either.
  return { apiVersion: text.startsWith("/") ? text.slice(1) : text, kind: found.kind ?? "" };
}

/** What is stated, filled up from the default kind. */
function withDefaults(own: Named, fallback: Kind | undefined): Named {
  if (!fallback) return { apiVersion: own.apiVersion, kind: own.kind };
  const { group, version } = splitApiVersion(own.apiVersion);
  const apiVersion = !own.apiVersion
    ? fallback.apiVersion
    : !version && group === fallback.group
    ? apiVersionOf(group, fallback.version)
    : own.apiVersion;
  return { apiVersion, kind: own.kind || fallback.kind };
}

const SUMMARY = 30;

/** The text of a 400: what the body says it is, what the endpoint takes, and what is wrong. */
function explain(message: string, named: Named | undefined, wanted: Kind | undefined, body: Uint8Array): string {
  if (!wanted) return message;
  if (!named?.kind) {
    return `the object provided is unrecognized (must be of type ${wanted.kind}): ${message} (${summary(body)})`;
  }
  const { version } = splitApiVersion(named.apiVersion);
  return `${named.kind} in version ${JSON.stringify(version)} cannot be handled as a ${wanted.kind}: ${message}`;
}

function summary(body: Uint8Array): string {
  if (body.length === 0) return "<empty>";
  const start = body.subarray(0, SUMMARY);
  const text = body[0] === 0x7b ? new TextDecoder().decode(start) : start.toHex();
  return body.length > SUMMARY ? `${text} ...` : text;
}

/**
 * An object's bytes. JSON ends with a line feed unless it is pretty; `pretty` matters to JSON alone.
 * @throws Error for Protobuf when the kind has no such form
 */
export function encodeObject(obj: Obj, kind: Kind, media: MediaKind, pretty = false): Uint8Array<ArrayBuffer> {
  switch (media) {
    case "json":
      return encodeJson(obj, pretty);
    case "yaml":
      return new TextEncoder().encode(stringifyYaml(obj as JsonMap)) as Uint8Array<ArrayBuffer>;
    case "cbor":
      return encodeCborObject(kind, obj);
    case "protobuf":
      return encodeProtobuf(kind, obj);
  }
}
