/** Rules of names of custom resources, columns and other small parts. */
import { longer } from "../../values/utf8.ts";
import { dns1035Label } from "../checks/formats.ts";
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";
import { count, isSet, items, type Tree } from "../tree.ts";
import { fieldPath } from "./field_path.ts";

/** A label, all faults being one cause. `shown`: the text as it was given. */
export function label(text: string, path: Path, errors: ErrorList, shown = text): void {
  const faults = dns1035Label(text);
  if (faults.length) errors.invalid(path, shown, faults.join(", "));
}

/** Names: good where they are given. */
export function names(n: Tree, path: Path, errors: ErrorList): void {
  for (const m of ["plural", "singular"]) if (n[m]) label(n[m], path.child(m), errors);
  for (const m of ["kind", "listKind"]) if (n[m]) label(n[m].toLowerCase(), path.child(m), errors, n[m]);
  for (const [i, s] of items<string>(n["shortNames"]).entries()) label(s, path.child("shortNames").index(i), errors);
  if (n["kind"] && n["kind"] === n["listKind"]) {
    errors.invalid(path.child("listKind"), n["listKind"], "must not be the same as kind");
  }
  for (const [i, s] of items<string>(n["categories"]).entries()) label(s, path.child("categories").index(i), errors);
}

const COLUMN_TYPES = ["boolean", "date", "integer", "number", "string"];
const COLUMN_FORMATS = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];

function simplePath(text: string, path: Path, errors: ErrorList): boolean {
  if (text.startsWith(".")) return true;
  errors.invalid(path, text, "must be a simple JSONPath that starts with '.'");
  return false;
}

/** Columns of tables. */
export function columns(list: readonly Tree[] | undefined, path: Path, errors: ErrorList): void {
  for (const [i, c] of items(list).entries()) {
    const at = path.index(i), type: string = c["type"] ?? "", format: string = c["format"] ?? "";
    if (!c["name"]) errors.required(at.child("name"));
    if (!type) errors.required(at.child("type"), `must be one of ${COLUMN_TYPES.join(", ")}`);
    else if (!COLUMN_TYPES.includes(type)) {
      errors.invalid(at.child("type"), type, `must be one of ${COLUMN_TYPES.join(", ")}`);
    }
    if (format && !COLUMN_FORMATS.includes(format)) {
      errors.invalid(at.child("format"), format, `must be one of ${COLUMN_FORMATS.join(", ")}`);
    }
    if (!c["jsonPath"]) errors.required(at.child("JSONPath"));
    else simplePath(c["jsonPath"], at.child("JSONPath"), errors);
  }
}

/** Where a scale's numbers stand, and below which members they may. */
const SCALE_PATHS = [
  ["specReplicasPath", [".spec."], true],
  ["statusReplicasPath", [".status."], true],
  ["labelSelectorPath", [".spec.", ".status."], false],
] as const;

/** Subresources of a version. */
export function subresources(s: Tree | undefined, path: Path, errors: ErrorList): void {
  const scale = s?.["scale"];
  if (!scale) return;
  for (const [member, under, needed] of SCALE_PATHS) {
    const text: string = scale[member] ?? "", at = path.child(`scale.${member}`);
    if (!text) {
      if (needed) errors.required(at);
    } else if (simplePath(text, at, errors) && !under.some((u) => text.startsWith(u))) {
      errors.invalid(at, text, `must be a path below ${under.join(" or ")}`);
    }
  }
}

const MAX_SELECTABLE = 8, SELECTABLE = ["string", "boolean", "integer"];

/** Fields that clients may select objects by. `many`: more of them than usual are forgiven. */
export function selectableFields(
  list: readonly Tree[],
  schema: Tree,
  path: Path,
  errors: ErrorList,
  many: boolean,
): void {
  const seen = new Set<string>();
  for (const [i, f] of list.entries()) {
    const text: string = f["jsonPath"] ?? "", at = path.index(i).child("jsonPath");
    const found = text ? fieldPath(text, schema, false) : undefined;
    if (!text) errors.required(at);
    else if (!found) errors.invalid(at, text, "must be the path of a field of the schema");
    else {
      const key = found.steps.join(".");
      if (found.steps[0] === "metadata") errors.invalid(at, text, "must not be a field of metadata");
      if (!SELECTABLE.includes(found.schema["type"])) {
        errors.invalid(at, text, `must be of type ${SELECTABLE.join(", ")}`);
      }
      if (seen.has(key)) errors.duplicate(at, text);
      seen.add(key);
    }
  }
  if (seen.size > MAX_SELECTABLE && !many) errors.tooMany(path, seen.size, MAX_SELECTABLE);
}

/** What clients of a version are told. */
export function deprecation(v: Tree, path: Path, errors: ErrorList): void {
  const text = v["deprecationWarning"], at = path.child("deprecationWarning");
  if (!isSet(text)) return;
  if (!v["deprecated"]) return errors.invalid(at, text, "must not be set unless the version is deprecated");
  if (longer(text, 256)) errors.invalid(at, text, "must be no more than 256 bytes");
  if (!text) errors.invalid(at, text, "must not be empty");
  if (/[^\P{C}]|[^\S ]/u.test(text)) errors.invalid(at, text, "must consist of printable characters");
}

/** Number of selectable fields. */
export const selectableCount = (v: Tree): number => count(v["selectableFields"]);
