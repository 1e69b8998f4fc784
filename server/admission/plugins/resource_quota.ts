/** ResourceQuota: what a namespace may hold and use. */
import type { Obj } from "../../../schema/model/types.ts";
import { Charger } from "../../quota/charger.ts";
import { ask } from "../../quota/charge.ts";
import { Evaluators } from "../../quota/evaluators.ts";
import { type LimitedResource, restriction, uncovered, usesMore } from "../../quota/limited.ts";
import type { Evaluator } from "../../quota/types.ts";
import { byNamespace } from "../facts.ts";
import { refusal } from "../refuse.ts";
import type { Attributes, Plugin, PluginContext } from "../types.ts";

/** See the top of the file. Runs last, so that nothing is charged that another plugin refuses. */
export function resourceQuota(ctx: PluginContext): Plugin {
  const evaluators = new Evaluators({ ...ctx, allowPrivileged: false }, ctx.lister);
  const charger = new Charger(ctx.live);
  const quotasOf = byNamespace(ctx.lister, "resourcequotas", (all) => all);
  const limited = (ctx.config?.["limitedResources"] ?? []) as unknown as readonly LimitedResource[];

  const check = (a: Attributes, evaluator: Evaluator, quotas: readonly Obj[]): void | Promise<void> => {
    const bounded = limited.length > 0 ? restriction(limited, a.resource, evaluator, a.object!) : undefined;
    if (quotas.length === 0 && !bounded) return;
    const answers = quotas.map((q) => ask(q, a, evaluator));
    const asked = quotas.filter((_, i) => answers[i]!.kind !== "none");
    if (bounded && usesMore(a, evaluator, asked)) {
      const covers = new Set(answers.flatMap((x) => x.kind === "none" ? [] : x.covers));
      const why = uncovered(bounded, covers, quotas, evaluator, a.object!);
      if (why) throw refusal(a, why);
    }
    if (asked.length === 0) return;
    if (answers.every((x) => x.kind === "none" || (x.kind === "fits" && x.more.size === 0))) return;
    return a.dryRun ? dryRun(a, evaluator, asked) : charge(a, evaluator, asked);
  };
  /** Asks the newest state, changes nothing. */
  const dryRun = async (a: Attributes, evaluator: Evaluator, quotas: readonly Obj[]) => {
    for (const { metadata } of quotas) {
      const quota = await ctx.live.get("resourcequotas", a.namespace, metadata.name!);
      const answer = quota && ask(quota, a, evaluator);
      if (answer?.kind === "refused") throw refusal(a, answer.why);
    }
  };
  const charge = async (a: Attributes, evaluator: Evaluator, quotas: readonly Obj[]) => {
    const why = await charger.charge(a, evaluator, quotas);
    if (why !== undefined) throw refusal(a, why);
  };
  return {
    name: "ResourceQuota",
    handles: (operation, resource) =>
      (operation === "CREATE" || operation === "UPDATE") && Evaluators.counted(resource),
    validate(a) {
      const quotas = quotasOf(a.namespace);
      if (quotas.length === 0 && limited.length === 0) return;
      const evaluator = evaluators.of(a.resource);
      if (evaluator.handles(a)) return check(a, evaluator, quotas);
    },
  };
}
