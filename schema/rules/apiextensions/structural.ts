/**
 * What makes a schema structural: every part of a value is told once, outside of the parts that only restrict values, and
 * has a type.
 */
import { compilePattern } from "../../customresources/patterns.ts";
import { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { count, emptyMap, isSet, items, same, type Tree } from "../tree.ts";
import { entries, isSchema, property } from "./schema_tree.ts";

/** Members that no structural schema has. */
const UNSUPPORTED = ["id", "$schema", "$ref", "patternProperties", "dependencies", "additionalItems", "definitions"];
const INT_OR_STRING = [{ type: "integer" }, { type: "string" }];
const PRESERVE = "x-kubernetes-preserve-unknown-fields", EMBEDDED = "x-kubernetes-embedded-resource";
const INT_OR = "x-kubernetes-int-or-string", RULES = "x-kubernetes-validations";

const given = (v: unknown): boolean =>
  isSet(v) && v !== "" && v !== false && (typeof v !== "object" || !emptyMap(v as object));

/** Why a schema cannot be structural at all; undefined: it can. */
export function unsupported(s: Tree): string | undefined {
  for (const m of UNSUPPORTED) {
    if (given(s[m]) || (m === "additionalItems" && isSet(s[m]))) return `${m} is not supported`;
  }
  if (Array.isArray(s["items"])) return "items must be a schema, not a list";
  if (s[PRESERVE] === false) return `${PRESERVE} must be true or undefined`;
  for (const m of ["items", "additionalProperties", "not"]) {
    const fault = isSchema(s[m]) ? unsupported(s[m]) : undefined;
    if (fault) return fault;
  }
  for (const m of ["allOf", "anyOf", "oneOf"]) {
    const fault = firstFault(items(s[m]));
    if (fault) return fault;
  }
  return firstFault(entries(s["properties"]).map(([, x]) => x));
}

function firstFault(list: readonly Tree[]): string | undefined {
  for (const s of list) {
    const fault = unsupported(s);
    if (fault) return fault;
  }
  return undefined;
}

type Level = "root" | "item" | "field";

/** Checks a schema that {@linkcode unsupported} finds nothing in. */
export function structural(s: Tree, path: Path, errors: ErrorList): void {
  invariants(s, "root", path, errors);
  complete(s, s, path, errors);
}

/** Whether a schema is structural. */
export function isStructural(s: Tree): boolean {
  if (unsupported(s)) return false;
  const found = new ErrorList();
  structural(s, Path.of("schema"), found);
  return found.empty;
}

function invariants(s: Tree, level: Level, path: Path, errors: ErrorList): void {
  const more = s["additionalProperties"], at = path.child("additionalProperties"), type: string = s["type"] ?? "";
  if (type === "array" && !s["items"]) errors.required(path.child("items"));
  if (isSchema(s["items"])) invariants(s["items"], "item", path.child("items"), errors);
  for (const [k, v] of entries(s["properties"])) invariants(v, "field", property(path, k), errors);
  if (isSet(more)) {
    if (level === "root") errors.forbidden(at, "must not be used at the root");
    if (isSchema(more)) invariants(more, "field", at, errors);
  }
  extensions(s, path, errors);
  valueRules(s, path, errors);
  if (s[EMBEDDED] && type !== "object") {
    if (type) errors.invalid(path.child("type"), type, `must be object with ${EMBEDDED}`);
    else errors.required(path.child("type"), `must be object with ${EMBEDDED}`);
  } else if (!type && !s[INT_OR] && !s[PRESERVE]) errors.required(path.child("type"), "must not be empty");
  if (s[EMBEDDED] && isSet(more)) errors.forbidden(at, `must not be used with ${EMBEDDED}`);
  if (level === "root" && type && type !== "object") {
    errors.invalid(path.child("type"), type, "must be object at the root");
  }
  metadata(s, level, path, errors);
}

function extensions(s: Tree, path: Path, errors: ErrorList): void {
  if (s[INT_OR]) {
    for (const m of [PRESERVE, EMBEDDED]) {
      if (s[m]) errors.invalid(path.child(m), true, `must not be set with ${INT_OR}`);
    }
  }
  if (s[EMBEDDED] && !s[PRESERVE] && emptyMap(s["properties"])) {
    errors.required(path.child("properties"), `must not be empty with ${EMBEDDED} and without ${PRESERVE}`);
  }
}

/** Members that say something even if they are empty. */
const KEPT = new Set(
  ["additionalProperties", "items", "not", "required", "x-kubernetes-list-map-keys", "x-kubernetes-list-type", RULES],
);

/** Schemas of an object's own members say nothing that is not true of every object. */
function metadata(s: Tree, level: Level, path: Path, errors: ErrorList): void {
  const own = level === "root" || s[EMBEDDED], p: Tree = s["properties"] ?? {};
  for (const m of own ? ["kind", "apiVersion"] : []) {
    if (isSchema(p[m]) && p[m]["type"] !== "string") {
      errors.invalid(property(path, m).child("type"), p[m]["type"] ?? "", "must be string");
    }
  }
  const meta = p["metadata"];
  if (!isSchema(meta)) return;
  const at = property(path, "metadata");
  if (own && meta["type"] !== "object") errors.invalid(at.child("type"), meta["type"] ?? "", "must be object");
  if (level !== "root") return;
  const { type: _type, default: _default, properties, ...rest } = meta;
  const names = Object.keys(properties ?? {}),
    said = Object.entries(rest).some(([m, v]) => given(v) || isSet(v) && KEPT.has(m));
  if (names.some((n) => n !== "name" && n !== "generateName") || said) {
    errors.forbidden(at, "must not restrict anything but name and generateName");
  }
}

/** Restrictions right at a schema that has a structure. */
function valueRules(s: Tree, path: Path, errors: ErrorList): void {
  const any = same(s["anyOf"], INT_OR_STRING), firstAny = same(items(s["allOf"])[0]?.["anyOf"], INT_OR_STRING);
  values(s, path, errors, any, firstAny);
}

function values(s: Tree, path: Path, errors: ErrorList, skipAny: boolean, skipFirstAny: boolean): void {
  for (const m of ["anyOf", "allOf", "oneOf"]) {
    if (m === "anyOf" && skipAny) continue;
    for (const [i, x] of items(s[m]).entries()) {
      nested(x, path.child(m).index(i), errors, m === "allOf" && skipFirstAny && i === 0);
    }
  }
  if (s["not"]) nested(s["not"], path.child("not"), errors, false);
  if (s["pattern"] && !compilePattern(s["pattern"])) {
    errors.invalid(path.child("pattern"), s["pattern"], "must be a regular expression");
  }
}

/** What only a structure may say. */
const STRUCTURE = [
  "type",
  "default",
  "title",
  "description",
  "nullable",
  PRESERVE,
  EMBEDDED,
  INT_OR,
  "x-kubernetes-list-map-keys",
  "x-kubernetes-list-type",
  "x-kubernetes-map-type",
  RULES,
];

/** A part that only restricts values. */
function nested(v: Tree, path: Path, errors: ErrorList, skipAny: boolean): void {
  values(v, path, errors, skipAny, false);
  if (isSchema(v["items"])) nested(v["items"], path.child("items"), errors, false);
  for (const [k, x] of entries(v["properties"])) nested(x, property(path, k), errors, false);
  for (const m of STRUCTURE) {
    const there = Array.isArray(v[m]) ? count(v[m]) > 0 : m === "default" ? isSet(v[m]) : given(v[m]);
    if (there) errors.forbidden(path.child(m), "must not be set here in a structural schema");
  }
  if (v["additionalProperties"]) {
    errors.forbidden(path.child("additionalProperties"), "must not be set here in a structural schema");
  }
  if (isSchema(v["properties"]?.metadata)) {
    errors.forbidden(property(path, "metadata"), "must not be restricted here");
  }
}

/** What the restrictions of a schema are about must have a structure. */
function complete(v: Tree, structure: Tree, at: Path, errors: ErrorList): void {
  for (const m of ["allOf", "anyOf", "oneOf"]) for (const x of items(v[m])) completePart(x, structure, at, errors);
  if (v["not"]) completePart(v["not"], structure, at, errors);
}

function completePart(v: Tree, structure: unknown, at: Path, errors: ErrorList): void {
  if (!isSchema(structure)) return errors.required(at, "must have a schema, since a restriction is about it");
  complete(v, structure, at, errors);
  if (isSchema(v["items"])) completePart(v["items"], structure["items"], at.child("items"), errors);
  for (const [k, x] of entries(v["properties"])) completePart(x, structure["properties"]?.[k], property(at, k), errors);
}
