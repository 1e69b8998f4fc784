/** What a patch makes of an object, or of a subresource with a kind of its own: patched, and decoded again. */
import { type ClaimedType, settleType } from "../../schema/codec/claimed.ts";
import { stringifyJson } from "../../schema/codec/json.ts";
import { DecodeError, decodeObject, inKnownOrder, keepEmptyManagers } from "../../schema/codec/mod.ts";
import { PatchError } from "../../schema/merge/errors.ts";
import type { Json, JsonMap, Kind, Obj } from "../../schema/model/types.ts";
import { badRequest, StatusError } from "../../schema/status.ts";
import { withMetadata } from "./call.ts";
import { reportStrict, withDefaults } from "./decode.ts";
import type { PatchRequest } from "./patch_request.ts";
import { undecodable, unfit } from "./patch_result.ts";
import { isMerge, isStrategic, objectOf, type Parsed, type PatchType } from "./patch_types.ts";
import type { WriteOptions } from "./query.ts";

/** How a patch changes the JSON of an object. */
type How = NonNullable<PatchType["patch"]>;

const NO_OBJECT = "a list is no object";

/** The patched object, decoded again. @throws StatusError 400, 422 */
export function patched(request: PatchRequest, how: How, current: Obj): Obj {
  const { parsed } = request;
  try {
    return remade(request, how, current, parsed);
  } catch (e) {
    if (e instanceof DecodeError) throw undecodable(e, isStrategic(request.type), parsed.marked?.texts);
    throw e;
  }
}

function remade(request: PatchRequest, how: How, current: Obj, parsed: Parsed): Obj {
  const { type, kind, options } = request;
  // Where nobody looks for fields, the patch is not looked at by itself: it makes a list of the object.
  if (isMerge(type) && Array.isArray(parsed.tree) && options.fieldValidation === "Ignore") {
    throw unfit(NO_OBJECT);
  }
  const from = current as JsonMap;
  // Where a patch has floats for whole numbers, it is tried as it is written first: an integer takes none.
  if (parsed.marked !== undefined && !kind.custom) {
    decoded(kind, treeOf(how, kind, from, parsed.marked.tree, options), { ...options, fieldValidation: "Ignore" });
  }
  const tree = treeOf(how, kind, from, parsed.tree, options);
  return redecode(request, tree, parsed);
}

function treeOf(how: How, kind: Kind, current: JsonMap, patch: Json, { fieldValidation }: WriteOptions): JsonMap {
  try {
    const made = how(kind, current, patch);
    if (Array.isArray(made)) throw unfit(NO_OBJECT);
    return objectOf(made);
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
function redecode({ api, scope, type, kind, options }: PatchRequest, tree: JsonMap, parsed: Parsed): Obj {
  const versioned = !isAbsent(tree["apiVersion"]);
  checkType(kind, tree);
  const { object, unknown } = versioned ? decoded(kind, tree, options, isStrategic(type)) : unversioned(kind, tree);
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
  const own = (name === kind.kind || isAbsent(name)) && (apiVersion === kind.apiVersion || isAbsent(apiVersion));
  if (own && !kind.custom) return;
  const got = [name, apiVersion].map((v) => stringifyJson(v ?? ""));
  throw unfit(`the patched object is a ${got.join(" of ")}, not a "${kind.kind}" of "${kind.apiVersion}"`);
}

/** Of a type: not said, or empty. */
const isAbsent = (v: Json | undefined): boolean => v === undefined || v === null || v === "";
const isNamed = (v: Json | undefined): boolean => typeof v === "string" && v !== "";

/** As on the public server: without a version nothing but the kind is known of an object, not even its metadata. */
function unversioned(kind: Kind, tree: JsonMap) {
  const names = Object.keys(tree).filter((name) => name !== "kind" && name !== "apiVersion");
  const unknown = names.map((name) => `unknown field ${JSON.stringify(name)}`);
  return { object: { apiVersion: kind.apiVersion, kind: kind.kind, metadata: {} }, unknown };
}

/** `wrap`: fields are set one by one, and keep what they have room for of a number. */
function decoded(kind: Kind, tree: JsonMap, options: WriteOptions, wrap = false) {
  return decodeObject(kind, tree, { strict: options.fieldValidation !== "Ignore", wrap });
}
