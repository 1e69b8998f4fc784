/** PATCH: JSON patch, merge patch, strategic merge patch, and apply (specification, "Patch types"). */
import { markedFloats, parseJson } from "../../schema/codec/json.ts";
import { parseYaml } from "../../schema/codec/yaml.ts";
import { parseCbor } from "../../schema/codec/cbor.ts";
import { DecodeError, decodeObject, inKnownOrder, jsonTypeOf, keepEmptyManagers } from "../../schema/codec/mod.ts";
import { type ClaimedType, settleType } from "../../schema/codec/claimed.ts";
import { applyJsonPatch, unknownJsonPatchFields } from "../../schema/merge/json_patch.ts";
import { applyMergePatch } from "../../schema/merge/merge_patch.ts";
import { applyStrategicMerge } from "../../schema/merge/strategic.ts";
import type { Applied } from "../../schema/merge/managed.ts";
import { PatchError } from "../../schema/merge/errors.ts";
import { ValueError } from "../../schema/values/error.ts";
import type { Json, JsonMap, Kind, ManagedFieldsEntry, Obj } from "../../schema/model/types.ts";
import { badRequest, conflict, methodNotAllowed, StatusError } from "../../schema/status.ts";
import type { Caller } from "../registry/context.ts";
import type { RequestScope } from "../request.ts";
import { parseRange } from "../negotiation/media.ts";
import { undecodable, unfit } from "./patch_result.ts";
import type { Api } from "./api.ts";
import { readBody, unsupported } from "./body.ts";
import {
  acceptedBy,
  callerOf,
  callOf,
  checkName,
  mustServe,
  objectNamespace,
  settleNamespace,
  shownOf,
  withMetadata,
} from "./call.ts";
import { fieldWrite } from "./create.ts";
import { reportStrict, withDefaults } from "./decode.ts";
import { explained, explanationOf, heard } from "./explain.ts";
import { type WriteOptions, writeOptions } from "./query.ts";
import { respondAny, respondObject, written } from "./respond.ts";
import { toServed, toStored, withConversions } from "./shape.ts";
import { admit, transformed } from "./update.ts";

interface Parsed {
  readonly tree: Json;
  readonly duplicates: string[];
  /** Of operations: fields that stand twice in the object by them. */
  readonly placed?: string[];
  /** The tree with whole numbers told from floats (`2.0`), where there are such; only where that tells. */
  readonly marked?: Json | undefined;
}

/** A way to patch: how its body is read, and what it makes of an object. */
interface PatchType {
  readonly parse: (bytes: Uint8Array, duplicates: boolean) => Parsed;
  /** Undefined: apply. */
  readonly patch?: (kind: Kind, current: JsonMap, patch: Json) => Json;
}

/** Whole: what a patch says twice is not put together, the last counts. */
const json = (bytes: Uint8Array, duplicates: boolean): Parsed => parseJson(bytes, { duplicates, whole: true });
/** As {@linkcode json}, for patches that keep the notation of numbers. */
const literal = (bytes: Uint8Array, duplicates: boolean): Parsed => {
  const parsed = parseJson(bytes, { duplicates, whole: true });
  return { ...parsed, marked: markedFloats(parsed.text)?.tree };
};
const object = (patch: Json, what = ""): JsonMap => {
  if (patch === null || typeof patch !== "object" || Array.isArray(patch)) {
    throw badRequest(
      `${what}json: cannot unmarshal ${jsonTypeOf(patch)} into Go value of type map[string]interface {}`,
    );
  }
  return patch;
};
const UNDECODED = "error decoding patch: ";

/** By media type. */
const TYPES: Readonly<Record<string, PatchType>> = {
  "application/json-patch+json": {
    parse: (bytes, strict) => ofOperations(literal(bytes, strict), strict),
    patch: (_k, current, patch) => applyJsonPatch(current, patch),
  },
  "application/merge-patch+json": {
    parse: literal,
    patch: (_k, current, patch) => applyMergePatch(current, object(patch, UNDECODED)),
  },
  "application/strategic-merge-patch+json": {
    parse: json,
    patch: (kind, current, patch) => {
      const { metadata, ...rest } = applyStrategicMerge(kind.message, current, object(patch ?? {}));
      // Fields are set on an object of the kind: what the patch says it is counts for nothing.
      const text = (v: Json | undefined, own: string) => v === undefined || typeof v === "string" ? own : v;
      const head = { apiVersion: text(rest["apiVersion"], kind.apiVersion), kind: text(rest["kind"], kind.kind) };
      return { ...rest, ...head, metadata: metadata ?? {} };
    },
  },
  "application/apply-patch+yaml": { parse: (bytes, duplicates) => parseYaml(bytes, { duplicates }) },
  "application/apply-patch+cbor": { parse: (bytes, duplicates) => parseCbor(bytes, { duplicates }) },
};
const STRATEGIC = "application/strategic-merge-patch+json";
const MERGE = "application/merge-patch+json";
const CBOR = "application/apply-patch+cbor";

/** Strict field validation names operations and members that no operation has as such. */
function ofOperations({ tree, duplicates, marked }: Parsed, strict: boolean): Parsed {
  if (!strict) return { tree, duplicates, marked };
  const unknown = unknownJsonPatchFields(tree).map((f) => `json patch unknown field ${JSON.stringify(f)}`);
  const known = duplicates.filter((d) => !unknown.includes(`json patch ${d.replace("duplicate", "unknown")}`));
  const placed = duplicates.flatMap((d) => duplicateInObject(tree, d));
  return { tree, duplicates: [...known.map((d) => `json patch ${d}`), ...unknown], placed, marked };
}

/** A field that stands twice in an operation's value stands so in the object, unless a later operation looks within. */
function duplicateInObject(tree: Json, report: string): string[] {
  const [, at, rest] = /^duplicate field "\[(\d+)\]\.value([.[].*)"$/.exec(report) ?? [];
  const ops = Array.isArray(tree) ? tree as JsonMap[] : [], op = ops[Number(at)], path = op?.["path"];
  if (rest === undefined || typeof path !== "string" || (op!["op"] !== "add" && op!["op"] !== "replace")) return [];
  if (ops.slice(Number(at) + 1).some((o) => String(o["path"]).startsWith(`${path}/`))) return [];
  const steps = path.split("/").slice(1).map((s) => s.replaceAll("~1", "/").replaceAll("~0", "~"));
  const place = steps.map((s) => /^\d+$/.test(s) ? `[${s}]` : `.${s}`).join("").replace(/^\./, "");
  return [`duplicate field ${JSON.stringify(place + rest)}`];
}

/** The patch type of a request. @throws StatusError 415 */
function typeOf(api: Api, scope: RequestScope): PatchType {
  const header = scope.headers.get("content-type") ?? "";
  const range = parseRange(header);
  const name = range ? `${range.type}/${range.subtype}` : "";
  const offered = offeredTypes(api, scope);
  if (!offered.includes(name)) throw unsupported(offered, namesPatch(api, scope) ? undefined : {});
  return TYPES[name]!;
}

/** Refuses what is no patch of the resource at all. @throws StatusError 415 */
export function mustBePatch(api: Api, scope: RequestScope): void {
  typeOf(api, scope);
}

function offeredTypes(api: Api, scope: RequestScope): string[] {
  const custom = scope.served!.kind.custom !== undefined;
  return Object.keys(TYPES).filter((t) =>
    (t !== STRATEGIC || !custom) && (t !== CBOR || api.rules.gate("CBORServingAndStorage"))
  );
}

/**
 * Whether a patch's Content-Type is looked at closely: the public server's router refuses what no patch of a built-in kind
 * comes in before all else.
 */
export function namesPatch(api: Api, scope: RequestScope): boolean {
  if (scope.served!.kind.custom !== undefined) return true;
  const offered = offeredTypes(api, scope);
  return (scope.headers.get("content-type") ?? "").split(",").some((t) => offered.includes(t.split(";")[0]!.trim()));
}

/**
 * Patches an object; 201 when apply created it. @throws StatusError 415, 400 and 422 of the patch, 409 of its conflicts, and all
 * that an update is refused for
 */
export async function patch(api: Api, scope: RequestScope): Promise<Response> {
  const served = scope.served!;
  const { resource } = served;
  const { subresource, name } = scope.info;
  if (name === "") throw methodNotAllowed();
  mustServe(served, subresource, "patch");
  const handler = subresource === "" ? undefined : api.subresource(resource, subresource);
  const early = callOf(api, scope, callerOf(scope, { dryRun: false, object: {} }));
  if (handler?.connect) return await handler.connect(early);
  const type = typeOf(api, scope);
  const accepted = acceptedBy(api, scope, shownOf(scope));
  const bytes = await readBody(scope.request);
  const options = writeOptions(scope.query, "PatchOptions", api.scheme.product, !type.patch);
  scope.audit?.patched(() => type.parse(bytes, false).tree);
  const explanation = explanationOf(scope.query, options);
  const caller = heard(explanation, callerOf(scope, options));
  // Nobody looks at a patch before there is something to patch.
  let known: Parsed | undefined;
  const parsed = () => known ??= parse(type, bytes, options.fieldValidation !== "Ignore");
  const kind = early.subresource?.kind ?? served.kind;
  if (handler?.update) {
    const call = callOf(api, scope, caller);
    const next = (current: Obj) => Promise.resolve(nextPart(api, scope, type, kind, current, parsed(), options));
    const work = handler.update(call, next);
    if (explanation) return await explained(explanation, async () => (await work).object);
    const answer = await work;
    return await respondAny(api, scope, answer.code ?? 200, accepted, answer.kind, answer.object);
  }
  const work = api.store(resource).update({
    namespace: objectNamespace(resource, scope.info.namespace),
    name,
    subresource,
    caller,
    admit: true,
    createAbsent: !type.patch,
    apart: true,
    next: (current) => nextObject(api, scope, type, kind, current, parsed, options, caller),
  });
  if (explanation) return await explained(explanation, async () => (await work).object);
  const result = await work;
  const source = result.removed ? { object: result.object } : written(api, served, result.object, caller.dryRun);
  return await respondObject(api, scope, result.created ? 201 : 200, accepted, served, source);
}

function parse(type: PatchType, bytes: Uint8Array, duplicates: boolean): Parsed {
  try {
    return type.parse(bytes, duplicates);
  } catch (e) {
    if (e instanceof ValueError) throw badRequest(`error decoding patch: ${e.message}`);
    throw e;
  }
}

async function nextObject(
  api: Api,
  scope: RequestScope,
  type: PatchType,
  kind: Kind,
  current: Obj | undefined,
  parsed: () => Parsed,
  options: WriteOptions,
  caller: Caller,
): Promise<Obj> {
  const served = scope.served!;
  if (!type.patch) return await applied(api, scope, kind, current, parsed(), options, caller);
  if (!current) throw api.store(served.resource).missing(scope.info.name);
  const obj = patchTree(api, scope, type, kind, toServed(api, served, current), parsed(), options);
  settleNamespace(obj, served.resource, scope.info.namespace);
  checkName(obj, scope.info.name);
  return await transformed(api, scope, toStored(api, served, obj), current, options, caller);
}

/** The next state of a subresource that has a kind of its own. */
function nextPart(
  api: Api,
  scope: RequestScope,
  type: PatchType,
  kind: Kind,
  current: Obj,
  parsed: Parsed,
  options: WriteOptions,
): Obj {
  const write = fieldWrite(scope, options);
  if (type.patch) return api.fields.update(current, patchTree(api, scope, type, kind, current, parsed, options), write);
  const tree = checkApplied(kind, parsed.tree);
  const merged = api.fields.apply(current, tree, options.force === true, write);
  checkPlace(scope, tree);
  return withDefaults(api, kind, withMetadata(applicable(kind, merged.object).object));
}

/** The patched object, decoded again. @throws StatusError 400, 422 */
function patchTree(
  api: Api,
  scope: RequestScope,
  type: PatchType,
  kind: Kind,
  current: Obj,
  parsed: Parsed,
  options: WriteOptions,
): Obj {
  try {
    return remade(api, scope, type, kind, current, parsed, options);
  } catch (e) {
    const strategic = type === TYPES[STRATEGIC];
    if (e instanceof DecodeError) throw undecodable(e, strategic);
    throw e;
  }
}

function remade(
  api: Api,
  scope: RequestScope,
  type: PatchType,
  kind: Kind,
  current: Obj,
  parsed: Parsed,
  options: WriteOptions,
): Obj {
  if (!type.patch) throw badRequest("apply is not supported by this subresource");
  // Where nobody looks for fields, the patch is not looked at by itself: it makes a list of the object.
  if (type === TYPES[MERGE] && Array.isArray(parsed.tree) && options.fieldValidation === "Ignore") {
    throw unfit("a list is no object");
  }
  const from = current as unknown as JsonMap;
  // Where a patch has floats for whole numbers, it is tried as it is written first: an integer takes none.
  if (parsed.marked !== undefined && !kind.custom) {
    decoded(kind, patched(type.patch, kind, from, parsed.marked, options), { ...options, fieldValidation: "Ignore" });
  }
  const tree = patched(type.patch, kind, from, parsed.tree, options);
  return redecode(api, scope, type, kind, tree, parsed, options);
}

function patched(
  how: NonNullable<PatchType["patch"]>,
  kind: Kind,
  current: JsonMap,
  patch: Json,
  { fieldValidation }: WriteOptions,
): JsonMap {
  try {
    return object(how(kind, current, patch));
  } catch (e) {
    if (e instanceof PatchError) throw patchStatus(e, fieldValidation !== "Ignore");
    throw e;
  }
}

/** Malformed patches are the client's mistake; well-formed ones that do not fit the object cannot be processed. */
const PATCH_CODES: Readonly<Record<string, readonly [number, "BadRequest" | "Invalid" | "RequestEntityTooLarge"]>> = {
  "malformed": [400, "BadRequest"],
  "test-failed": [422, "Invalid"],
  "missing-path": [422, "Invalid"],
  "too-large": [413, "RequestEntityTooLarge"],
};

/** `looked`: operations are read closely before they are applied. */
function patchStatus(e: PatchError, looked: boolean): StatusError {
  if (e.kind === "mistyped" && looked) return badRequest(e.message);
  const [code, reason] = PATCH_CODES[e.kind] ?? [422, "Invalid"];
  return new StatusError(code, reason, e.message, code === 422 ? {} : undefined);
}

/** Decodes a tree as the kind, reports what is unknown in it, applies defaults. */
function redecode(
  api: Api,
  scope: RequestScope,
  type: PatchType,
  kind: Kind,
  tree: JsonMap,
  parsed: Parsed,
  options: WriteOptions,
): Obj {
  const versioned = !!tree["apiVersion"];
  checkType(kind, tree);
  const wrap = type === TYPES[STRATEGIC];
  const { object, unknown } = versioned ? decoded(kind, tree, options, wrap) : unversioned(kind, tree);
  if (kind.custom) settleType(object, kind, tree as unknown as ClaimedType);
  if (!kind.custom) keepEmptyManagers(tree, object);
  const strict = strictReports(kind, parsed, unknown);
  if (options.fieldValidation === "Strict" && strict.length > 0) {
    throw unfit(`strict decoding error: ${strict.join(", ")}`);
  }
  reportStrict(scope, strict, options.fieldValidation);
  return withDefaults(api, kind, withMetadata(object));
}

/** What the patch says twice, then what is wrong with the patched object, in its order. */
function strictReports(kind: Kind, { duplicates, placed = [] }: Parsed, unknown: readonly string[]): string[] {
  if (placed.length === 0) return [...duplicates, ...inKnownOrder(kind, unknown)];
  const places = unknown.map((u) => u.slice("unknown field ".length, -1));
  const known = placed.filter((d) => !places.some((p) => d.startsWith(`duplicate field ${p}`)));
  return [...duplicates, ...inKnownOrder(kind, [...known, ...unknown])];
}

/** A missing kind is the endpoint's. @throws StatusError 422 when the patch made something else of the object */
function checkType(kind: Kind, tree: JsonMap): void {
  const { apiVersion, kind: name } = tree;
  // Of a custom object it is told when the whole is looked at.
  if (kind.custom && isNamed(name) && isNamed(apiVersion)) return;
  const own = (name === kind.kind || !name) && (apiVersion === kind.apiVersion || !apiVersion);
  if (own && !kind.custom) return;
  throw unfit(`the patched object is a ${name} of ${apiVersion}, not a ${kind.kind} of ${kind.apiVersion}`);
}

const isNamed = (v: Json | undefined): boolean => typeof v === "string" && v !== "";

/** As on the public server: without a version nothing but the kind is known of an object, not even its metadata. */
function unversioned(kind: Kind, tree: JsonMap) {
  const names = Object.keys(tree).filter((name) => name !== "kind" && name !== "apiVersion");
  const unknown = names.map((name) => `unknown field ${JSON.stringify(name)}`);
  return { object: { apiVersion: kind.apiVersion, kind: kind.kind, metadata: {} } as Obj, unknown };
}

/** `wrap`: fields are set one by one, and keep what they have room for of a number. */
function decoded(kind: Kind, tree: JsonMap, options: WriteOptions, wrap = false) {
  return decodeObject(kind, tree, { strict: options.fieldValidation !== "Ignore", wrap });
}

/** Apply: merges what the manager wants into the live object. */
async function applied(
  api: Api,
  scope: RequestScope,
  kind: Kind,
  current: Obj | undefined,
  parsed: Parsed,
  options: WriteOptions,
  caller: Caller,
): Promise<Obj> {
  const served = scope.served!;
  const tree = checkApplied(kind, parsed.tree);
  if (!current) refuseUid(api, scope, tree);
  const live = current && toServed(api, served, current);
  const merging = () => api.fields.apply(live, tree, options.force === true, fieldWrite(scope, options));
  const merged = await withConversions(served, () => scope.signal, merging);
  checkPlace(scope, tree);
  reportStrict(scope, parsed.duplicates, options.fieldValidation);
  const obj = current && isAsItWas(kind, merged)
    ? ownedBy(current, merged.managedFields)
    : toStored(api, served, withDefaults(api, kind, withMetadata(applicable(kind, merged.object).object), true));
  settleNamespace(obj, served.resource, scope.info.namespace);
  checkName(obj, scope.info.name);
  await admit(api, scope, obj, current, caller);
  return obj;
}

function ownedBy(object: Obj, entries: ManagedFieldsEntry[] | undefined): Obj {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata: entries ? { ...metadata, managedFields: entries } : metadata };
}

/** Whether the object stays as it is stored: nothing of the request's version is filled in then, or put in other order. */
const isAsItWas = ({ custom }: Kind, { changed }: Applied): boolean => !changed && !custom?.converter;

/** @throws StatusError 409 when what is to be created names the uid of something that was there before */
function refuseUid(api: Api, scope: RequestScope, tree: JsonMap): void {
  const { uid } = (tree as unknown as Obj).metadata;
  if (!uid) return;
  const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
  throw conflict(api.store(scope.served!.resource).gr, scope.info.name, why);
}

/** Values are looked at closely once nobody else holds them. @throws StatusError 400, 422 */
function applicable(kind: Kind, merged: JsonMap) {
  try {
    return decodeObject(kind, merged, { strict: false, wrap: true });
  } catch (e) {
    if (e instanceof DecodeError) throw badRequest(e.message);
    throw e;
  }
}

/** @throws StatusError 400 for a body that is no configuration of this object */
function checkApplied(kind: Kind, body: Json): JsonMap {
  const tree = object(body, UNDECODED);
  if (tree["apiVersion"] !== kind.apiVersion || tree["kind"] !== kind.kind) {
    const [said, name] = [tree["apiVersion"], tree["kind"]].map((v) => typeof v === "string" ? v : "");
    throw badRequest(`invalid object type: ${said!.includes("/") ? said : `/${said}`}, Kind=${name}`);
  }
  const meta = tree["metadata"] === undefined || tree["metadata"] === null ? {} : object(tree["metadata"]);
  if (meta["managedFields"] !== undefined && meta["managedFields"] !== null) {
    throw badRequest("metadata.managedFields must be nil");
  }
  return { ...tree, metadata: meta };
}

/** Conflicts are told before it. @throws StatusError 400 when the configuration is of an object elsewhere */
function checkPlace(scope: RequestScope, { metadata }: JsonMap): void {
  // Looked at on a copy: what is applied stays as the client wrote it.
  const as = { metadata: { ...metadata as JsonMap } } as unknown as Obj;
  as.metadata.name ||= scope.info.name;
  settleNamespace(as, scope.served!.resource, scope.info.namespace);
  checkName(as, scope.info.name);
}
