/** Conditions of policies and webhooks: whether a request meets them. */
import { BOOL, CelError, compile, type Program, type Value } from "../../../schema/cel/mod.ts";
import type { Environment } from "../../../schema/rules/checks/cel_environments.ts";
import { items, type Tree } from "../../../schema/rules/tree.ts";
import { aggregateText } from "../../../schema/values/aggregate_text.ts";
import { faultOf, programOf } from "./expressions.ts";
import { CONDITIONS, Overspent, Purse } from "./purse.ts";

/** A condition that a request must meet. */
export interface Condition {
  readonly expression: string;
  readonly program: Program;
}

/** Conditions (`matchConditions`), compiled. */
export function conditionsOf(conditions: Tree[] | undefined, env: Environment): readonly Condition[] {
  return items(conditions).map(({ expression = "" }) => ({
    expression,
    program: programOf(expression, (text) => compile(text, env, BOOL)),
  }));
}

/** What conditions say of a request. */
export interface Judgement {
  /** One is not met, which decides whatever goes wrong with others. */
  readonly excluded: boolean;
  readonly faults: readonly string[];
  /** How many could not be evaluated: of faults those that are not of all of them together. */
  readonly errors: number;
}

/** Evaluates conditions, until one is not met. */
export function judge(conditions: readonly Condition[], values: Record<string, Value>): Judgement {
  const faults: string[] = [], purse = new Purse(CONDITIONS);
  for (const { expression, program } of conditions) {
    try {
      if (purse.run(program, values) !== true) return { faults, excluded: true, errors: faults.length };
    } catch (e) {
      if (e instanceof Overspent) return { faults: [e.message], excluded: false, errors: 0 };
      if (!(e instanceof CelError)) throw e;
      faults.push(faultOf(expression, e));
    }
  }
  return { faults, excluded: false, errors: faults.length };
}

/** Whether all conditions are met. A text is what went wrong. */
export function met({ excluded, faults }: Judgement): boolean | string {
  return faults.length > 0 && !excluded ? aggregateText(faults) : !excluded;
}
