/** MutatingAdmissionWebhook: servers of administrators that may change objects, asked one after the other. */
import { parseJson } from "../../../schema/codec/json.ts";
import type { Json } from "../../../schema/model/types.ts";
import { internal } from "../../../schema/status.ts";
import { beforeForeign, settleForeign } from "../foreign.ts";
import { type PluginRounds, reinvocationOf } from "../reinvocation.ts";
import type { Attributes, Plugin, PluginContext } from "../types.ts";
import { asking } from "../webhooks/call.ts";
import { CallFailure } from "../webhooks/failure.ts";
import { matching } from "../webhooks/matching.ts";
import { counted, refusedBy } from "../webhooks/outcome.ts";
import { reached } from "../webhooks/reach.ts";
import type { Response } from "../webhooks/review.ts";
import { patchObject, seenAs } from "../webhooks/seen.ts";
import { type Candidate, hookTable } from "../webhooks/table.ts";

const NAME = "MutatingAdmissionWebhook";

/** See the top of the file. */
export function mutatingAdmissionWebhook(ctx: PluginContext): Plugin {
  const { hooks: deps } = ctx;
  const table = hookTable("mutating", ctx.lister, deps.sharing);
  const ask = asking(ctx, deps, deps.transport(String(ctx.config?.["kubeConfigFile"] ?? "")));
  const called = matching(ctx, deps);
  const prefix = ctx.product.local("mutation.webhook.admission.k8s.io/");
  const patches = ctx.product.local("patch.webhook.admission.k8s.io/");

  /** Whether a webhook's answer changes the object. */
  const applied = async (
    a: Attributes,
    { hook, target }: Candidate,
    answer: Response,
    at: string,
  ): Promise<boolean> => {
    const { patch, patchType } = answer;
    if (!patch) return false;
    const fault = (why: string) => new CallFailure(hook.name, why, 503);
    if (patchType !== "JSONPatch") throw fault(`unsupported patch type ${JSON.stringify(patchType)}`);
    const operations = operationsOf(patch, fault);
    if (operations === null || (Array.isArray(operations) && operations.length === 0)) return false;
    if (!a.object) {
      const what = "sent a patch, but this operation has no object to change";
      throw internal(`admission webhook ${JSON.stringify(hook.name)} ${what}`);
    }
    const changed = await patchObject(deps, a, target.kind, operations);
    const { configuration, name: webhook } = hook;
    a.annotate(patches + at, JSON.stringify({ configuration, webhook, patch: operations, patchType }));
    return changed;
  };

  const one = async (a: Attributes, candidate: Candidate, rounds: PluginRounds): Promise<void> => {
    const { hook, index, target } = candidate, start = performance.now();
    const at = `round_${rounds.round}_index_${index}`;
    let mutated = false;
    try {
      mutated = await applied(a, candidate, await ask(a, candidate, await seenAs(deps, a, target.kind)), at);
      counted(deps.metrics, hook, a, performance.now() - start);
    } catch (e) {
      const refused = refusedBy(deps.metrics, hook, a, performance.now() - start, e);
      if (refused !== undefined) throw refused;
      a.annotate(`failed-open.${prefix}${at}`, hook.name);
    } finally {
      a.waited?.(performance.now() - start);
      const { configuration, name: webhook } = hook;
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

/** The operations of a patch. @throws CallFailure for what is no list of them */
function operationsOf(text: string, fault: (why: string) => CallFailure): Json {
  let tree: Json;
  try {
    tree = parseJson(text, { whole: true }).tree;
  } catch (e) {
    throw fault(`sent a patch that cannot be read: ${(e as Error).message}`);
  }
  if (tree === null || Array.isArray(tree)) return tree;
  throw fault("sent a patch that cannot be read: a JSON patch must be a list of operations");
}
