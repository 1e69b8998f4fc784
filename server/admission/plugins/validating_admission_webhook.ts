/** ValidatingAdmissionWebhook: servers of administrators that may refuse requests, asked all at once. */
import type { Attributes, Plugin, PluginContext } from "../types.ts";
import { asking } from "../webhooks/call.ts";
import { matching } from "../webhooks/matching.ts";
import { counted, refusedBy } from "../webhooks/outcome.ts";
import { reached } from "../webhooks/reach.ts";
import { seenAs, type SeenObjects } from "../webhooks/seen.ts";
import { type Candidate, hookTable } from "../webhooks/table.ts";

/** See the top of the file. */
export function validatingAdmissionWebhook(ctx: PluginContext): Plugin {
  const { hooks: deps } = ctx;
  const table = hookTable("validating", ctx);
  const ask = asking(ctx, deps, deps.transport(String(ctx.config?.["kubeConfigFile"] ?? "")));
  const called = matching(ctx, deps);
  const prefix = ctx.product.local("failed-open.validating.webhook.admission.k8s.io/");

  /** What refuses the request; undefined: nothing does. */
  const one = async (a: Attributes, candidate: Candidate, seen: SeenObjects, index: number): Promise<unknown> => {
    const { hook } = candidate, start = performance.now();
    try {
      await ask(a, candidate, seen);
      counted(deps.metrics, hook, a, performance.now() - start);
    } catch (e) {
      const refused = refusedBy(deps.metrics, hook, a, performance.now() - start, e);
      if (refused !== undefined) return refused;
      a.annotate(`${prefix}round_0_index_${index}`, hook.name);
    }
    return undefined;
  };

  const all = async (a: Attributes, candidates: readonly Candidate[]): Promise<void> => {
    const relevant: Candidate[] = [];
    for (const candidate of candidates) if (await called(a, candidate)) relevant.push(candidate);
    const versions = new Map<unknown, SeenObjects | Promise<SeenObjects>>(), refusals: unknown[] = [];
    const start = performance.now();
    await Promise.all(relevant.map(async (candidate, i) => {
      const { kind } = candidate.target;
      const seen = versions.get(kind) ?? seenAs(deps, a, kind);
      versions.set(kind, seen);
      const refused = await one(a, candidate, await seen, i);
      if (refused !== undefined) refusals.push(refused);
    }));
    a.waited?.(performance.now() - start);
    // The first to refuse in time is the one that the client is told.
    if (refusals.length) throw refusals[0];
  };

  return {
    name: "ValidatingAdmissionWebhook",
    handles: reached(ctx),
    validate(a) {
      const candidates = table().candidates(a);
      return candidates.length === 0 ? undefined : all(a, candidates);
    },
  };
}
