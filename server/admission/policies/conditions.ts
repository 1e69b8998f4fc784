/** Conditions of policies: whether a request meets them. */
import { CelError, type Value } from "../../../schema/cel/mod.ts";
import type { Condition } from "./compiled.ts";
import { CONDITIONS, Overspent, Purse } from "./purse.ts";

/** What work gives, or what is to be done about an expression that has no value. */
export function attempt<T>(work: () => T, otherwise: (why: string) => T): T {
  try {
    return work();
  } catch (e) {
    if (!(e instanceof CelError)) throw e;
    return otherwise(e.message);
  }
}

/** Whether all conditions are met: one that is not decides, whatever goes wrong with others. A text is what went wrong. */
export function conditionsMet(conditions: readonly Condition[], values: Record<string, Value>): boolean | string {
  const purse = new Purse(CONDITIONS);
  let fault: string | undefined;
  try {
    for (const { name, program } of conditions) {
      const met = attempt<Value>(() => purse.run(program, values), (why) => {
        fault ??= `matchCondition '${name}' resulted in error: ${why}`;
        return true;
      });
      if (met !== true) return false;
    }
  } catch (e) {
    if (e instanceof Overspent) return e.message;
    throw e;
  }
  return fault ?? true;
}
