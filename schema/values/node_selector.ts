/** Node selectors: terms of which one must match; a term without requirements matches nothing. */
import { type LabelOperator, type Labels, matches } from "./labels.ts";

/** One expression, as JSON holds it. */
export interface NodeRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[] | null;
}

/** One term, as JSON holds it. */
export interface NodeTerm {
  readonly matchExpressions?: readonly NodeRequirement[] | null;
  readonly matchFields?: readonly NodeRequirement[] | null;
}

const OPERATORS: Readonly<Record<string, LabelOperator>> = {
  In: "in",
  NotIn: "notin",
  Exists: "exists",
  DoesNotExist: "!",
  Gt: ">",
  Lt: "<",
};
/** The one field of a node that is asked for. */
const NAME = "metadata.name";

function holds({ key, operator, values }: NodeRequirement, labels: Labels): boolean {
  return Object.hasOwn(OPERATORS, operator) &&
    matches([{ key, operator: OPERATORS[operator]!, values: values ?? [] }], labels);
}

/** Whether a node of these labels and this name is one that the terms mean. */
export function meansNode(
  terms: readonly NodeTerm[] | undefined | null,
  labels: Labels,
  name: string | undefined,
): boolean {
  const fields = name === undefined ? {} : { [NAME]: name };
  return (terms ?? []).some(({ matchExpressions, matchFields }) => {
    const byLabel = matchExpressions ?? [], byField = matchFields ?? [];
    return byLabel.length + byField.length > 0 && byLabel.every((r) => holds(r, labels)) &&
      byField.every((r) => r.key === NAME && holds(r, fields));
  });
}
