/** The webhooks of a server: compiled when a configuration changes, looked up by what a request is about. */
import type { Resource } from "../../catalog/types.ts";
import { derived } from "../facts.ts";
import { fromManifests } from "../manifests/mod.ts";
import type { Attributes, PluginContext } from "../types.ts";
import { ruleTarget, type Target } from "../target.ts";
import { compileHooks, type Hook, type HookKind } from "./hook.ts";
import { isOwn } from "./reach.ts";

/** A webhook whose rules a request meets. */
export interface Candidate {
  readonly hook: Hook;
  /** Its place among all webhooks. */
  readonly index: number;
  readonly target: Target;
}

const NONE: readonly Candidate[] = [];

/** Webhooks as they are between two changes. */
class HookTable {
  readonly #known = new WeakMap<Resource, Map<string, readonly Candidate[]>>();

  /** @param first how many of the hooks, from the first on, are of manifests */
  constructor(
    readonly hooks: readonly Hook[],
    readonly first: number,
    readonly same: (resource: Resource) => readonly Resource[],
  ) {}

  /** What a request may call for, in the order of calls. */
  candidates({ operation, resource, version, subresource }: Attributes): readonly Candidate[] {
    if (this.hooks.length === 0) return NONE;
    let lanes = this.#known.get(resource);
    if (!lanes) this.#known.set(resource, lanes = new Map());
    const key = `${operation} ${version} ${subresource}`;
    let found = lanes.get(key);
    if (!found) {
      const subject = { operation, resource, version, subresource }, same = this.same(resource), all = () => same;
      const hooks = isOwn(resource) ? this.hooks.slice(0, this.first) : this.hooks;
      found = hooks.flatMap((hook, index) => {
        const target = ruleTarget(hook.rules, subject, hook.equivalent ? all : undefined);
        return target ? [{ hook, index, target }] : [];
      });
      lanes.set(key, found);
    }
    return found;
  }
}

const KINDS = {
  mutating: ["MutatingAdmissionWebhook", "MutatingWebhookConfiguration"],
  validating: ["ValidatingAdmissionWebhook", "ValidatingWebhookConfiguration"],
} as const;

/**
 * The present table, with the webhooks of manifests before the others: two comparisons when no configuration has changed.
 * @throws Error when the manifests cannot be used
 */
export function hookTable(kind: HookKind, ctx: PluginContext): () => HookTable {
  const id = `${kind}webhookconfigurations.admissionregistration.k8s.io`, [plugin, configurations] = KINDS[kind];
  const first = fromManifests(ctx, plugin, (of) => compileHooks(kind, of(configurations)));
  const stored = derived(ctx.lister, id, (all) => compileHooks(kind, all));
  let from: readonly unknown[] = [], table: HookTable;
  return () => {
    const now = [first(), stored()] as const;
    if (now[0] !== from[0] || now[1] !== from[1]) {
      from = now;
      table = new HookTable(now.flat(), now[0].length, ctx.hooks.sharing);
    }
    return table;
  };
}
