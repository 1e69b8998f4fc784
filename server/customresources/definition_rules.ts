/** Rules of definitions beyond their form: expressions in their schemas must compile. */
import { type RuleFault, ruleFaults, type Schema } from "../../schema/customresources/mod.ts";
import type { Obj } from "../../schema/model/types.ts";
import type { ErrorList } from "../../schema/rules/errors.ts";
import { rulesFor } from "../../schema/rules/mod.ts";
import { Path } from "../../schema/rules/path.ts";
import { same } from "../../schema/rules/tree.ts";
import type { KindRules } from "../../schema/rules/types.ts";
import { type Definition, DEFINITIONS, type Version } from "./definition.ts";

/** The rules of definitions. */
export function definitionRules(): KindRules {
  const form = rulesFor(DEFINITIONS) ?? {};
  return {
    ...form,
    validate(obj, errors, ctx, old) {
      form.validate?.(obj, errors, ctx, old);
      if (errors.empty) expressions(obj, old, errors);
    },
  };
}

/** Schemas of a definition, and where causes place them: one that all versions share stands at the spec. */
function schemasOf(d: Definition): (readonly [Schema, Path])[] {
  const all = d.spec.versions.map((v: Version) => v.schema?.openAPIV3Schema as Schema | undefined);
  const [first] = all;
  if (first && all.every((s) => same(s, first))) return [[first, Path.of("spec", "validation", "openAPIV3Schema")]];
  const versions = Path.of("spec", "versions");
  return all.flatMap((s, i) => s ? [[s, versions.index(i).child("schema", "openAPIV3Schema")] as const] : []);
}

function expressions(obj: Obj, old: Obj | undefined, errors: ErrorList): void {
  const before = old ? schemasOf(old as Definition).map(([s]) => s) : [];
  for (const [schema, path] of schemasOf(obj as Definition)) {
    // What is stored stays, whatever it says.
    if (!before.some((s) => same(s, schema))) visit(schema, path, { root: true, untold: false }, errors);
  }
}

/** Where a node is. `untold`: below what is replaced as a whole, where old values cannot be found again. */
interface Place {
  readonly root: boolean;
  readonly untold: boolean;
}

function visit(s: Schema, path: Path, { root, untold }: Place, errors: ErrorList): void {
  for (const f of ruleFaults(s, root, untold)) report(f, path, errors);
  const member = { root: false, untold: untold || s["x-kubernetes-map-type"] === "atomic" };
  for (const [name, part] of Object.entries(s.properties ?? {})) {
    visit(part, path.child("properties").key(name), member, errors);
  }
  if (typeof s.additionalProperties === "object") {
    visit(s.additionalProperties, path.child("additionalProperties"), member, errors);
  }
  const item = { root: false, untold: untold || s["x-kubernetes-list-type"] !== "map" };
  if (s.items) visit(s.items, path.child("items"), item, errors);
}

function report(f: RuleFault, path: Path, errors: ErrorList): void {
  errors.invalid(path.child("x-kubernetes-validations").index(f.index).child(f.member), f.value, f.text);
}
