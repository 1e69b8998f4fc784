/** Resources that only who has a quota for them may use (`limitedResources` of ResourceQuotaConfiguration). */
import type { Obj } from "../../schema/model/types.ts";
import { ZERO_QUANTITY } from "../../schema/values/quantity.ts";
import type { Attributes } from "../admission/types.ts";
import type { Resource } from "../catalog/types.ts";
import { inAll, scopesOf } from "./scopes.ts";
import type { Evaluator, ScopeRequirement } from "./types.ts";

/** One row of the configuration. */
export interface LimitedResource {
  readonly apiGroup?: string;
  readonly resource: string;
  readonly matchContains?: readonly string[];
  readonly matchScopes?: readonly ScopeRequirement[];
}

/** What a request may only use under a quota. */
export interface Restriction {
  readonly names: readonly string[];
  readonly scopes: readonly ScopeRequirement[];
}

/** What of a request is limited; undefined: nothing. */
export function restriction(
  limited: readonly LimitedResource[],
  resource: Resource,
  evaluator: Evaluator,
  obj: Obj,
): Restriction | undefined {
  const mine = limited.filter((l) => (l.apiGroup ?? "") === resource.group && l.resource === resource.name);
  if (mine.length === 0) return undefined;
  const parts = mine.flatMap((l) => l.matchContains ?? []);
  const used = [...evaluator.usage(obj)].filter(([, q]) => q.sign() > 0).map(([n]) => n);
  const names = used.filter((n) => parts.some((p) => n.includes(p))).sort();
  const scopes = mine.flatMap((l) => l.matchScopes ?? []).filter((s) => evaluator.inScope?.(s, obj));
  return names.length || scopes.length ? { names, scopes } : undefined;
}

/** Whether a request uses more than before, or something of a quota (of those that count it) that was not about the object. */
export function usesMore(a: Attributes, evaluator: Evaluator, quotas: readonly Obj[]): boolean {
  const old = a.oldObject;
  if (!old || quotas.some((q) => !inAll(evaluator, scopesOf(q), old))) return true;
  const before = evaluator.usage(old);
  return [...evaluator.usage(a.object!)].some(([n, q]) => q.cmp(before.get(n) ?? ZERO_QUANTITY) > 0);
}

/** Why no quota covers what is limited; undefined: one does. `covers`: names that matching quotas count. */
export function uncovered(
  r: Restriction,
  covers: ReadonlySet<string>,
  quotas: readonly Obj[],
  evaluator: Evaluator,
  obj: Obj,
): string | undefined {
  const names = r.names.filter((n) => !covers.has(n));
  if (names.length > 0) return `insufficient quota to consume: ${names.join(",")}`;
  const held = quotas.flatMap(scopesOf).filter((s) => evaluator.inScope?.(s, obj)).map((s) => s.scopeName);
  const scopes = r.scopes.filter((s) => !held.includes(s.scopeName));
  if (scopes.length === 0) return undefined;
  return `insufficient quota to match these scopes: [${
    scopes.map((s) => `{${s.scopeName} ${s.operator} [${(s.values ?? []).join(" ")}]}`).join(" ")
  }]`;
}
