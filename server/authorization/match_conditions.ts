/** Conditions of authorization webhooks: which requests they are asked about at all. */
import { BOOL, CelError, compile, type Program } from "../../schema/cel/mod.ts";
import { celValue } from "../../schema/customresources/cel_types.ts";
import type { JsonMap } from "../../schema/model/types.ts";
import { ACCESS_ENVIRONMENT } from "../../schema/rules/checks/cel_environments.ts";

/** A condition, ready to be evaluated. @throws CelError that says what is wrong with the expression */
export const conditionOf = (expression: string): Program => compile(expression, ACCESS_ENVIRONMENT, BOOL);

const WHO: JsonMap = { user: "", uid: "", groups: [], extra: {} };
const RESOURCE: JsonMap = { namespace: "", verb: "", group: "", version: "", resource: "", subresource: "", name: "" };
const PATH: JsonMap = { path: "", verb: "" };

/** The spec of a review as expressions see it: its texts are there though empty. */
function shown({ resourceAttributes, nonResourceAttributes, ...who }: JsonMap): JsonMap {
  return {
    ...WHO,
    ...who,
    ...(resourceAttributes ? { resourceAttributes: { ...RESOURCE, ...resourceAttributes as JsonMap } } : {}),
    ...(nonResourceAttributes ? { nonResourceAttributes: { ...PATH, ...nonResourceAttributes as JsonMap } } : {}),
  };
}

/**
 * Whether the spec of a review (`v1`) meets all conditions: one that it does not meet decides, whatever goes wrong with others.
 * @throws CelError of the first that has no value, when it meets all others
 */
export function meetsAll(conditions: readonly Program[], spec: JsonMap): boolean {
  const values = { request: celValue(shown(spec), undefined) };
  let fault: CelError | undefined;
  for (const program of conditions) {
    try {
      if (program.run(values) !== true) return false;
    } catch (e) {
      if (!(e instanceof CelError)) throw e;
      fault ??= e;
    }
  }
  if (fault) throw fault;
  return true;
}
