/** Rules of every schema of a custom resource, structural or not. */
import { requiredExpression } from "../checks/cel.ts";
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";
import { count, emptyMap, isSet, items, repeats, type Tree } from "../tree.ts";
import { fieldPath } from "./field_path.ts";
import { entries, isSchema, property } from "./schema_tree.ts";

const TYPES = ["array", "boolean", "integer", "number", "object", "string"];
const LIST_TYPES = ["atomic", "set", "map"], MAP_TYPES = ["atomic", "granular"];
const LIST_TYPE = "x-kubernetes-list-type",
  LIST_KEYS = "x-kubernetes-list-map-keys",
  MAP_TYPE = "x-kubernetes-map-type";
const PRESERVE = "x-kubernetes-preserve-unknown-fields", EMBEDDED = "x-kubernetes-embedded-resource";
const RULES = "x-kubernetes-validations";
const REASONS = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];
const OWN = ["metadata", "kind", "apiVersion"];

/** What is asked of a schema; what the stored one already did wrong is not. */
export interface SchemaOptions {
  readonly knownTypes: boolean;
  readonly atomicSets: boolean;
  readonly soundMaps: boolean;
}

/** Where a schema stands. */
interface Place {
  readonly root: boolean;
  /** Below the object's own members. */
  readonly inMeta: boolean;
  readonly defaults: boolean;
  readonly unsound: Set<Tree>;
}
const ROOT: Omit<Place, "unsound"> = { root: true, inMeta: false, defaults: true };

/** Checks a schema and all below it; gives those in or below which something is wrong. */
export function openApiSchema(s: Tree, path: Path, errors: ErrorList, o: SchemaOptions): ReadonlySet<Tree> {
  const unsound = new Set<Tree>();
  visit(s, path, errors, o, { ...ROOT, unsound });
  return unsound;
}

function visit(s: Tree, path: Path, errors: ErrorList, o: SchemaOptions, place: Place): void {
  const next = { ...place, root: false }, more = s["additionalProperties"], before = errors.causes.length;
  forbiddenMembers(s, path, errors, o, place);
  if (s["uniqueItems"]) {
    errors.forbidden(path.child("uniqueItems"), "must not be true: it would take too long to check");
  }
  if (isSet(more)) {
    const at = path.child("additionalProperties");
    if (!emptyMap(s["properties"]) && more !== true) errors.forbidden(at, "excludes properties");
    if (isSchema(more)) visit(more, at, errors, o, place.inMeta ? { ...next, defaults: false } : next);
  }
  for (const [k, v] of entries(s["properties"])) {
    const own = (place.root || s[EMBEDDED]) && OWN.includes(k);
    visit(
      v,
      property(path, k),
      errors,
      o,
      own ? { ...next, inMeta: true, defaults: next.defaults && !place.root } : next,
    );
  }
  for (const m of ["not", "items"]) if (isSchema(s[m])) visit(s[m], path.child(m), errors, o, next);
  for (const m of ["allOf", "oneOf", "anyOf", "items"]) {
    if (!Array.isArray(s[m])) continue;
    for (const [i, x] of s[m].entries()) visit(x, path.child(m).index(i), errors, o, next);
  }
  for (const m of ["definitions", "dependencies"]) {
    for (const [k, v] of entries(s[m])) visit(v, path.child(m).key(k), errors, o, next);
  }
  if (s[PRESERVE] === false) errors.invalid(path.child(PRESERVE), false, "must be true or undefined");
  mapType(s, path, errors);
  listType(s, path, errors, o);
  if (o.soundMaps) keyMembers(s, path, errors);
  for (const [i, r] of items(s[RULES]).entries()) rule(r, s, path.child(RULES).index(i), errors);
  if (errors.causes.length > before) place.unsound.add(s);
}

function forbiddenMembers(s: Tree, path: Path, errors: ErrorList, o: SchemaOptions, place: Place): void {
  const type: string = s["type"] ?? "",
    forbid = (m: string, why = "is not supported") => errors.forbidden(path.child(m), why);
  if (o.knownTypes && type && !TYPES.includes(type)) errors.notSupported(path.child("type"), type, TYPES);
  if (isSet(s["default"]) && !place.defaults) forbid("default", "must not be set here");
  if (s["id"]) forbid("id");
  if (isSet(s["additionalItems"])) forbid("additionalItems");
  for (const m of ["patternProperties", "definitions"]) if (!emptyMap(s[m])) forbid(m);
  for (const m of ["dependencies", "$ref"]) if (isSet(s[m])) forbid(m);
  if (type === "null") forbid("type", "must not be null, use nullable instead");
  if (count(Array.isArray(s["items"]) ? s["items"] : undefined)) forbid("items", "must be a schema, not a list");
  if (place.inMeta && s[EMBEDDED]) forbid(EMBEDDED, "must not be used inside of an object's own members");
}

/** The type that another member needs. */
function needsType(s: Tree, type: string, why: string, path: Path, errors: ErrorList): boolean {
  if (s["type"] === type) return true;
  if (s["type"]) errors.invalid(path.child("type"), s["type"], `must be ${type} with ${why}`);
  else errors.required(path.child("type"), `must be ${type} with ${why}`);
  return false;
}

function mapType(s: Tree, path: Path, errors: ErrorList): void {
  if (!isSet(s[MAP_TYPE])) return;
  needsType(s, "object", MAP_TYPE, path, errors);
  if (!MAP_TYPES.includes(s[MAP_TYPE])) errors.notSupported(path.child(MAP_TYPE), s[MAP_TYPE], MAP_TYPES);
}

/** Whether a list of type set has items that are not single values. */
export function hasLooseSet(s: Tree): boolean {
  const i = s["items"];
  if (s[LIST_TYPE] !== "set" || !isSchema(i)) return false;
  if (i["type"] === "array") return isSet(i[LIST_TYPE]) && i[LIST_TYPE] !== "atomic";
  return i["type"] === "object" && i[MAP_TYPE] !== "atomic";
}

function listType(s: Tree, path: Path, errors: ErrorList, o: SchemaOptions): void {
  const type = s[LIST_TYPE], keys = items<string>(s[LIST_KEYS]), at = path.child(LIST_TYPE);
  if (isSet(type)) {
    if (needsType(s, "array", LIST_TYPE, path, errors) && o.atomicSets && hasLooseSet(s)) {
      const member = s["items"]["type"] === "array" ? LIST_TYPE : MAP_TYPE;
      errors.invalid(path.child("items", member), s["items"][member], "must be atomic in a list of type set");
    }
    if (!LIST_TYPES.includes(type)) errors.notSupported(at, type, LIST_TYPES);
  }
  if (keys.length && type !== "map") {
    if (isSet(type)) errors.invalid(at, type, `must be map with ${LIST_KEYS}`);
    else errors.required(at, `must be map with ${LIST_KEYS}`);
  }
  if (type === "map") mapList(s, keys, path, errors);
}

function mapList(s: Tree, keys: readonly string[], path: Path, errors: ErrorList): void {
  const item = s["items"], at = path.child("items"), keysAt = path.child(LIST_KEYS);
  if (!keys.length) errors.required(keysAt, "must not be empty in a list of type map");
  if (!isSet(item)) return errors.required(at, "must have a schema in a list of type map");
  if (!isSchema(item)) return errors.invalid(at, item, "must be one schema in a list of type map");
  if (item["type"] !== "object") {
    return errors.invalid(at.child("type"), item["type"] ?? "", "must be object in a list of type map");
  }
  const again = repeats(keys);
  for (const [i, k] of keys.entries()) {
    const p = item["properties"]?.[k];
    if (!isSchema(p)) errors.invalid(keysAt, keys, "must be names of properties of items");
    else if (p["type"] === "array" || p["type"] === "object") {
      errors.invalid(property(at, k).child("type"), p["type"], "must be a scalar");
    }
    if (again.has(i)) errors.invalid(keysAt, keys, "must not have a key twice");
  }
}

/** Items of sets and maps are never null, and have their keys. */
export function keyMembers(s: Tree, path: Path, errors: ErrorList): void {
  const item = s["items"], at = path.child("items");
  if (!isSchema(item) || (s[LIST_TYPE] !== "set" && s[LIST_TYPE] !== "map")) return;
  if (item["nullable"]) errors.forbidden(at.child("nullable"), `must not be true in a list of type ${s[LIST_TYPE]}`);
  if (s[LIST_TYPE] !== "map") return;
  const required = new Set(items<string>(item["required"]));
  for (const k of items<string>(s[LIST_KEYS])) {
    const p = item["properties"]?.[k];
    if (!isSchema(p)) continue;
    if (!required.has(k) && !isSet(p["default"])) {
      errors.required(property(at, k).child("default"), "a key must have a default or be required");
    }
    if (p["nullable"]) errors.forbidden(property(at, k).child("nullable"), "must not be true of a key");
  }
}

const BREAK = /[\n\r]/;

/** A rule in expressions. Only its form is checked. */
function rule(r: Tree, s: Tree, path: Path, errors: ErrorList): void {
  const text: string = r["rule"] ?? "", message: string = r["message"] ?? "", place: string = r["fieldPath"] ?? "";
  const at = path.child("message");
  if (requiredExpression(text, path.child("rule"), errors)) {
    if (message && !message.trim()) errors.invalid(at, message, "must not be blank when it is set");
    else if (BREAK.test(message.trim())) errors.invalid(at, message, "must not have line breaks");
    else if (BREAK.test(text.trim()) && !message.trim()) errors.required(at, "needed when the rule has line breaks");
  }
  const expression: string = r["messageExpression"] ?? "";
  if (expression && !expression.trim()) {
    errors.required(path.child("messageExpression"), "must not be blank when it is set");
  }
  if (isSet(r["reason"]) && !REASONS.includes(r["reason"])) {
    errors.notSupported(path.child("reason"), r["reason"], REASONS);
  }
  if (!place) return;
  const where = path.child("fieldPath");
  if (!place.trim()) errors.invalid(where, place, "must not be blank when it is set");
  if (BREAK.test(place)) errors.invalid(where, place, "must not have line breaks");
  if (!fieldPath(place, s, true)) errors.invalid(where, place, "must be the path of a field of the schema");
}
