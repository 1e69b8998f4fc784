/** Scopes of quotas: which objects a quota is about. */
import type { Tree } from "../../schema/rules/tree.ts";
import type { Obj } from "../../schema/model/types.ts";
import type { Evaluator, ScopeRequirement } from "./types.ts";

/** All scopes of a quota, plain ones and those of its selector. */
export function scopesOf(quota: Obj): ScopeRequirement[] {
  const spec: Tree = (quota as Tree)["spec"] ?? {};
  const plain: string[] = spec["scopes"] ?? [];
  return [
    ...plain.map((scopeName) => ({ scopeName, operator: "Exists" })),
    ...(spec["scopeSelector"]?.matchExpressions ?? []),
  ];
}

/** Whether an object is in every scope. */
export function inAll(evaluator: Evaluator, scopes: readonly ScopeRequirement[], obj: Obj): boolean {
  return scopes.every((s) => evaluator.inScope?.(s, obj) ?? false);
}

/** Whether one of the names that an object goes by fits the requirement. No names: only `NotIn` and `DoesNotExist` fit. */
export function namesFit(scope: ScopeRequirement, names: readonly string[]): boolean {
  const wanted = scope.values ?? [];
  const operators: Record<string, () => boolean> = {
    Exists: () => names.length > 0,
    DoesNotExist: () => names.length === 0,
    In: () => names.some((n) => wanted.includes(n)),
    NotIn: () => names.length === 0 || names.some((n) => !wanted.includes(n)),
  };
  return operators[scope.operator]?.() ?? false;
}
