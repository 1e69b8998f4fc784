/** ValidatingAdmissionPolicy: expressions of administrators that requests must meet. */
import type { Obj } from "../../../schema/model/types.ts";
import { items, type Tree } from "../../../schema/rules/tree.ts";
import { type Reason, StatusError } from "../../../schema/status.ts";
import type { Value } from "../../../schema/cel/mod.ts";
import { type Enforcement, POLICY } from "../counts.ts";
import { type Bound, boundPolicies, metBy, namespaces } from "../policies/bound.ts";
import { type CompiledPolicy, compilePolicy } from "../policies/compiled.ts";
import { type Complaint, evaluatePolicy } from "../policies/evaluate.ts";
import { isExempt } from "../policies/exempt.ts";
import { answered, Questions } from "../policies/questions.ts";
import { valuesOf } from "../policies/values.ts";
import { refusal } from "../refuse.ts";
import type { Attributes, Plugin, PluginContext } from "../types.ts";

const CODES: Readonly<Record<string, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
  Invalid: 422,
};

/** Failures that an audit event tells at most: some 200 B each. */
const MOST_FAILURES = 50;

/** What is said of one request. */
interface Outcome {
  refused?: StatusError;
  readonly failures: unknown[];
  /** Values of audit annotations by key. */
  readonly notes: Map<string, Set<string>>;
}

/** Refuses a request. The first refusal is the one that the client is told. */
function deny(
  o: Outcome,
  a: Attributes,
  policy: string,
  binding: string,
  { message, reason }: Pick<Complaint, "message" | "reason">,
) {
  const text = `ValidatingAdmissionPolicy '${policy}'${
    binding && ` with binding '${binding}'`
  } denied request: ${message}`;
  const e = refusal(a, text), causes = [{ message: text }];
  o.refused ??= new StatusError(CODES[reason] ?? 422, reason as Reason, e.message, { ...e.details, causes });
}

/** See the top of the file. */
export function validatingAdmissionPolicy(ctx: PluginContext): Plugin {
  const all = boundPolicies(ctx, "ValidatingAdmissionPolicy", compilePolicy), namespaceOf = namespaces(ctx);
  const prefix = ctx.product.local("validation.policy.admission.k8s.io/");

  const askWith = async (
    a: Attributes,
    policy: CompiledPolicy,
    binding: Obj,
    values: Record<string, Value>,
    o: Outcome,
  ): Promise<void> => {
    const { name } = policy, actions = items<string>((binding["spec"] as Tree)["validationActions"]);
    const bindingName = binding.metadata.name!;
    const verdict = await answered(() => evaluatePolicy(policy, values, ctx.now));
    const asked = { policy: name, binding: bindingName };
    if (policy.conditions.length > 0) ctx.counts.conditions(POLICY, name, a.operation, verdict.judged);
    for (const { message, ms } of verdict.passedOver) ctx.counts.validated(asked, "allow", message, ms);
    for (const c of verdict.complaints) {
      const { message, ms } = c;
      for (const action of actions) ctx.counts.validated(asked, action.toLowerCase() as Enforcement, message, ms);
      if (actions.includes("Deny")) deny(o, a, name, bindingName, c);
      if (actions.includes("Warn")) {
        a.warn(`Validation failed for ValidatingAdmissionPolicy '${name}' with binding '${bindingName}': ${message}`);
      }
      if (actions.includes("Audit")) {
        o.failures.push({
          message,
          policy: name,
          binding: bindingName,
          expressionIndex: c.index,
          validationActions: actions,
        });
      }
    }
    for (const message of verdict.faults) {
      ctx.counts.validated(asked, "deny", message, 0);
      deny(o, a, name, bindingName, { message, reason: "Invalid" });
    }
    for (const [key, value] of verdict.annotations) {
      const at = `${name}/${key}`, values = o.notes.get(at);
      if (values) values.add(value);
      else o.notes.set(at, new Set([value]));
    }
  };

  const check = async (a: Attributes, bound: readonly Bound<CompiledPolicy>[]): Promise<void> => {
    const namespace = await namespaceOf(a), questions = new Questions(ctx.authorizer, a);
    const o: Outcome = { failures: [], notes: new Map() };
    for (const m of await metBy(ctx, a, bound, namespace)) {
      const { policy, binding, fault } = m;
      if (fault !== undefined) {
        if (policy.fails) deny(o, a, policy.name, binding?.metadata.name ?? "", { message: fault, reason: "Invalid" });
        continue;
      }
      for (const param of m.params) {
        const values = valuesOf(ctx.product, a, m.seen, namespace, param, questions, policy.variables);
        await askWith(a, policy, m.binding, values, o);
      }
    }
    for (const [key, values] of o.notes) a.annotate(key, [...values].join(", "));
    const told = o.failures.slice(0, MOST_FAILURES);
    if (told.length) a.annotate(`${prefix}validation_failure`, JSON.stringify(told));
    if (o.refused) throw o.refused;
  };

  return {
    name: "ValidatingAdmissionPolicy",
    handles: (_operation, resource) => !isExempt(ctx, resource),
    validate(a) {
      const bound = all(a.resource);
      return bound.length === 0 ? undefined : check(a, bound);
    },
  };
}
