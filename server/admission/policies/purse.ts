/** What expressions of one policy may cost together, for one object. */
import type { Program, Spent, Value } from "../../../schema/cel/mod.ts";
import { takeVariablesCost } from "./values.ts";

/** Most that validations and their messages cost together, and as much again for annotations. */
export const EXPRESSIONS = 10_000_000;
/** Most that conditions cost together. */
export const CONDITIONS = 2_500_000;

/** That expressions cost more than they may together. */
export class Overspent extends Error {
  constructor() {
    super("validation failed due to running out of cost budget, no further validation rules will be run");
  }
}

/** Evaluates expressions for as long as there is something left. */
export class Purse {
  constructor(private left: number) {}

  /** @throws Overspent, and what evaluation throws */
  run(program: Program, values: Record<string, Value>): Value {
    const spent: Spent = { cost: 0 };
    let value: Value;
    try {
      value = program.run(values, spent);
    } catch (e) {
      // That all is spent goes before whatever is wrong with the expression.
      this.#pay(spent, values);
      throw e;
    }
    this.#pay(spent, values);
    return value;
  }

  #pay(spent: Spent, values: Record<string, Value>): void {
    this.left -= spent.cost + takeVariablesCost(values);
    if (this.left < 0) throw new Overspent();
  }
}
