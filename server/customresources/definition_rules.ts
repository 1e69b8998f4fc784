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
import { validateDefinition } from "../../schema/rules/apiextensions/definition.ts";
import type { Expressions } from "../../schema/rules/apiextensions/definition_spec.ts";
import type { ErrorList } from "../../schema/rules/errors.ts";
import { rulesFor } from "../../schema/rules/mod.ts";
import type { Path } from "../../schema/rules/path.ts";
import type { Tree } from "../../schema/rules/tree.ts";
import type { KindRules, ValidateContext } from "../../schema/rules/types.ts";
import { DEFINITIONS } from "./definition.ts";
import { type Cardinality, cardinalityBelow, RuleBudget } from "./rule_costs.ts";

/** The rules of definitions. */
export function definitionRules(): KindRules {
  return {
    ...rulesFor(DEFINITIONS),
    validate: (obj, errors, ctx, old) => validateDefinition(obj, errors, ctx, old, expressions(ctx)),
  };
}

/** Checks of expressions. */
const expressions = ({ expressionTimes }: ValidateContext): Expressions => ({
  defaults: (s, path, form, errors) => void defaultRules(s, path, { root: true, left: DEFAULTS_BUDGET, form }, errors),
  rules(s, path, unsound, kept, errors) {
    // What a version has already stays, whatever it says, as long as all rules together are not too dear.
    const budget = new RuleBudget(errors, !kept);
    const look = () => visit(s, path, { root: true, untold: undefined, cardinality: 1, budget, unsound }, errors);
    if (expressionTimes) expressionTimes.compiled(look);
    else look();
    budget.close(path);
  },
});

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
  /** The list around it of which items cannot be found again. */
  readonly untold: Path | undefined;
  readonly cardinality: Cardinality;
  readonly budget: RuleBudget;
  /** Schemas whose rules are not looked at: something else is wrong there or below. */
  readonly unsound: ReadonlySet<Tree>;
}

function visit(s: Schema, path: Path, place: Place, errors: ErrorList): void {
  const inner = { ...place, root: false, cardinality: cardinalityBelow(s, place.cardinality) };
  if (typeof s.additionalProperties === "object") {
    visit(s.additionalProperties, path.child("additionalProperties"), inner, errors);
  }
  for (const [name, part] of Object.entries(s.properties ?? {})) {
    visit(part, path.child("properties").key(name), inner, errors);
  }
  const item = { ...inner, untold: s["x-kubernetes-list-type"] === "map" ? place.untold : place.untold ?? path };
  if (s.items) visit(s.items, path.child("items"), item, errors);
  if (!place.unsound.has(s)) rules(s, path, place, errors);
}

/** Tells of the rules of one node, one after the other: what each costs, and what is wrong with it. */
function rules(s: Schema, path: Path, { root, untold, cardinality, budget }: Place, errors: ErrorList): void {
  if (isBlind(s, root)) errors.internal(path.child("x-kubernetes-validations"), "the schema has no type to look at");
  const told = [
    ...ruleCosts(s, root).map((c) => ({ index: c.index, tell: () => budget.add(c, path, cardinality) })),
    ...ruleFaults(s, root, untold).map((f) => ({ index: f.index, tell: () => report(f, path, errors) })),
  ];
  for (const { tell } of told.sort((a, b) => a.index - b.index)) tell();
}

function report(f: RuleFault, path: Path, errors: ErrorList): void {
  errors.invalid(path.child("x-kubernetes-validations").index(f.index).child(f.member), f.value, f.text);
}
