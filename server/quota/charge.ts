/** What a request costs a quota, and whether the quota has it. Pure: the same question may be asked again of a newer quota. */
import type { Obj } from "../../schema/model/types.ts";
import { parseQuantity, ZERO_QUANTITY } from "../../schema/values/quantity.ts";
import type { Tree } from "../../schema/rules/tree.ts";
import type { Attributes } from "../admission/types.ts";
import type { Amounts } from "../../schema/rules/core/pod_resources.ts";
import { inAll, scopesOf } from "./scopes.ts";
import type { Evaluator } from "./types.ts";

/** What a quota says to a request. */
export type Answer =
  /** Nothing of it is counted here. */
  | { readonly kind: "none" }
  /** `covers`: names counted here. */
  | { readonly kind: "refused"; readonly why: string; readonly covers: readonly string[] }
  /** It fits; `more` is what it adds to `status.used`, which may be nothing. */
  | { readonly kind: "fits"; readonly more: Amounts; readonly covers: readonly string[] };

const NONE: Answer = { kind: "none" };

/** Asks a quota. */
export function ask(quota: Obj, a: Attributes, evaluator: Evaluator): Answer {
  const { status = {} } = quota as Tree;
  const hard: Tree = status.hard ?? {}, used: Tree = status.used ?? {};
  const covers = Object.keys(hard).filter((n) => evaluator.counts(n)).sort();
  if (covers.length === 0) return NONE;
  const obj = a.object!;
  const scopes = scopesOf(quota);
  if (!inAll(evaluator, scopes, obj)) return NONE;
  const { name } = quota.metadata;
  const refused = (why: string): Answer => ({ kind: "refused", why, covers });
  const missing = evaluator.missing?.(covers, obj);
  if (missing) return refused(`failed quota: ${name}: ${missing}`);
  if (covers.some((n) => used[n] === undefined)) {
    return refused(`status unknown for quota: ${name}, resources: ${covers.join(",")}`);
  }
  const old = a.oldObject && inAll(evaluator, scopes, a.oldObject) ? a.oldObject : undefined;
  const more = growth(evaluator.usage(obj), old && evaluator.usage(old), covers);
  const over = a.subresource === "status" ? [] : exceeded(more, used, hard);
  if (over.length > 0) return refused(exceededText(name!, over, more, used, hard));
  return { kind: "fits", more, covers };
}

/** What is used beyond what was used before, of what is counted. What shrinks is given back by the recount. */
function growth(usage: Amounts, before: Amounts | undefined, covers: readonly string[]): Amounts {
  const out: Amounts = new Map();
  for (const n of covers) {
    const q = usage.get(n);
    if (!q) continue;
    const was = before?.get(n);
    const more = was ? q.sub(was) : q;
    if (more.sign() > 0) out.set(n, more);
  }
  return out;
}

function exceeded(more: Amounts, used: Tree, hard: Tree): string[] {
  return [...more].filter(([n, q]) => parseQuantity(used[n] ?? "0").add(q).cmp(parseQuantity(hard[n])) > 0)
    .map(([n]) => n).sort();
}

function exceededText(name: string, over: readonly string[], more: Amounts, used: Tree, hard: Tree): string {
  const list = (of: (n: string) => string) => over.map((n) => `${n}=${of(n)}`).join(",");
  return `exceeded quota: ${name}, requested: ${list((n) => String(more.get(n)))}, used: ${
    list((n) => used[n] ?? "0")
  }, limited: ${list((n) => hard[n])}`;
}

/** Changes `status.used` of a quota, in place; never below zero. */
export function addUsed(quota: Obj, more: Amounts, sign: 1 | -1): void {
  const status: Tree = (quota as Tree)["status"] ??= {};
  const used: Tree = status["used"] ??= {};
  for (const [n, q] of more) {
    const sum = parseQuantity(used[n] ?? "0").add(sign > 0 ? q : q.neg());
    used[n] = (sum.sign() < 0 ? ZERO_QUANTITY : sum).toString();
  }
}
