/** Rules of defaults in schemas: each must be a good value of its own schema, without unknown fields. */
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";
import type { Tree } from "../tree.ts";
import { entries, hasDefault, isSchema, property } from "./schema_tree.ts";
import { schemaValue } from "./schema_value.ts";

const PRESERVE = "x-kubernetes-preserve-unknown-fields", EMBEDDED = "x-kubernetes-embedded-resource";
const OWN = ["metadata", "kind", "apiVersion"];

/** Checks the defaults of a structural schema. */
export function defaults(s: Tree, path: Path, errors: ErrorList): void {
  if (hasDefault(s)) {
    if (hasUnknown(s["default"], s)) {
      errors.invalid(path.child("default"), s["default"], "must not have unknown fields");
    }
    schemaValue(s["default"], s, path.child("default"), errors);
  }
  if (isSchema(s["items"])) defaults(s["items"], path.child("items"), errors);
  for (const [k, v] of entries(s["properties"])) defaults(v, property(path, k), errors);
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
