/** Changes of what a running pod's containers may use. */
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { count, emptyMap, isSet, items, same, type Tree } from "../tree.ts";
import type { ValidateContext } from "../types.ts";
import { ANNOTATIONS } from "./pod_annotations.ts";
import { isSidecar } from "./pod_scope.ts";
import { qosClass } from "./qos.ts";

const SPEC = Path.of("spec");
const RESIZED = ["resources", "resizePolicy"];

/** The old pod with the new resources and resize policies; the new one unchanged where containers are not the same. */
export function onlyResize(now: Tree, old: Tree, ctx: ValidateContext | { gate(name: string): boolean }): void {
  const spec: Tree = now["spec"], was: Tree = old["spec"];
  const lists = ["containers", "initContainers"];
  if (lists.some((l) => count(spec[l]) !== count(was[l]))) return;
  const merged: Tree = { ...was };
  for (const l of lists) {
    const same = items(spec[l]).every((c, i) => c["name"] === was[l][i].name);
    if (was[l]) merged[l] = same ? items(spec[l]).map((c, i) => resized(c, was[l][i])) : spec[l];
  }
  if (ctx.gate("InPlacePodLevelResourcesVerticalScaling") && isSet(spec["resources"])) {
    merged["resources"] = spec["resources"];
  }
  now["spec"] = merged;
  now["status"] = old["status"];
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
    errors.causes.length = 0;
    errors.forbidden("", why);
  };
  const whole = (s: Tree) => s["resources"] && !(emptyMap(s["resources"].requests) && emptyMap(s["resources"].limits));
  if ((whole(now) || whole(was)) && !ctx.gate("InPlacePodLevelResourcesVerticalScaling")) {
    return refuse("pods with resources of their own cannot be resized");
  }
  if (old["metadata"].annotations?.[ANNOTATIONS(ctx.product).mirror] !== undefined) {
    return refuse("static pods cannot be resized");
  }
  if (was["os"]?.name === "windows") return refuse("windows pods cannot be resized");
  const { qosClass: before = qosClass(was) } = old["status"] ?? {};
  if (before !== qosClass(now)) errors.invalid(SPEC, before, "the class of service must not change by resizing");
  if (!canResize(old)) errors.forbidden(SPEC, "the pod runs on a node that does not support resizing");
  if (!sameOrder(now, was, errors)) return;
  for (const list of ["initContainers", "containers"]) {
    for (const [i, c] of items(now[list]).entries()) {
      const before: Tree = was[list][i];
      if (list === "initContainers" && !isSidecar(before)) continue;
      notRemoved(c["resources"], before["resources"], SPEC.child(list).index(i).child("resources"), errors);
    }
  }
  onlyComputeChanged(now, was, errors);
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
          errors.forbidden(SPEC.child(list).index(i).child("name"), "must not be renamed or reordered on resize");
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
      errors.forbidden(path.child(list), "must not be removed");
      break;
    }
  }
}

const COMPUTE = ["cpu", "memory"];

function onlyComputeChanged(now: Tree, was: Tree, errors: ErrorList): void {
  const before = errors.causes.length;
  const merged: Tree = { ...now };
  for (const list of ["containers", "initContainers"]) {
    if (!now[list]) continue;
    merged[list] = items(now[list]).map((c, i) => {
      const old: Tree = was[list][i];
      const resizable = list === "containers" || isSidecar(c);
      const rest = resizable ? { ...c, resources: oldCompute(c["resources"], old["resources"]) } : c;
      if (!same(rest, old)) {
        errors.forbidden(
          SPEC,
          resizable ? "only cpu and memory may change" : "resources of init containers are immutable",
        );
      }
      return rest;
    });
  }
  if (errors.causes.length > before) return;
  if (!same({ ...merged, resources: was["resources"] }, was)) errors.forbidden(SPEC, "only cpu and memory may change");
}

function oldCompute(now: Tree = {}, was: Tree = {}): Tree {
  const out: Tree = { ...now };
  for (const list of ["limits", "requests"]) {
    if (!was[list]) {
      delete out[list];
      continue;
    }
    const merged: Tree = { ...now[list] };
    for (const k of COMPUTE) {
      if (isSet(was[list][k])) merged[k] = was[list][k];
      else delete merged[k];
    }
    out[list] = merged;
  }
  return out;
}
