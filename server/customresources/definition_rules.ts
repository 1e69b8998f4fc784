/** Rules of definitions beyond their form: expressions in their schemas must compile, and not cost too much. */
import {
  hasRules,
  isBlind,
  ruleCosts,
  type RuleFault,
  ruleFaults,
  type Schema,
  validateDefaultRules,
} from "../../schema/customresources/mod.ts";
import type { Obj } from "../../schema/model/types.ts";
import { defaults } from "../../schema/rules/apiextensions/schema_defaults.ts";
import { isStructural } from "../../schema/rules/apiextensions/structural.ts";
import { ErrorList } from "../../schema/rules/errors.ts";
import { rulesFor } from "../../schema/rules/mod.ts";
import { Path } from "../../schema/rules/path.ts";
import { items, same, type Tree } from "../../schema/rules/tree.ts";
import type { KindRules } from "../../schema/rules/types.ts";
import { type Definition, DEFINITIONS, type Version } from "./definition.ts";
import { type Cardinality, cardinalityBelow, RuleBudget } from "./rule_costs.ts";

/** The rules of definitions. */
export function definitionRules(): KindRules {
  const form = rulesFor(DEFINITIONS) ?? {};
  return {
    ...form,
    validate(obj, errors, ctx, old) {
      form.validate?.(obj, errors, ctx, old);
      expressions(obj, old, errors);
    },
  };
}

/** Schemas of a definition, and where causes place them: one that all versions share stands at the spec. */
function schemasOf(d: Definition): (readonly [Schema, Path])[] {
  const all = items<Version>(d.spec?.versions).map((v) => v.schema?.openAPIV3Schema as Schema | undefined);
  const [first] = all;
  if (first && all.every((s) => same(s, first))) return [[first, Path.of("spec", "validation", "openAPIV3Schema")]];
  const versions = Path.of("spec", "versions");
  return all.flatMap((s, i) => s ? [[s, versions.index(i).child("schema", "openAPIV3Schema")] as const] : []);
}

function expressions(obj: Obj, old: Obj | undefined, errors: ErrorList): void {
  const before = old ? schemasOf(old as Definition).map(([s]) => s) : [];
  for (const [schema, path] of schemasOf(obj as Definition)) {
    const known = errors.causes.map((c) => c.field ?? "");
    if (!isStructural(schema as Tree) || !defaultsHold(schema, path, errors)) continue;
    // What is stored stays, whatever it says, as long as all rules together are no worse.
    const budget = new RuleBudget(errors, !before.some((s) => same(s, schema)));
    visit(schema, path, { root: true, untold: false, cardinality: 1, budget, known }, errors);
    budget.close(path);
  }
}

/** Whether all defaults of a structural schema are good values, also by the rules that hold there. */
function defaultsHold(s: Schema, path: Path, errors: ErrorList): boolean {
  const form = new ErrorList(), found = new ErrorList();
  defaults(s as Tree, path, form, true);
  defaultRules(s, path, { root: true, left: DEFAULTS_BUDGET, form }, found);
  errors.take(found.causes);
  return form.empty && found.empty;
}

/** What the rules may cost on all defaults of a schema. */
const DEFAULTS_BUDGET = 10_000_000;

/** Checks the defaults at and below a node, those that are of their form, and returns what is left of the budget. */
function defaultRules(
  s: Schema,
  path: Path,
  { root, left, form }: { root: boolean; left: number; form: ErrorList },
  errors: ErrorList,
): number {
  const at = path.child("default"), v = s.default ?? null;
  let rest = left;
  if (v !== null && hasRules(s) && !form.causes.some((c) => within(c.field ?? "", String(at)))) {
    rest = validateDefaultRules(v, s, root || s["x-kubernetes-embedded-resource"] === true, at, rest, errors);
  }
  const parts: [Schema, Path][] = Object.entries(s.properties ?? {})
    .map(([name, part]) => [part, path.child("properties").key(name)]);
  if (s.items) parts.unshift([s.items, path.child("items")]);
  for (const [part, place] of parts) {
    if (rest < 0) return rest;
    rest = defaultRules(part, place, { root: false, left: rest, form }, errors);
  }
  return rest;
}

const within = (field: string, place: string): boolean =>
  field.startsWith(place) && (field.length === place.length || ".[".includes(field[place.length]!));

/** Where a node is. */
interface Place {
  readonly root: boolean;
  /** Below what is replaced as a whole, where old values cannot be found again. */
  readonly untold: boolean;
  readonly cardinality: Cardinality;
  readonly budget: RuleBudget;
  /** Where the form of the schema is at fault: rules there, and of what holds it, are not looked at. */
  readonly known: readonly string[];
}

function visit(s: Schema, path: Path, place: Place, errors: ErrorList): void {
  const { root, untold, cardinality, budget, known } = place;
  if (!known.some((field) => within(field, String(path)))) {
    if (isBlind(s, root)) errors.internal(path.child("x-kubernetes-validations"), "the schema has no type to look at");
    for (const f of ruleFaults(s, root, untold)) report(f, path, errors);
    budget.add(ruleCosts(s, root), path, cardinality);
  }
  const inner = { ...place, root: false, cardinality: cardinalityBelow(s, cardinality) };
  for (const [name, part] of Object.entries(s.properties ?? {})) {
    visit(part, path.child("properties").key(name), inner, errors);
  }
  if (typeof s.additionalProperties === "object") {
    visit(s.additionalProperties, path.child("additionalProperties"), inner, errors);
  }
  const item = { ...inner, untold: untold || s["x-kubernetes-list-type"] !== "map" };
  if (s.items) visit(s.items, path.child("items"), item, errors);
}

function report(f: RuleFault, path: Path, errors: ErrorList): void {
  errors.invalid(path.child("x-kubernetes-validations").index(f.index).child(f.member), f.value, f.text);
}
