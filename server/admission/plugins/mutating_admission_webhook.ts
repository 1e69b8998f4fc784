/** MutatingAdmissionWebhook: servers of administrators that may change objects, asked one after the other. */
import { parseJson } from "../../../schema/codec/json.ts";
import type { Json } from "../../../schema/model/types.ts";
import { internal } from "../../../schema/status.ts";
import { beforeForeign, settleForeign } from "../foreign.ts";
import { type PluginRounds, reinvocationOf } from "../reinvocation.ts";
import type { Attributes, Plugin, PluginContext } from "../types.ts";
import { asking } from "../webhooks/call.ts";
import type { HookDeps } from "../webhooks/deps.ts";
import { CallFailure } from "../webhooks/failure.ts";
import { matching } from "../webhooks/matching.ts";
import { counted, refusedBy } from "../webhooks/outcome.ts";
import { reached } from "../webhooks/reach.ts";
import { patchObject, seenAs } from "../webhooks/seen.ts";
import { type Candidate, hookTable } from "../webhooks/table.ts";

const NAME = "MutatingAdmissionWebhook";

/** See the top of the file. */
export function mutatingAdmissionWebhook(ctx: PluginContext): Plugin {
  const { hooks: deps } = ctx;
  const table = hookTable("mutating", ctx);
  const ask = asking(ctx, deps, deps.transport(String(ctx.config?.["kubeConfigFile"] ?? "")));
  const called = matching(ctx, deps);
  const prefix = ctx.product.local("mutation.webhook.admission.k8s.io/");
  const patches = ctx.product.local("patch.webhook.admission.k8s.io/");

  const one = async (a: Attributes, candidate: Candidate, rounds: PluginRounds): Promise<void> => {
    const { hook, index, target } = candidate, start = performance.now();
    const at = `round_${rounds.round}_index_${index}`, { configuration, name: webhook } = hook;
    let mutated = false;
    try {
      const { patch, patchType } = await ask(a, candidate, await seenAs(deps, a, target.kind));
      const operations = patch ? operationsOf(patch, patchType, hook.name) : [];
      if (operations.length > 0) {
        mutated = await applied(deps, a, candidate, operations);
        a.annotate(patches + at, JSON.stringify({ configuration, webhook, patch: operations, patchType }));
      }
      counted(deps.metrics, hook, a, performance.now() - start);
    } catch (e) {
      const refused = refusedBy(deps.metrics, hook, a, performance.now() - start, e);
      if (refused !== undefined) throw refused;
      a.annotate(`failed-open.${prefix}${at}`, hook.name);
    } finally {
      a.waited?.(performance.now() - start);
      a.annotate(prefix + at, JSON.stringify({ configuration, webhook, mutated }));
    }
    if (mutated) rounds.changed();
    if (hook.repeats) rounds.ran(hook.id);
  };

  const all = async (a: Attributes, candidates: readonly Candidate[]): Promise<void> => {
    const rounds = reinvocationOf(a).of(NAME), before = beforeForeign(a);
    rounds.begin(a.object);
    try {
      for (const candidate of candidates) {
        if (await called(a, candidate) && rounds.turn(candidate.hook.id)) await one(a, candidate, rounds);
      }
    } finally {
      rounds.end(a.object);
    }
    settleForeign(a, before);
  };

  return {
    name: NAME,
    handles: reached(ctx),
    admit(a) {
      const candidates = table().candidates(a);
      return candidates.length === 0 ? undefined : all(a, candidates);
    },
  };
}

/** Whether the operations change the object. @throws StatusError for a request without one */
async function applied(
  deps: HookDeps,
  a: Attributes,
  { hook, target }: Candidate,
  operations: Json[],
): Promise<boolean> {
  if (!a.object) {
    const what = "sent a patch, but this operation has no object to change";
    throw internal(`admission webhook ${JSON.stringify(hook.name)} ${what}`);
  }
  return await patchObject(deps, a, target.kind, operations);
}

/** The operations of a patch. @throws CallFailure for what is no list of them */
function operationsOf(patch: string, type: unknown, hook: string): Json[] {
  const fault = (why: string) => new CallFailure(hook, why, 503);
  if (type !== "JSONPatch") throw fault(`unsupported patch type ${JSON.stringify(type)}`);
  let tree: Json;
  try {
    tree = parseJson(patch, { whole: true }).tree;
  } catch (e) {
    throw fault(`sent a patch that cannot be read: ${(e as Error).message}`);
  }
  if (tree === null) return [];
  if (Array.isArray(tree)) return tree;
  throw fault("sent a patch that cannot be read: a JSON patch must be a list of operations");
}
