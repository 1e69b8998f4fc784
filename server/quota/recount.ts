/** What is really used of a quota: counted anew from the objects that there are. */
import type { Obj } from "../../schema/model/types.ts";
import { type Quantity, ZERO_QUANTITY } from "../../schema/values/quantity.ts";
import { same, type Tree } from "../../schema/rules/tree.ts";
import type { Resource } from "../catalog/types.ts";
import { Evaluators } from "./evaluators.ts";
import { inAll, scopesOf } from "./scopes.ts";

/** Where objects are counted. */
export interface Counted {
  resources(): Iterable<Resource>;
  list(resourceId: string, namespace: string): readonly Obj[];
}

/** What is used of each name that a quota bounds and something counts. */
export function recount(quota: Obj, evaluators: Evaluators, where: Counted): Map<string, Quantity> {
  const names = Object.keys((quota as Tree)["spec"]?.hard ?? {});
  const scopes = scopesOf(quota);
  const used = new Map<string, Quantity>();
  for (const resource of where.resources()) {
    if (!Evaluators.counted(resource)) continue;
    const evaluator = evaluators.of(resource);
    const mine = names.filter((n) => evaluator.counts(n));
    if (mine.length === 0) continue;
    for (const n of mine) used.set(n, used.get(n) ?? ZERO_QUANTITY);
    for (const obj of where.list(resource.id, quota.metadata.namespace!)) {
      if (!inAll(evaluator, scopes, obj)) continue;
      const usage = evaluator.usage(obj);
      for (const n of mine) {
        const q = usage.get(n);
        if (q) used.set(n, used.get(n)!.add(q));
      }
    }
  }
  return used;
}

/**
 * Puts what was counted, and the bounds of the spec, into a quota's status. What is bounded and nothing here counts stays as
 * somebody else says. False: it said so already.
 */
export function settle(quota: Obj, used: ReadonlyMap<string, Quantity>): boolean {
  const tree = quota as Tree;
  const hard: Record<string, string> = { ...tree["spec"]?.hard };
  const said = Object.entries<string>(tree["status"]?.used ?? {}).filter(([n]) =>
    Object.hasOwn(hard, n) && !used.has(n)
  );
  const next = {
    hard,
    used: Object.fromEntries([...said, ...[...used].map(([n, q]) => [n, q.toString()] as const)]),
  };
  if (same(tree["status"]?.hard ?? {}, next.hard) && same(tree["status"]?.used ?? {}, next.used)) return false;
  tree["status"] = next;
  return true;
}
