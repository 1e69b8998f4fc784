/** Taints of nodes, and the annotations that held them and what to avoid before nodes had members for that. */
import { format } from "../checks/basic.ts";
import { labelValue, qualifiedName } from "../checks/formats.ts";
import type { ErrorList } from "../errors.ts";
import { isMap } from "../../model/members.ts";
import type { Obj } from "../../model/types.ts";
import { perProduct } from "../local.ts";
import { METADATA } from "../object_meta.ts";
import type { Path } from "../path.ts";
import { isSet, items, type Tree } from "../tree.ts";
import type { RuleContext } from "../types.ts";
import { taintEffect } from "./affinity.ts";

const KEYS = perProduct((p) => ({
  taints: p.local("scheduler.alpha.kubernetes.io/taints"),
  avoid: p.local("scheduler.alpha.kubernetes.io/preferAvoidPods"),
}));

/** A list of taints at `path`: good keys, values and effects, each key and effect once. */
export function taints(list: readonly Tree[] | undefined, path: Path, errors: ErrorList): void {
  const seen = new Set<string>();
  for (const [i, t] of items(list).entries()) {
    const at = path.index(i), key = `${t["effect"]} ${t["key"]}`;
    format(t["key"] ?? "", at.child("key"), errors, qualifiedName);
    const faults = labelValue(t["value"] ?? "");
    if (faults.length) errors.invalid(at.child("value"), t["value"], faults.join("; "));
    taintEffect(t["effect"], at.child("effect"), errors);
    if (seen.has(key)) errors.duplicate(at, t);
    seen.add(key);
  }
}

/** Annotations of nodes whose text is looked at. */
export function nodeAnnotations(node: Obj, errors: ErrorList, ctx: RuleContext): void {
  const own = node.metadata.annotations;
  if (!own) return;
  const path = METADATA.child("annotations"), keys = KEYS(ctx.product);
  if (own[keys.taints]) {
    const list = parsed(own[keys.taints]!, (v) => v === null || (Array.isArray(v) && v.every(isTaint)));
    if (list === undefined) errors.invalid(path, keys.taints, "must be a list of taints");
    else taints(list as Tree[] | null ?? [], path.child(keys.taints), errors);
  }
  if (own[keys.avoid]) avoidPods(own[keys.avoid]!, path, keys.avoid, errors);
}

function avoidPods(text: string, path: Path, key: string, errors: ErrorList): void {
  const value = parsed(text, (v) => v === null || isMap(v)) as Tree | null | undefined;
  const list = value === undefined ? undefined : value?.["preferAvoidPods"] ?? [];
  if (!Array.isArray(list) || !list.every(isMap)) return errors.invalid(path.child("AvoidPods"), key, "must be JSON");
  for (const [i, entry] of (list as Tree[]).entries()) {
    const at = path.child(key).index(i).child("PodSignature"), owner = entry["podSignature"]?.podController;
    if (!isSet(owner)) errors.required(at);
    else if (!owner.controller) {
      errors.invalid(at.child("PodController", "Controller"), false, "must point to a controller");
    }
  }
}

const isTaint = (v: unknown): boolean =>
  isMap(v) && ["key", "value", "effect"].every((m) => !isSet(v[m]) || typeof v[m] === "string");

function parsed(text: string, fits: (v: unknown) => boolean): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return fits(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
