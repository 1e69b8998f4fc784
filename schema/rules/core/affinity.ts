/** Where pods are placed: affinities, tolerations, spreading. */
import { format, oneOf } from "../checks/basic.ts";
import { dnsLabel, labelValue, qualifiedName } from "../checks/formats.ts";
import { labelSelector, nodeSelector, nodeSelectorTerm } from "../checks/selectors.ts";
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";
import { count, isSet, items, type Tree } from "../tree.ts";
import { keysOfSelector, type PodScope } from "./pod_scope.ts";
import { parseInt64 } from "../../values/int64.ts";

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

function weight(value: number | undefined, path: Path, errors: ErrorList): void {
  if (!value || value < 1 || value > 100) errors.invalid(path, value ?? 0, "must be in the range 1-100");
}

/** Affinity to nodes and to other pods. */
export function affinity(scope: PodScope, path: Path): void {
  const a: Tree | undefined = scope.spec["affinity"], { errors } = scope;
  if (!a) return;
  const nodes = a["nodeAffinity"], at = path.child("nodeAffinity");
  if (nodes?.[REQUIRED]) {
    nodeSelector(nodes[REQUIRED], at.child(REQUIRED), errors, scope.forgiven.labelValuesInNodeAffinity);
  }
  for (const [i, t] of items(nodes?.[PREFERRED]).entries()) {
    const term = at.child(PREFERRED).index(i);
    weight(t["weight"], term.child("weight"), errors);
    nodeSelectorTerm(t["preference"] ?? {}, term.child("preference"), errors, true);
  }
  for (const kind of ["podAffinity", "podAntiAffinity"]) {
    const pods = a[kind], place = path.child(kind);
    for (const [i, t] of items(pods?.[REQUIRED]).entries()) podTerm(t, place.child(REQUIRED).index(i), scope);
    for (const [i, w] of items(pods?.[PREFERRED]).entries()) {
      const term = place.child(PREFERRED).index(i);
      weight(w["weight"], term.child("weight"), errors);
      podTerm(w["podAffinityTerm"] ?? {}, term.child("podAffinityTerm"), scope);
    }
  }
}

function podTerm(t: Tree, path: Path, scope: PodScope): void {
  const { errors } = scope, options = { allowInvalidValues: scope.forgiven.labelValuesInAffinity };
  labelSelector(t["labelSelector"], path.child("labelSelector"), errors, options);
  labelSelector(t["namespaceSelector"], path.child("namespaceSelector"), errors, options);
  for (const n of items<string>(t["namespaces"])) format(n, path.child("namespace"), errors, dnsLabel);
  matchKeys(t, path, errors);
  if (!t["topologyKey"]) errors.required(path.child("topologyKey"), "must not be empty");
  format(t["topologyKey"] ?? "", path.child("topologyKey"), errors, qualifiedName);
}

function matchKeys(t: Tree, path: Path, errors: ErrorList): void {
  const match = items<string>(t["matchLabelKeys"]), mismatch = items<string>(t["mismatchLabelKeys"]);
  for (const [member, keys] of [["matchLabelKeys", match], ["mismatchLabelKeys", mismatch]] as const) {
    if (!keys.length) continue;
    if (!t["labelSelector"]) {
      errors.forbidden(path.child(member), "must not be specified when labelSelector is not set");
    } else for (const [i, k] of keys.entries()) format(k, path.child(member).index(i), errors, qualifiedName);
  }
  const seen = new Set(Object.keys(t["labelSelector"]?.matchLabels ?? {}));
  const last = new Map(match.map((k, i) => [k, i])), others = new Set(mismatch);
  for (const e of items(t["labelSelector"]?.matchExpressions)) {
    const i = last.get(e["key"]);
    if (i !== undefined && seen.has(e["key"])) {
      errors.invalid(path.index(i), e["key"], "exists in both matchLabelKeys and labelSelector");
    }
    seen.add(e["key"]);
  }
  for (const [i, k] of match.entries()) {
    if (others.has(k)) {
      errors.invalid(path.child("matchLabelKeys").index(i), k, "exists in both matchLabelKeys and mismatchLabelKeys");
    }
  }
}

const EFFECTS = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** An effect of a taint. */
export function taintEffect(effect: string | undefined, path: Path, errors: ErrorList): void {
  if (!effect) errors.required(path);
  else oneOf(effect, EFFECTS, path, errors);
}

/** Taints that a pod tolerates. */
export function tolerations(
  list: readonly Tree[] | undefined,
  path: Path,
  errors: ErrorList,
  comparisons = false,
): void {
  const all = items(list);
  for (let i = 0; i < all.length; i++) {
    const t = all[i]!, at = path.index(i), value: string = t["value"] ?? "";
    if (t["key"]) format(t["key"], at.child("key"), errors, qualifiedName);
    else if (t["operator"] !== "Exists") {
      errors.invalid(at.child("operator"), t["operator"] ?? "", "must be Exists when `key` is empty");
    }
    if (isSet(t["tolerationSeconds"]) && t["effect"] !== "NoExecute") {
      errors.invalid(at.child("effect"), t["effect"] ?? "", "must be 'NoExecute' when `tolerationSeconds` is set");
    }
    tolerationValue(t, value, at, errors, comparisons);
    if (t["effect"]) oneOf(t["effect"], EFFECTS, at.child("effect"), errors);
  }
}

function tolerationValue(t: Tree, value: string, at: Path, errors: ErrorList, comparisons: boolean): void {
  const operator: string = t["operator"] || "Equal", place = at.child("operator");
  if (operator === "Equal") {
    const faults = labelValue(value);
    if (faults.length) errors.invalid(place, value, faults.join("; "));
  } else if (operator === "Exists") {
    if (value) errors.invalid(place, value, "value must be empty when `operator` is 'Exists'");
  } else if (comparisons && (operator === "Lt" || operator === "Gt")) {
    if (!/^(?:0|-?[1-9][0-9]*)$/.test(value)) errors.invalid(at.child("value"), value, "must be a decimal number");
    if (parseInt64(value) === undefined) errors.invalid(at.child("value"), value, "must be a number of 64 bits");
  } else errors.notSupported(place, operator, ["Equal", "Exists"]);
}

const ACTIONS = ["DoNotSchedule", "ScheduleAnyway"], INCLUSION = ["Honor", "Ignore"];

/** How pods are spread over domains. */
export function topologySpread(scope: PodScope, path: Path): void {
  const list = items(scope.spec["topologySpreadConstraints"]), { errors } = scope;
  const pairOf = (c: Tree) => JSON.stringify([c["topologyKey"], c["whenUnsatisfiable"]]);
  const last = new Map(list.map((c, i) => [pairOf(c), i]));
  for (const [i, c] of list.entries()) {
    const at = path.index(i);
    if ((c["maxSkew"] ?? 0) <= 0) errors.invalid(at.child("maxSkew"), c["maxSkew"] ?? 0, "must be greater than 0");
    if (!c["topologyKey"]) errors.required(at.child("topologyKey"), "must not be empty");
    oneOf(c["whenUnsatisfiable"], ACTIONS, at.child("whenUnsatisfiable"), errors);
    const again = last.get(pairOf(c))! > i;
    if (again) {
      errors.duplicate(
        at.child("{topologyKey, whenUnsatisfiable}"),
        `{${c["topologyKey"]}, ${c["whenUnsatisfiable"]}}`,
      );
    }
    minDomains(c, at.child("minDomains"), errors);
    for (const m of ["nodeAffinityPolicy", "nodeTaintsPolicy"]) {
      if (isSet(c[m])) oneOf(c[m], INCLUSION, at.child(m), errors);
    }
    if (scope.forgiven.spreadLabelKeys || !scope.ctx.gate("MatchLabelKeysInPodTopologySpreadSelectorMerge")) {
      spreadKeys(c, at, errors);
    } else matchKeys({ labelSelector: c["labelSelector"], matchLabelKeys: c["matchLabelKeys"] }, at, errors);
    if (!scope.forgiven.spreadSelectors) labelSelector(c["labelSelector"], at.child("labelSelector"), errors);
  }
}

function minDomains(c: Tree, path: Path, errors: ErrorList): void {
  const n = c["minDomains"];
  if (!isSet(n)) return;
  if (n <= 0) errors.invalid(path, n, "must be greater than 0");
  if (c["whenUnsatisfiable"] !== "DoNotSchedule") {
    errors.invalid(path, n, "can only be used if whenUnsatisfiable is DoNotSchedule");
  }
}

function spreadKeys(c: Tree, at: Path, errors: ErrorList): void {
  const path = at.child("matchLabelKeys");
  if (count(c["matchLabelKeys"]) && !c["labelSelector"]) {
    errors.forbidden(path, "must not be specified when labelSelector is not set");
  }
  const selected = keysOfSelector(c["labelSelector"]);
  for (const [i, k] of items<string>(c["matchLabelKeys"]).entries()) {
    format(k, path.index(i), errors, qualifiedName);
    if (selected.has(k)) {
      errors.invalid(path.index(i), k, "exists in both matchLabelKeys and labelSelector");
    }
  }
}
