/** Whether a webhook is called for a request whose rules it meets: selectors and conditions. */
import type { Obj } from "../../../schema/model/types.ts";
import { internal } from "../../../schema/status.ts";
import { labelTest, matches, type Requirement } from "../../../schema/values/labels.ts";
import { inNamespaceNamed } from "../facts.ts";
import { judge } from "../policies/conditions.ts";
import { answered, Questions } from "../policies/questions.ts";
import { valuesOf } from "../policies/values.ts";
import { refusals } from "../refuse.ts";
import type { Attributes, PluginContext } from "../types.ts";
import type { HookDeps } from "./deps.ts";
import { TYPE } from "./outcome.ts";
import { seenAs } from "./seen.ts";
import type { Candidate } from "./table.ts";

/** Tells whether a webhook is called. @throws StatusError 404 for a namespace that is not there, 403 for broken conditions */
export type Matching = (a: Attributes, candidate: Candidate) => boolean | Promise<boolean>;

const NO_VARIABLES = new Map<never, never>();
const labelsOf = (obj: Obj | undefined) => obj?.metadata?.labels;

/** @throws StatusError 500 for a selector that is none */
function good(selector: readonly Requirement[] | string): readonly Requirement[] {
  if (typeof selector === "string") throw internal(selector);
  return selector;
}

function selects(selector: readonly Requirement[], a: Attributes): boolean {
  if (selector.length === 0) return true;
  return [a.object, a.oldObject].some((o) => o?.metadata !== undefined && matches(selector, labelsOf(o)));
}

/** The matching of a server's webhooks. */
export function matching(ctx: PluginContext, deps: HookDeps): Matching {
  const withNamespace = inNamespaceNamed(ctx);
  const inNamespace = (selector: readonly Requirement[], a: Attributes): boolean | Promise<boolean> => {
    if (selector.length === 0) return true;
    const itself = a.resource.id === "namespaces" && a.subresource === "";
    if (itself && a.operation !== "DELETE") return matches(selector, labelsOf(a.object));
    if (a.namespace === "") return true;
    return withNamespace(a.namespace, (n) => labelTest(selector)(labelsOf(n) ?? {}));
  };
  const met = conditions(ctx, deps);
  return (a, candidate) => {
    const { hook } = candidate;
    if (!selects(good(hook.objects), a)) return false;
    const here = inNamespace(good(hook.namespaces), a);
    if (hook.conditions.length === 0) return here;
    return Promise.resolve(here).then((yes) => yes && met(a, candidate));
  };
}

/** One condition that is not met decides, whatever goes wrong with others. */
function conditions(ctx: PluginContext, deps: HookDeps) {
  return async (a: Attributes, { hook, target }: Candidate): Promise<boolean> => {
    const start = performance.now(), questions = new Questions(ctx.authorizer, a);
    const seen = { target, ...await seenAs(deps, a, target.kind) };
    const values = () => valuesOf(ctx.product, a, seen, undefined, undefined, questions, NO_VARIABLES);
    const judged = await answered(() => judge(hook.conditions, values()));
    const { faults, excluded } = judged, kind = { kind: "webhook", type: TYPE[hook.kind] };
    ctx.counts.conditions(kind, hook.name, a.operation, { ...judged, ms: performance.now() - start });
    if (excluded || (faults.length > 0 && hook.ignores)) {
      ctx.counts.excluded(kind, hook.name, a.operation);
      return false;
    }
    if (faults.length > 0) throw refusals(a, faults);
    return true;
  };
}
