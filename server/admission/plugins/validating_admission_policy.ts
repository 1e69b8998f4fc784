/** ValidatingAdmissionPolicy: expressions of administrators that requests must meet. */
import type { Obj } from "../../../schema/model/types.ts";
import { items, type Tree } from "../../../schema/rules/tree.ts";
import { type Reason, StatusError } from "../../../schema/status.ts";
import { derived, held } from "../facts.ts";
import { type CompiledPolicy, compilePolicy } from "../policies/compiled.ts";
import { type Complaint, evaluatePolicy } from "../policies/evaluate.ts";
import { matchedVersion } from "../policies/matching.ts";
import { Misconfigured, paramsOf } from "../policies/params.ts";
import { answered, Questions } from "../policies/questions.ts";
import { valuesOf } from "../policies/values.ts";
import { refusal } from "../refuse.ts";
import type { Attributes, Plugin, PluginContext } from "../types.ts";

const POLICIES = "validatingadmissionpolicies.admissionregistration.k8s.io";
const BINDINGS = "validatingadmissionpolicybindings.admissionregistration.k8s.io";
/** Groups that policies are never about: policies themselves, and what is asked of authenticators and authorizers. */
const EXEMPT = new Set(["admissionregistration.k8s.io", "authentication.k8s.io", "authorization.k8s.io"]);
const CODES: Readonly<Record<string, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
  Invalid: 422,
};
/** Most failures that an audit annotation tells. */
const MAX_FAILURES = 50;

/** A policy with its bindings. */
interface Bound {
  readonly policy: CompiledPolicy;
  readonly bindings: readonly Obj[];
}

/** What is said of one request. */
interface Outcome {
  refused?: StatusError;
  readonly failures: unknown[];
  /** Values of audit annotations by key. */
  readonly notes: Map<string, Set<string>>;
}

/** Compiled policies by uid and version; of those that are gone nothing is kept. */
function compiler(): (all: readonly Obj[]) => readonly CompiledPolicy[] {
  let known = new Map<string, CompiledPolicy>();
  return (all) => {
    const next = new Map<string, CompiledPolicy>();
    for (const p of all) {
      const key = `${p.metadata.uid} ${p.metadata.resourceVersion}`;
      next.set(key, known.get(key) ?? compilePolicy(p));
    }
    known = next;
    return [...next.values()];
  };
}

/** Policies that have bindings, from the lister. */
function boundPolicies(ctx: PluginContext): () => readonly Bound[] {
  const policies = derived(ctx.lister, POLICIES, compiler());
  const bindings = derived(ctx.lister, BINDINGS, (all) => Map.groupBy(all, (b) => (b["spec"] as Tree)["policyName"]));
  let from: unknown[] = [], bound: readonly Bound[] = [];
  return () => {
    const now = [policies(), bindings()] as const;
    if (now[0] === from[0] && now[1] === from[1]) return bound;
    from = [...now];
    return bound = now[0].flatMap((policy) => {
      const own = now[1].get(policy.name);
      return own ? [{ policy, bindings: own }] : [];
    });
  };
}

/** Refuses a request. The first refusal is the one that the client is told. */
function deny(
  o: Outcome,
  a: Attributes,
  policy: string,
  binding: string,
  { message, reason }: Omit<Complaint, "index">,
) {
  const text = `ValidatingAdmissionPolicy '${policy}'${
    binding && ` with binding '${binding}'`
  } denied request: ${message}`;
  const e = refusal(a, text), causes = [{ message: text }];
  o.refused ??= new StatusError(CODES[reason] ?? 422, reason as Reason, e.message, { ...e.details, causes });
}

/** See the top of the file. */
export function validatingAdmissionPolicy(ctx: PluginContext): Plugin {
  const all = boundPolicies(ctx), cached = held(ctx.lister, "namespaces");
  const prefix = ctx.product.local("validation.policy.admission.k8s.io/");
  const namespaceOf = async (a: Attributes): Promise<Obj | undefined> =>
    a.resource.namespaced ? cached(a.namespace) ?? await ctx.live.get("namespaces", "", a.namespace) : undefined;
  const serviceAccount = (namespace: string, name: string) => ({
    name: `system:serviceaccount:${namespace}:${name}`,
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"],
  });

  const bindingOf = async (
    a: Attributes,
    policy: CompiledPolicy,
    binding: Obj,
    at: { version: string; namespace: Obj | undefined; questions: Questions },
    o: Outcome,
  ): Promise<void> => {
    const { name, spec } = policy, own = binding["spec"] as Tree, actions = items<string>(own["validationActions"]);
    const bindingName = binding.metadata.name!;
    for (const param of await paramsOf(ctx, spec, own, a)) {
      const verdict = await answered(() =>
        evaluatePolicy(policy, valuesOf(a, at.version, at.namespace, param, at.questions, policy.variables))
      );
      for (const c of verdict.complaints) {
        const { message } = c;
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
      for (const message of verdict.faults) deny(o, a, name, bindingName, { message, reason: "Invalid" });
      for (const [key, value] of verdict.annotations) {
        const at = `${name}/${key}`, values = o.notes.get(at);
        if (values) values.add(value);
        else o.notes.set(at, new Set([value]));
      }
    }
  };

  const check = async (a: Attributes, bound: readonly Bound[]): Promise<void> => {
    const namespace = await namespaceOf(a), questions = new Questions(ctx.authorizer, a.user, serviceAccount);
    const o: Outcome = { failures: [], notes: new Map() };
    for (const { policy, bindings } of bound) {
      const version = matchedVersion(policy.spec["matchConstraints"], a, namespace);
      if (version === undefined) continue;
      for (const b of bindings) {
        if (matchedVersion((b["spec"] as Tree)["matchResources"], a, namespace) === undefined) continue;
        try {
          await bindingOf(a, policy, b, { version, namespace, questions }, o);
        } catch (e) {
          if (!(e instanceof Misconfigured)) throw e;
          const message = `failed to configure binding: ${e.message}`;
          if (policy.fails) deny(o, a, policy.name, b.metadata.name!, { message, reason: "Invalid" });
        }
      }
    }
    for (const [key, values] of o.notes) a.annotate(key, [...values].join(", "));
    if (o.failures.length) {
      a.annotate(`${prefix}validation_failure`, JSON.stringify(o.failures.slice(0, MAX_FAILURES)));
    }
    if (o.refused) throw o.refused;
  };

  return {
    name: "ValidatingAdmissionPolicy",
    handles: (_operation, resource) => !EXEMPT.has(resource.publicGroup),
    validate(a) {
      const bound = all();
      return bound.length === 0 ? undefined : check(a, bound);
    },
  };
}
