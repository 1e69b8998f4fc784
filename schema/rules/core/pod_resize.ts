/** Changes of what a running pod's containers may use. */
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { count, emptyMap, isSet, items, same, type Tree } from "../tree.ts";
import type { RuleContext, ValidateContext } from "../types.ts";
import { volumesResized } from "./pod_resize_volumes.ts";
import { ANNOTATIONS } from "./pod_annotations.ts";
import { isSidecar, restartsOnResize } from "./pod_scope.ts";
import { QOS_FIX, qosClass } from "./qos.ts";

const SPEC = Path.of("spec");
const RESIZED = ["resources", "resizePolicy"];
const VOLUMES = "InPlacePodVerticalScalingMemoryBackedVolumes";

/** Makes of a new pod the old one with the new resources and resize policies. False: containers came or went; nothing is made. */
export function onlyResize(now: Tree, old: Tree, ctx: RuleContext): boolean {
  const spec: Tree = now["spec"], was: Tree = old["spec"];
  const lists = ["containers", "initContainers"];
  if (lists.some((l) => count(spec[l]) !== count(was[l]))) return false;
  const merged: Tree = { ...was };
  for (const l of lists) {
    const same = items(spec[l]).every((c, i) => c["name"] === was[l][i].name);
    if (was[l]) merged[l] = same ? items(spec[l]).map((c, i) => resized(c, was[l][i])) : spec[l];
  }
  if (ctx.gate("InPlacePodLevelResourcesVerticalScaling")) {
    if (isSet(spec["resources"])) merged["resources"] = spec["resources"];
    else delete merged["resources"];
  }
  if (ctx.gate(VOLUMES)) {
    if (spec["volumes"]) merged["volumes"] = spec["volumes"];
    else delete merged["volumes"];
  }
  now["spec"] = merged;
  now["status"] = old["status"];
  return true;
}

function resized(now: Tree, was: Tree): Tree {
  const out: Tree = { ...was };
  for (const m of RESIZED) {
    if (isSet(now[m])) out[m] = now[m];
    else delete out[m];
  }
  return out;
}

/** Everything that holds of an update through `pods/resize`. */
export function podResize(pod: Tree, old: Tree, errors: ErrorList, ctx: ValidateContext): void {
  const now: Tree = pod["spec"], was: Tree = old["spec"];
  const refuse = (why: string) => {
    errors.forget(0);
    errors.forbidden("[]", why);
  };
  if (old["metadata"].annotations?.[ANNOTATIONS(ctx.product).mirror] !== undefined) {
    return refuse("static pods cannot be resized");
  }
  if (was["os"]?.name === "windows") return refuse("windows pods cannot be resized");
  const fix = ctx.gate(QOS_FIX);
  const { qosClass: before = qosClass(was, fix) } = old["status"] ?? {};
  if (before !== qosClass(now, fix)) {
    errors.invalid(SPEC, before, "Pod QOS Class may not change as a result of resizing");
  }
  if (!canResize(old)) errors.forbidden(SPEC, "the pod runs on a node that does not support resizing");
  const changed: Tree = { ...now };
  const whole = (s: Tree) => s["resources"] && !(emptyMap(s["resources"].requests) && emptyMap(s["resources"].limits));
  if (whole(now) || whole(was)) {
    if (!ctx.gate("InPlacePodLevelResourcesVerticalScaling")) {
      return errors.forbidden("[]", "pods with resources of their own cannot be resized");
    }
    podLevel(changed, was, errors);
  }
  if (count(old["status"]?.nodeAllocatableResourceClaimStatuses)) {
    errors.forbidden(SPEC, "pods with claims on what nodes can give cannot be resized");
  }
  if (!sameOrder(now, was, errors)) return;
  const initToo = ctx.gate("InPlacePodVerticalScalingInitContainers");
  for (const list of ["initContainers", "containers"]) {
    for (const [i, c] of items(now[list]).entries()) {
      const before: Tree = was[list][i];
      if (list === "initContainers" && !initToo && !isSidecar(before)) continue;
      notRemoved(c["resources"], before["resources"], SPEC.child(list).index(i).child("resources"), errors);
    }
  }
  if (ctx.gate(VOLUMES)) {
    volumesResized(now["volumes"], was["volumes"], errors);
    if (was["volumes"]) changed["volumes"] = was["volumes"];
    else delete changed["volumes"];
  }
  onlyComputeChanged(changed, was, initToo, errors);
}

/** Resources of the pod as a whole. Changes `now` to hold the old amounts of what may change. */
function podLevel(now: Tree, was: Tree, errors: ErrorList): void {
  const path = SPEC.child("resources"), old: Tree | undefined = was["resources"];
  if (old && !now["resources"]) return errors.forbidden(path, "must not be removed");
  if (old) notRemoved(now["resources"], old, path, errors);
  const merged = oldCompute(now["resources"], old);
  if (!old && !merged["claims"] && emptyMap(merged["requests"]) && emptyMap(merged["limits"])) delete now["resources"];
  else now["resources"] = merged;
  if (!same(bare(now["resources"]), bare(old))) errors.forbidden(SPEC, "only cpu and memory of the pod may change");
}

/** Resources without empty lists, which say nothing. */
function bare(r: Tree | undefined): Tree | undefined {
  return r && Object.fromEntries(Object.entries(r).filter(([, v]) => !emptyMap(v)));
}

const canResize = (pod: Tree): boolean => {
  const running = items(pod["status"]?.containerStatuses).find((s) => s["state"]?.running);
  return !running || isSet(running["resources"]);
};

function sameOrder(now: Tree, was: Tree, errors: ErrorList): boolean {
  const before = errors.causes.length;
  for (const list of ["containers", "initContainers"]) {
    if (count(now[list]) !== count(was[list])) {
      errors.forbidden(SPEC.child(list), "must not be added or removed on resize");
    } else {
      for (const [i, c] of items(was[list]).entries()) {
        if (now[list][i].name !== c["name"]) {
          errors.forbidden(
            SPEC.child(list).index(i).child("name"),
            `${list} may not be renamed or reordered on resize`,
          );
        }
      }
    }
  }
  return errors.causes.length === before;
}

function notRemoved(now: Tree | undefined, was: Tree | undefined, path: Path, errors: ErrorList): void {
  for (const list of ["requests", "limits"]) {
    for (const k in was?.[list] ?? {}) {
      if (isSet(now?.[list]?.[k])) continue;
      errors.forbidden(path.child(list), `resource ${list} cannot be removed`);
      break;
    }
  }
}

const COMPUTE = ["cpu", "memory"];

function onlyComputeChanged(now: Tree, was: Tree, initToo: boolean, errors: ErrorList): void {
  const merged: Tree = { ...now };
  for (const list of ["containers", "initContainers"]) {
    if (!now[list]) continue;
    merged[list] = items(now[list]).map((c, i) => {
      const old: Tree = was[list][i];
      return list === "containers" ? ofContainer(c, old, errors) : ofInitContainer(c, old, i, initToo, errors);
    });
  }
  if (!errors.empty) return;
  if (!same(merged, was)) errors.forbidden(SPEC, "only cpu and memory resources are mutable");
}

function ofContainer(c: Tree, old: Tree, errors: ErrorList): Tree {
  const rest = { ...c, resources: oldCompute(c["resources"], old["resources"]) };
  if (!same(rest, { ...old, resources: bare(old["resources"]) ?? {} })) {
    errors.forbidden(SPEC, "only cpu and memory resources are mutable");
  } else rest["resources"] = old["resources"];
  return rest;
}

function ofInitContainer(c: Tree, old: Tree, index: number, initToo: boolean, errors: ErrorList): Tree {
  const changed = !same(c, old), at = SPEC.child("initContainers").index(index);
  if (!initToo && !isSidecar(c)) {
    if (changed) errors.forbidden(SPEC, "resources of init containers are immutable");
    return c;
  }
  const rest = { ...c, resources: oldCompute(c["resources"], old["resources"]) };
  if (!same(rest, { ...old, resources: bare(old["resources"]) ?? {} })) {
    errors.forbidden(at, "only cpu and memory may change");
  } else rest["resources"] = old["resources"];
  for (const p of items(c["resizePolicy"])) {
    if (changed && !isSidecar(c) && restartsOnResize(p)) {
      errors.forbidden(at, "init containers that restart when resized cannot be resized");
    }
  }
  return rest;
}

/** New resources with the old amounts of cpu and memory. */
function oldCompute(now: Tree = {}, was: Tree = {}): Tree {
  const out: Tree = { ...now };
  for (const list of ["limits", "requests"]) {
    const merged: Tree = { ...now[list] };
    for (const k of COMPUTE) {
      if (isSet(was[list]?.[k])) merged[k] = was[list][k];
      else delete merged[k];
    }
    if (emptyMap(merged)) delete out[list];
    else out[list] = merged;
  }
  return out;
}
