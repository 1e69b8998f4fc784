/** Checks a value against a schema. Rules in expressions are left out. */
import type { ErrorList } from "../errors.ts";
import { ErrorList as Errors } from "../errors.ts";
import type { Path } from "../path.ts";
import { byteLength, isSet, items, same, type Tree } from "../tree.ts";
import { hasFormat } from "../../customresources/formats.ts";
import { entries, isSchema } from "./schema_tree.ts";

const TYPE_TESTS: Readonly<Record<string, (v: unknown) => boolean>> = {
  array: Array.isArray,
  boolean: (v) => typeof v === "boolean",
  integer: (v) => typeof v === "bigint" || Number.isInteger(v),
  number: (v) => typeof v === "number" || typeof v === "bigint",
  object: (v) => isSchema(v),
  string: (v) => typeof v === "string",
};

/** One cause for each thing that is wrong. */
export function schemaValue(value: unknown, s: Tree, path: Path, errors: ErrorList): void {
  if (value === null || value === undefined) {
    if (!s["nullable"]) errors.typeInvalid(path, value, `must be of type ${s["type"] ?? ""}`);
    return;
  }
  const number = typeof value === "number" || typeof value === "bigint";
  const single = !Array.isArray(value) && !isSchema(value), intOrString = s["x-kubernetes-int-or-string"];
  // A list or an object passes for a whole number or a text here, and fails when it is filled in.
  if (
    intOrString
      ? single && !TYPE_TESTS["integer"]!(value) && typeof value !== "string"
      : s["type"] && !TYPE_TESTS[s["type"]]?.(value)
  ) {
    return errors.typeInvalid(path, value, `must be of type ${intOrString ? "integer or string" : s["type"]}`);
  }
  if (items(s["enum"]).length && !s["enum"].some((e: unknown) => same(e, value))) {
    errors.notSupported(path, value, s["enum"].map(String));
  }
  if (number) numbers(Number(value), s, path, errors);
  if (typeof value === "string") text(value, s, path, errors);
  if (Array.isArray(value)) list(value, s, path, errors);
  else if (isSchema(value)) members(value, s, path, errors);
  combined(value, s, path, errors);
}

function numbers(n: number, s: Tree, path: Path, errors: ErrorList): void {
  const { minimum, maximum, multipleOf } = s;
  if (isSet(minimum) && (s["exclusiveMinimum"] ? n <= minimum : n < minimum)) {
    errors.invalid(path, n, `must be greater than ${s["exclusiveMinimum"] ? "" : "or equal to "}${minimum}`);
  }
  if (isSet(maximum) && (s["exclusiveMaximum"] ? n >= maximum : n > maximum)) {
    errors.invalid(path, n, `must be less than ${s["exclusiveMaximum"] ? "" : "or equal to "}${maximum}`);
  }
  if (isSet(multipleOf) && !(multipleOf > 0)) errors.invalid(path, n, `multipleOf must be positive: ${multipleOf}`);
  else if (isSet(multipleOf) && n % multipleOf !== 0) errors.invalid(path, n, `must be a multiple of ${multipleOf}`);
}

function text(value: string, s: Tree, path: Path, errors: ErrorList): void {
  const length = byteLength(value) === value.length ? value.length : [...value].length;
  if (isSet(s["maxLength"]) && length > s["maxLength"]) errors.tooLong(path, Number(s["maxLength"]));
  if (isSet(s["minLength"]) && length < s["minLength"]) {
    errors.invalid(path, value, `must be at least ${s["minLength"]} long`);
  }
  const format: string = s["format"] ?? "";
  if (format && !hasFormat(value, format)) errors.typeInvalid(path, value, `must be of type ${format}`);
  if (s["pattern"] && !matches(s["pattern"], value)) errors.invalid(path, value, `must match ${s["pattern"]}`);
}

function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    return true;
  }
}

function list(value: readonly unknown[], s: Tree, path: Path, errors: ErrorList): void {
  if (isSet(s["maxItems"]) && value.length > s["maxItems"]) errors.tooMany(path, value.length, Number(s["maxItems"]));
  if (isSet(s["minItems"]) && value.length < s["minItems"]) {
    errors.invalid(path, value.length, `must have at least ${s["minItems"]} items`);
  }
  if (isSchema(s["items"])) { for (const [i, v] of value.entries()) schemaValue(v, s["items"], path.index(i), errors); }
}

function members(value: Tree, s: Tree, path: Path, errors: ErrorList): void {
  const n = Object.keys(value).length, more = s["additionalProperties"];
  if (isSet(s["maxProperties"]) && n > s["maxProperties"]) errors.tooMany(path, n, Number(s["maxProperties"]));
  if (isSet(s["minProperties"]) && n < s["minProperties"]) {
    errors.invalid(path, n, `must have at least ${s["minProperties"]} properties`);
  }
  for (const r of items<string>(s["required"])) if (!isSet(value[r])) errors.required(path.child(r));
  for (const [k, p] of entries(s["properties"])) if (k in value) schemaValue(value[k], p, path.child(k), errors);
  if (!isSchema(more)) return;
  for (const k in value) if (!isSchema(s["properties"]?.[k])) schemaValue(value[k], more, path.child(k), errors);
}

const fits = (value: unknown, s: Tree, path: Path): boolean => {
  const found = new Errors();
  schemaValue(value, s, path, found);
  return found.empty;
};

function combined(value: unknown, s: Tree, path: Path, errors: ErrorList): void {
  for (const x of items(s["allOf"])) schemaValue(value, x, path, errors);
  if (items(s["anyOf"]).length && !s["anyOf"].some((x: Tree) => fits(value, x, path))) {
    errors.invalid(path, value, "must fit one of anyOf");
  }
  if (items(s["oneOf"]).length && s["oneOf"].filter((x: Tree) => fits(value, x, path)).length !== 1) {
    errors.invalid(path, value, "must fit exactly one of oneOf");
  }
  if (isSchema(s["not"]) && fits(value, s["not"], path)) errors.invalid(path, value, "must not fit not");
}
