/** Limits of what the rules of a definition's schemas may cost, told when the definition is written. */
import { plus, times } from "../../schema/cel/mod.ts";
import type { RuleCost, Schema } from "../../schema/customresources/mod.ts";
import type { ErrorList } from "../../schema/rules/errors.ts";
import type { Path } from "../../schema/rules/path.ts";

/** Most that one expression may cost for one object. */
const ONE = 10_000_000;
/** Most that all rules of a schema may cost together. */
const ALL = 100_000_000;
/** How many of the dearest rules are named, and from which part of the limit on. */
const NAMED = 4, SHARE = ALL / 100;

/** How often a node can occur in one object; undefined: nothing bounds it but the size of a request. */
export type Cardinality = number | undefined;

/** How often what is below a node can occur. */
export function cardinalityBelow(s: Schema, own: Cardinality): Cardinality {
  const bound = boundOf(s);
  return own === undefined || bound === undefined ? undefined : times(own, Math.max(0, Number(bound)));
}

function boundOf(s: Schema): number | undefined {
  if (s.type === "array") return s.maxItems;
  return s.type === "object" && s.additionalProperties !== undefined ? s.maxProperties : 1;
}

/** Sums up what rules of a schema cost. */
export class RuleBudget {
  #sum = 0;
  readonly #dear: { readonly path: Path; readonly cost: number }[] = [];

  /** `each`: each expression is held to its own limit, which it is not where a stored schema stays. */
  constructor(readonly errors: ErrorList, readonly each: boolean) {}

  /** Counts an expression of a node. */
  add({ index, member, cost: once, times: most }: RuleCost, at: Path, cardinality: Cardinality): void {
    const rule = member === "rule", cost = rule ? times(once, cardinality ?? most) : once;
    const path = at.child("x-kubernetes-validations").index(index).child(member);
    const what = rule ? "estimated rule cost" : "estimated messageExpression cost";
    if (this.each && cost > ONE) this.errors.forbidden(path, tooDear(what, cost / ONE));
    this.#sum = plus(this.#sum, cost);
    if (cost >= SHARE) this.#dear.push({ path, cost });
  }

  /** Refuses a schema whose rules are too dear together. `at`: where it stands. */
  close(at: Path): void {
    if (this.#sum <= ALL) return;
    for (const { path } of this.#dear.sort((a, b) => b.cost - a.cost).slice(0, NAMED)) {
      this.errors.forbidden(
        path,
        "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema",
      );
    }
    const what = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
    this.errors.forbidden(at, tooDear(what, this.#sum / ALL));
  }
}

function tooDear(what: string, factor: number): string {
  const text = factor > 100 ? "more than 100" : factor.toFixed(factor < 1.5 ? 6 : 1);
  return `${what} exceeds budget by factor of ${text}x (make the rule simpler, or set maxItems, maxProperties and ` +
    "maxLength where lists, maps and texts are declared)";
}
