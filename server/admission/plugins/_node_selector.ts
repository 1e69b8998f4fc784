/** Node selectors: terms of which one must match; a term without requirements matches nothing. */
import type { Obj } from "../../../schema/model/types.ts";
import { items, type Tree } from "../../../schema/rules/tree.ts";

type Test = (value: string | undefined, values: readonly string[]) => boolean;

const whole = (text: string | undefined): bigint | undefined =>
  text !== undefined && /^[+-]?\d+$/.test(text) ? BigInt(text.replace("+", "")) : undefined;
const compare = (value: string | undefined, bound: string | undefined, greater: boolean): boolean => {
  const a = whole(value), b = whole(bound);
  return a !== undefined && b !== undefined && (greater ? a > b : a < b);
};

const TESTS: Readonly<Record<string, Test>> = {
  In: (v, values) => v !== undefined && values.includes(v),
  NotIn: (v, values) => v === undefined || !values.includes(v),
  Exists: (v) => v !== undefined,
  DoesNotExist: (v) => v === undefined,
  Gt: (v, values) => compare(v, values[0], true),
  Lt: (v, values) => compare(v, values[0], false),
};

const holds = (r: Tree, value: string | undefined): boolean =>
  TESTS[r["operator"]]?.(value, items<string>(r["values"])) ?? false;

/** Whether a node is one that a selector means. */
export function nodeMatches(selector: Tree, node: Obj): boolean {
  return items<Tree>(selector["nodeSelectorTerms"]).some((term) => {
    const labels = items<Tree>(term["matchExpressions"]), fields = items<Tree>(term["matchFields"]);
    return labels.length + fields.length > 0 && labels.every((r) => holds(r, node.metadata.labels?.[r["key"]])) &&
      fields.every((r) => r["key"] === "metadata.name" && holds(r, node.metadata.name));
  });
}
