/** Evaluation of one policy for one request, with one parameter. */
import type { Value } from "../../../schema/cel/mod.ts";
import { byteLength } from "../../../schema/rules/tree.ts";
import type { CompiledPolicy, Validation } from "./compiled.ts";
import { attempt, conditionsMet } from "./conditions.ts";
import { EXPRESSIONS, Overspent, Purse } from "./purse.ts";

/** Longest message that an expression may give, bytes. */
const MAX_MESSAGE = 5 * 1024;
/** Longest value of an audit annotation, characters. */
const MAX_ANNOTATION = 10 * 1024;

/** What a policy has against a request. */
export interface Complaint {
  /** Index of the validation. */
  readonly index: number;
  readonly message: string;
  readonly reason: string;
}

/** What came of a policy. */
export interface Verdict {
  readonly complaints: readonly Complaint[];
  /** Faults of audit annotations: they refuse the request whatever the binding says. */
  readonly faults: readonly string[];
  readonly annotations: readonly (readonly [key: string, value: string])[];
}

const NOTHING: Verdict = { complaints: [], faults: [], annotations: [] };

/** Evaluates a policy. Errors count as complaints when the policy fails on them. */
export function evaluatePolicy(policy: CompiledPolicy, values: Record<string, Value>): Verdict {
  const failed = (index: number, message: string): readonly Complaint[] =>
    policy.fails ? [{ index, message, reason: "Invalid" }] : [];
  if (policy.fault !== undefined) return { ...NOTHING, complaints: failed(0, policy.fault) };
  // Conditions do not see the namespace.
  const met = conditionsMet(policy.conditions, { ...values, namespaceObject: null });
  if (met === false) return NOTHING;
  if (met !== true) return { ...NOTHING, complaints: failed(0, met) };
  const purse = new Purse(EXPRESSIONS);
  try {
    const complaints = policy.validations.flatMap((v, i) =>
      attempt(
        () => purse.run(v.program, values) === true ? [] : [complaint(v, i, values, purse)],
        (why) => failed(i, `expression '${v.expression.trim()}' resulted in error: ${why}`),
      )
    );
    return { complaints, ...annotationsOf(policy, values) };
  } catch (e) {
    if (e instanceof Overspent) return { ...NOTHING, complaints: failed(0, e.message) };
    throw e;
  }
}

const complaint = (v: Validation, index: number, values: Record<string, Value>, purse: Purse): Complaint => ({
  index,
  message: messageOf(v, values, purse),
  reason: v.reason,
});

function messageOf(v: Validation, values: Record<string, Value>, purse: Purse): string {
  const said = v.messageProgram && attempt<Value>(() => purse.run(v.messageProgram!, values), () => null);
  const text = typeof said === "string" ? said.trim() : "";
  const usable = text !== "" && !text.includes("\n") && byteLength(text) <= MAX_MESSAGE;
  return usable ? text : v.message.trim() || `failed expression: ${v.expression.trim()}`;
}

function annotationsOf(policy: CompiledPolicy, values: Record<string, Value>): Omit<Verdict, "complaints"> {
  const annotations: [string, string][] = [], faults: string[] = [], purse = new Purse(EXPRESSIONS);
  for (const { key, program } of policy.annotations) {
    const value = attempt<Value>(() => purse.run(program, values), (why) => {
      if (policy.fails) faults.push(`valueExpression of '${key}' resulted in error: ${why}`);
      return null;
    });
    if (typeof value === "string" && value.trim()) annotations.push([key, value.trim().slice(0, MAX_ANNOTATION)]);
  }
  return { annotations, faults };
}
