/** Conditions of policies: whether a request meets them. */
import { CelError, type Value } from "../../../schema/cel/mod.ts";
import type { Condition } from "./compiled.ts";

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
  let fault: string | undefined;
  for (const { name, program } of conditions) {
    const met = attempt<Value>(() => program.run(values), (why) => {
      fault ??= `matchCondition '${name}' resulted in error: ${why}`;
      return true;
    });
    if (met !== true) return false;
  }
  return fault ?? true;
}
