/** The webhooks of a server: compiled when a configuration changes, looked up by what a request is about. */
import type { Resource } from "../../catalog/types.ts";
import { derived } from "../facts.ts";
import type { Attributes, Lister } from "../types.ts";
import { ruleTarget, type Target } from "../target.ts";
import { compileHooks, type Hook, type HookKind } from "./hook.ts";

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

  constructor(readonly hooks: readonly Hook[], readonly same: (resource: Resource) => readonly Resource[]) {}

  /** What a request may call for, in the order of calls. */
  candidates({ operation, resource, version, subresource }: Attributes): readonly Candidate[] {
    if (this.hooks.length === 0) return NONE;
    let lanes = this.#known.get(resource);
    if (!lanes) this.#known.set(resource, lanes = new Map());
    const key = `${operation} ${version} ${subresource}`;
    let found = lanes.get(key);
    if (!found) {
      const subject = { operation, resource, version, subresource }, same = this.same(resource), all = () => same;
      found = this.hooks.flatMap((hook, index) => {
        const target = ruleTarget(hook.rules, subject, hook.equivalent ? all : undefined);
        return target ? [{ hook, index, target }] : [];
      });
      lanes.set(key, found);
    }
    return found;
  }
}

/** The present table: one comparison when no configuration has changed. */
export function hookTable(
  kind: HookKind,
  lister: Lister,
  same: (resource: Resource) => readonly Resource[],
): () => HookTable {
  const id = `${kind}webhookconfigurations.admissionregistration.k8s.io`;
  return derived(lister, id, (all) => new HookTable(compileHooks(kind, all), same));
}
