/** Evaluation of one policy for one request, with one parameter. */
import { CelError, type Value } from "../../../schema/cel/mod.ts";
import { byteLength } from "../../../schema/values/utf8.ts";
import type { CompiledPolicy, Validation } from "./compiled.ts";
import { judge, type Judgement, met } from "./conditions.ts";
import { faultOf } from "./expressions.ts";
import { EXPRESSIONS, Overspent, Purse } from "./purse.ts";
import { unasking } from "./values.ts";

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
  /** Time that finding it took, ms. */
  readonly ms: number;
}

/** Something that went wrong, which the policy lets pass. */
export type PassedOver = Pick<Complaint, "message" | "ms">;

/** What came of a policy. */
export interface Verdict {
  /** What its conditions say, and the time that this took, ms. */
  readonly judged: Judgement & { readonly ms: number };
  readonly complaints: readonly Complaint[];
  readonly passedOver: readonly PassedOver[];
  /** Faults of audit annotations: they refuse the request whatever the binding says. */
  readonly faults: readonly string[];
  readonly annotations: readonly (readonly [key: string, value: string])[];
}

/** Evaluates a policy. Errors count as complaints when the policy fails on them. `now`: the clock, ms. */
export function evaluatePolicy(policy: CompiledPolicy, values: Record<string, Value>, now: () => number): Verdict {
  const complaints: Complaint[] = [], passedOver: PassedOver[] = [];
  let start = now();
  // Conditions do not see the namespace.
  const judgement = judge(policy.conditions, { ...values, namespaceObject: null });
  const judged = { ...judgement, ms: now() - start },
    said = { judged, complaints, passedOver, faults: [], annotations: [] };
  const failed = (index: number, message: string) => {
    const ms = now() - start;
    if (policy.fails) complaints.push({ index, message, reason: "Invalid", ms });
    else passedOver.push({ message, ms });
  };
  const meant = met(judgement);
  if (typeof meant === "string" && policy.fails) failed(0, meant);
  if (meant !== true) return said;
  const purse = new Purse(EXPRESSIONS);
  // Made where they are needed: most requests are not complained of, and most policies note nothing.
  let unasked: Record<string, Value> | undefined;
  try {
    for (const [index, v] of policy.validations.entries()) {
      start = now();
      const value = attempt(() => purse.run(v.program, values), (e) => failed(index, faultOf(v.expression, e)));
      if (value === undefined || value === true) continue;
      const message = messageOf(v, unasked ??= unasking(values), purse);
      complaints.push({ index, message, reason: v.reason, ms: now() - start });
    }
    return policy.annotations.length ? { ...said, ...annotationsOf(policy, unasking(values)) } : said;
  } catch (e) {
    if (!(e instanceof Overspent)) throw e;
    complaints.length = passedOver.length = 0;
    failed(0, e.message);
    return said;
  }
}

/** What work gives; undefined where an expression has no value, which `otherwise` is told. */
function attempt(work: () => Value, otherwise: (e: CelError) => void): Value | undefined {
  try {
    return work();
  } catch (e) {
    if (!(e instanceof CelError)) throw e;
    otherwise(e);
    return undefined;
  }
}

function messageOf(v: Validation, values: Record<string, Value>, purse: Purse): string {
  const said = v.messageProgram && attempt(() => purse.run(v.messageProgram!, values), () => {});
  const text = typeof said === "string" ? said.trim() : "";
  const usable = text !== "" && !text.includes("\n") && byteLength(text) <= MAX_MESSAGE;
  return usable ? text : v.message.trim() || `failed expression: ${v.expression.trim()}`;
}

function annotationsOf(policy: CompiledPolicy, values: Record<string, Value>): Pick<Verdict, "faults" | "annotations"> {
  const annotations: [string, string][] = [], faults: string[] = [], purse = new Purse(EXPRESSIONS);
  for (const { key, expression, program } of policy.annotations) {
    const value = attempt(() => purse.run(program, values), (e) => {
      if (policy.fails) faults.push(faultOf(expression, e));
    });
    const text = typeof value === "string" ? value.trim() : "";
    // A character that the cut goes through is none any more, and readers of the log refuse half of one.
    if (text) annotations.push([key, text.slice(0, MAX_ANNOTATION).toWellFormed()]);
  }
  return { annotations, faults };
}
