/** Templates of pods. */
import type { ErrorList } from "../errors.ts";
import { validateAnnotations, validateLabels } from "../object_meta.ts";
import type { Path } from "../path.ts";
import { items, type Tree } from "../tree.ts";
import type { ValidateContext } from "../types.ts";
import { annotationsMatchFields, podAnnotations } from "./pod_annotations.ts";
import { podScope } from "./pod_scope.ts";
import { podSpec } from "./pod_spec.ts";

/** A template at `path`; `old` is the template that an update replaces. Labels and annotations stand beside `metadata`. */
export function podTemplate(t: Tree, old: Tree | undefined, path: Path, errors: ErrorList, ctx: ValidateContext): void {
  const meta: Tree = t["metadata"] ?? {};
  const scope = podScope(t["spec"] ?? {}, old?.["spec"], errors, ctx);
  if (meta["labels"]) validateLabels(meta["labels"], path.child("labels"), errors);
  if (meta["annotations"]) {
    validateAnnotations(meta["annotations"], path.child("annotations"), errors);
    podAnnotations(meta["annotations"], scope, old?.["metadata"]?.annotations, path.child("annotations"));
  }
  podSpec(scope, path.child("spec"));
  annotationsMatchFields(meta["annotations"], scope, path.child("spec"));
  if (items(t["spec"]?.ephemeralContainers).length) {
    errors.forbidden(
      path.child("spec", "ephemeralContainers"),
      "ephemeral containers are not allowed in a pod template",
    );
  }
}
