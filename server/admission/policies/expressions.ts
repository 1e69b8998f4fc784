/** Expressions as policies and webhooks hold them: one that does not compile says so when it is evaluated, and spoils no other. */
import { CelError, compileFault, DYN, type Program } from "../../../schema/cel/mod.ts";

/** That an expression does not compile. */
export class Uncompiled extends CelError {}

/** A program; of what does not compile one that fails with {@linkcode Uncompiled}. */
export function programOf(expression: string, compiled: (expression: string) => Program): Program {
  try {
    return compiled(expression);
  } catch (e) {
    if (!(e instanceof CelError)) throw e;
    return failing(new Uncompiled(compileFault(expression, e)));
  }
}

function failing(fault: CelError): Program {
  return {
    type: DYN,
    uses: new Set(),
    costAtMost: () => 0,
    run: () => {
      throw fault;
    },
  };
}

/** What is said of an expression that has no value. */
export function faultOf(expression: string, e: CelError): string {
  if (e instanceof Uncompiled) return `compilation error: ${e.message}`;
  return `expression '${expression.trim()}' resulted in error: ${e.message}`;
}
