/** What an update of a pod may change. */
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { count, identityOf, isSet, items, same, type Tree } from "../tree.ts";
import type { ValidateContext } from "../types.ts";
import { tolerations } from "./affinity.ts";
import { fixedAnnotations, podAnnotations } from "./pod_annotations.ts";
import { podScope } from "./pod_scope.ts";

const SPEC = Path.of("spec");
const CHANGEABLE =
  "image, activeDeadlineSeconds, tolerations (added ones) and terminationGracePeriodSeconds (from negative to 1)";
const MAX_INT32 = 0x7fffffff;

/** Compares a pod with the one that it replaces. */
export function podUpdate(pod: Tree, old: Tree, errors: ErrorList, ctx: ValidateContext): void {
  const now: Tree = pod["spec"], was: Tree = old["spec"];
  const { annotations } = pod["metadata"], before = old["metadata"].annotations;
  fixedAnnotations(annotations, before, errors, ctx);
  if (annotations) podAnnotations(annotations, podScope(now, was, errors, ctx, pod["metadata"]), before);
  for (const list of ["containers", "initContainers"]) {
    if (!sameContainers(now[list], was[list], SPEC.child(list), errors)) return;
  }
  if (!deadline(now["activeDeadlineSeconds"], was["activeDeadlineSeconds"], errors)) return;
  onlyMoreTolerations(now["tolerations"], was["tolerations"], errors, ctx);
  onlyFewerGates(now["schedulingGates"], was["schedulingGates"], errors);
  if (same(now, was)) return;
  const merged = withOld(now, was);
  if (count(was["schedulingGates"])) gatedChanges(merged, was, errors);
  if (!same(merged, was)) errors.forbidden(SPEC, `pod updates may not change fields other than ${CHANGEABLE}`);
}

/** The same number of containers, each with an image. False ends the comparison. */
function sameContainers(now: readonly Tree[], was: readonly Tree[], path: Path, errors: ErrorList): boolean {
  if (count(now) !== count(was)) {
    errors.forbidden(path, "pod updates may not add or remove containers");
    return false;
  }
  for (const [i, c] of items(now).entries()) {
    const image: string = c["image"] ?? "";
    if (!image) errors.required(path.index(i).child("image"));
    if (image.trim() !== image) {
      errors.invalid(path.index(i).child("image"), image, "must not have leading or trailing whitespace");
    }
  }
  return true;
}

function deadline(now: number | undefined, was: number | undefined, errors: ErrorList): boolean {
  const path = SPEC.child("activeDeadlineSeconds");
  if (!isSet(now)) {
    if (isSet(was)) errors.invalid(path, null, "must not be removed once set");
    return true;
  }
  if (now < 0 || now > MAX_INT32) errors.invalid(path, now, `must be between 0 and ${MAX_INT32}`);
  else if (isSet(was) && was < now) errors.invalid(path, now, "must be less than or equal to the previous value");
  else return true;
  return false;
}

function onlyMoreTolerations(
  now: readonly Tree[],
  was: readonly Tree[],
  errors: ErrorList,
  ctx: ValidateContext,
): void {
  const path = SPEC.child("tolerations");
  const identity = (t: Tree) => identityOf({ ...t, tolerationSeconds: null }), kept = new Set(items(now).map(identity));
  if (items(was).some((old) => !kept.has(identity(old)))) {
    return errors.forbidden(path, "existing tolerations must not be changed but for their tolerationSeconds");
  }
  const compared = items(was).some((t) => t["operator"] === "Lt" || t["operator"] === "Gt");
  tolerations(now, path, errors, compared || ctx.gate("TaintTolerationComparisonOperators"));
}

function onlyFewerGates(now: readonly Tree[], was: readonly Tree[], errors: ErrorList): void {
  const old = new Set(items(was).map((g) => g["name"]));
  const added = new Map(items(now).map((g, i) => [g["name"] ?? "", i] as const));
  for (const [name, i] of added) {
    if (!old.has(name)) {
      errors.forbidden(SPEC.child("schedulingGates").index(i).child("name"), "scheduling gates can only be removed");
    }
  }
}

/** The new spec with the old values of what may change. */
function withOld(now: Tree, was: Tree): Tree {
  const images = (list: string) => items(now[list]).map((c, i) => ({ ...c, image: was[list][i].image }));
  const merged: Tree = {
    ...now,
    containers: images("containers"),
    initContainers: images("initContainers"),
    activeDeadlineSeconds: was["activeDeadlineSeconds"],
    schedulingGates: was["schedulingGates"],
    tolerations: was["tolerations"],
  };
  if (was["terminationGracePeriodSeconds"] < 0 && now["terminationGracePeriodSeconds"] === 1) {
    merged["terminationGracePeriodSeconds"] = was["terminationGracePeriodSeconds"];
  }
  return merged;
}

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

/** A pod that waits at a gate may still narrow where it runs. Changes `merged` to hold the old values of that. */
function gatedChanges(merged: Tree, was: Tree, errors: ErrorList): void {
  if (!same(merged["nodeSelector"], was["nodeSelector"])) {
    const kept = Object.entries(was["nodeSelector"] ?? {}).every(([k, v]) => merged["nodeSelector"]?.[k] === v);
    if (!kept) errors.invalid(SPEC.child("nodeSelector"), merged["nodeSelector"], "only additions are allowed");
    merged["nodeSelector"] = was["nodeSelector"];
  }
  const old: Tree | undefined = was["affinity"]?.nodeAffinity, now: Tree | undefined = merged["affinity"]?.nodeAffinity;
  if (same(old, now)) return;
  narrowed(now, old, errors);
  const { nodeAffinity: _, ...others } = merged["affinity"] ?? {};
  if (old) merged["affinity"] = { ...others, nodeAffinity: old };
  else merged["affinity"] = !was["affinity"] && !Object.keys(others).length ? undefined : others;
}

function narrowed(now: Tree | undefined, old: Tree | undefined, errors: ErrorList): void {
  if (!old?.[REQUIRED]) return;
  const path = SPEC.child("affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms");
  const was = items(old[REQUIRED].nodeSelectorTerms), terms = items(now?.[REQUIRED]?.nodeSelectorTerms);
  if (was.length && was.length !== terms.length) {
    return errors.invalid(path, terms, "terms must not be added or removed");
  }
  for (const [i, t] of was.entries()) {
    if (!onlyAdds(terms[i]!, t)) errors.invalid(path.index(i), terms[i], "only additions are allowed");
  }
}

function onlyAdds(now: Tree, was: Tree): boolean {
  const lists = ["matchExpressions", "matchFields"];
  if (lists.every((l) => !count(was[l]))) return lists.every((l) => !count(now[l]));
  return lists.every((l) => same(items(now[l]).slice(0, count(was[l])), items(was[l])));
}
