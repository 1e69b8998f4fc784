/** What all workloads that own pods share: selectors that match their templates. */
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";
import { count, emptyMap, type Tree } from "../tree.ts";
import { type LabelSelector, matches, type Requirement, selectorFromLabelSelector } from "../../values/labels.ts";
import { labelSelector } from "./selectors.ts";

/** Whether a selector has no condition at all. */
export const isEmptySelector = (s: Tree): boolean => emptyMap(s["matchLabels"]) && !count(s["matchExpressions"]);

/** Requirements of a selector; undefined when it has a fault, `null` when there is none. */
export function requirementsOf(s: Tree | null | undefined): Requirement[] | null | undefined {
  try {
    return selectorFromLabelSelector(s as LabelSelector | null | undefined) ?? null;
  } catch {
    return undefined;
  }
}

/** Whether a template's labels meet the selector; a missing selector meets nothing, an empty one everything. */
export function meets(requirements: Requirement[] | null, labels: Tree | undefined): boolean {
  return requirements !== null && matches(requirements, labels);
}

/** The selector of a workload: needed, well formed, not empty. */
export function workloadSelector(s: Tree | undefined, path: Path, errors: ErrorList): void {
  if (!s) return errors.required(path);
  labelSelector(s, path, errors);
  if (isEmptySelector(s)) errors.invalid(path, s, "must not be empty");
}

/** That the template's labels meet the selector. Returns false when the selector itself has a fault. */
export function selectsTemplate(spec: Tree, path: Path, errors: ErrorList): boolean {
  const requirements = requirementsOf(spec["selector"]), labels: Tree | undefined = spec["template"]?.metadata?.labels;
  if (requirements === undefined) return false;
  if (!meets(requirements, labels)) {
    errors.invalid(
      path.child("template", "metadata", "labels"),
      labels ?? {},
      "`selector` does not match template `labels`",
    );
  }
  return true;
}
