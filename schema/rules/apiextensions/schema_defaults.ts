/** Rules of defaults in schemas: each must be a good value of its own schema, without unknown fields. */
import { copyTree } from "../../values/copy.ts";
import { validateEmbeddedPart } from "../../customresources/embedded.ts";
import { hasUnknown } from "../../customresources/prune.ts";
import type { Schema } from "../../customresources/schema.ts";
import { validateSchema } from "../../customresources/validate.ts";
import type { Json, JsonMap } from "../../model/types.ts";
import { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import type { Tree } from "../tree.ts";
import { anySchema, entries, hasDefault, isSchema, property } from "./schema_tree.ts";

const EMBEDDED = "x-kubernetes-embedded-resource";
const OWN = new Set(["metadata", "kind", "apiVersion"]);

/** An object around a value: what stands between is made up. */
type Around = (v: Json) => Json;
const WHOLE: Around = (v) => ({ kind: "Validation", apiVersion: "validation/v1", ...(v as JsonMap) });

/** The object that a schema stands in: its own schema, and whether the schema is of its type or metadata. */
interface Holder {
  readonly schema: Tree;
  readonly own: boolean;
  readonly around: Around;
}

/** Checks the defaults of a structural schema. `whole`: the schema is of a whole object. */
export function defaults(s: Tree, path: Path, errors: ErrorList, whole: boolean): void {
  visit(whole ? { ...s, [EMBEDDED]: true } : s, path, errors, { schema: s, own: false, around: WHOLE });
}

function visit(s: Tree, path: Path, errors: ErrorList, outer: Holder): void {
  const holder = s[EMBEDDED] ? { schema: s, own: false, around: WHOLE } : outer;
  if (hasDefault(s)) oneDefault(s, path.child("default"), errors, holder);
  if (isSchema(s["items"])) {
    visit(s["items"], path.child("items"), errors, { ...holder, around: (v) => holder.around([v]) });
  }
  for (const [k, v] of entries(s["properties"])) {
    const own = holder.own || (!!s[EMBEDDED] && OWN.has(k));
    visit(v, property(path, k), errors, { ...holder, own, around: (x) => holder.around({ [k]: x }) });
  }
}

function oneDefault(s: Tree, at: Path, errors: ErrorList, holder: Holder): void {
  const value: Json = s["default"], schema = s as Schema;
  if (!holder.own && hasUnknown(value, schema)) errors.invalid(at, value, "must not have unknown fields");
  const before = errors.causes.length;
  if (holder.own) {
    const found = new ErrorList(), whole = { ...holder.schema, [EMBEDDED]: true } as Schema;
    validateEmbeddedPart(holder.around(value), whole, NOWHERE, found);
    if (!found.empty) errors.invalid(at, value, `must result in valid metadata: ${found.causes[0]!.message}`);
  } else validateEmbeddedPart(value, schema, at, errors);
  if (errors.causes.length === before) validateSchema(value, anyType(schema), String(at), errors);
}

const INT_OR_STRING = "x-kubernetes-int-or-string";

/** The schema that defaults are held to: whether a value is a number or a text is not asked here. */
function anyType(s: Schema): Schema {
  if (!anySchema(s, (x) => !!x[INT_OR_STRING])) return s;
  const free = copyTree(s);
  anySchema(free, (x) => !delete x[INT_OR_STRING]);
  return free;
}

const NOWHERE = Path.of("object");
