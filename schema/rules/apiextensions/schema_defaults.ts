/** Rules of defaults in schemas: each must be a good value of its own schema, without unknown fields. */
import { dns1035Label } from "../checks/formats.ts";
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";
import type { Tree } from "../tree.ts";
import { entries, hasDefault, isSchema, property } from "./schema_tree.ts";
import { schemaValue } from "./schema_value.ts";

const PRESERVE = "x-kubernetes-preserve-unknown-fields", EMBEDDED = "x-kubernetes-embedded-resource";
const OWN = ["metadata", "kind", "apiVersion"];

/** Checks the defaults of a structural schema. `whole`: the schema is of a whole object. */
export function defaults(s: Tree, path: Path, errors: ErrorList, whole: boolean): void {
  if (hasDefault(s)) {
    const at = path.child("default"), own = whole || s[EMBEDDED];
    if (hasUnknown(s["default"], own ? { ...s, [EMBEDDED]: true } : s)) {
      errors.invalid(at, s["default"], "must not have unknown fields");
    }
    const before = errors.causes.length;
    if (own && isSchema(s["default"])) objectMembers(s["default"], at, errors);
    if (errors.causes.length === before) schemaValue(s["default"], s, at, errors);
  }
  if (isSchema(s["items"])) defaults(s["items"], path.child("items"), errors, false);
  for (const [k, v] of entries(s["properties"])) defaults(v, property(path, k), errors, false);
}

/** A whole object says what it is. */
function objectMembers(value: Tree, path: Path, errors: ErrorList): void {
  for (const member of ["apiVersion", "kind"]) {
    const given = value[member], at = path.child(member);
    if (given === undefined) errors.required(at, "must not be empty");
    else if (typeof given !== "string") errors.invalid(at, given, "must be a string");
    else if (given === "") errors.invalid(at, given, "must not be empty");
    else if (member === "kind" && dns1035Label(given.toLowerCase()).length) {
      errors.invalid(at, given, "must be a kind's name");
    } else if (given.split("/").length > 2) errors.invalid(at, given, "must be a version of an API");
  }
}

/** Whether a value has a member that the schema does not tell of. */
function hasUnknown(value: unknown, s: Tree): boolean {
  if (s[PRESERVE] && !s["properties"]) return false;
  if (Array.isArray(value)) return isSchema(s["items"]) && value.some((v) => hasUnknown(v, s["items"]));
  if (typeof value !== "object" || value === null) return false;
  const more = s["additionalProperties"];
  return Object.entries(value).some(([k, v]) => {
    const p = s["properties"]?.[k] ?? (isSchema(more) ? more : undefined);
    if (isSchema(p)) return hasUnknown(v, p);
    return more !== true && !s[PRESERVE] && !(s[EMBEDDED] && OWN.includes(k));
  });
}
