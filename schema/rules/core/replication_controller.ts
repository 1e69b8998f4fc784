/** Rules of replication controllers, and what all controllers of pods share. */
import type { Obj } from "../../model/types.ts";
import { namingWarnings, templateWarnings } from "./pod_warnings.ts";
import { keep, nonNegative } from "../checks/basic.ts";
import type { ErrorList } from "../errors.ts";
import { completedSubdomain } from "../object_meta.ts";
import { Path } from "../path.ts";
import { emptyMap, isSet, type Tree } from "../tree.ts";
import type { KindRules, ValidateContext } from "../types.ts";
import { dropDisabledInTemplate } from "./pod_drop.ts";
import { podTemplate } from "./pod_template.ts";

const SPEC = Path.of("spec"), STATUS = Path.of("status");

/** Templates of controllers always restart and have no deadline. */
export function foreverTemplate(t: Tree, path: Path, errors: ErrorList): void {
  const policy = t["spec"]?.restartPolicy;
  if (policy !== "Always") errors.notSupported(path.child("spec", "restartPolicy"), policy ?? "", ["Always"]);
  if (isSet(t["spec"]?.activeDeadlineSeconds)) {
    errors.forbidden(path.child("spec", "activeDeadlineSeconds"), "not supported here");
  }
}

/**
 * Counts of pods in a controller's status. Each of `parts` is at most `status.replicas`. `others`: what stands before and
 * after these, in the order in which clients see causes.
 */
export function replicaCounts(
  status: Tree,
  parts: readonly string[],
  errors: ErrorList,
  others: { readonly before?: readonly string[]; readonly after?: readonly string[] } = {},
): void {
  for (const m of [...others.before ?? [], "replicas", ...parts, ...others.after ?? ["observedGeneration"]]) {
    nonNegative(status[m], STATUS.child(m), errors);
  }
  const all = status["replicas"] ?? 0;
  for (const m of parts) {
    if ((status[m] ?? 0) > all) {
      errors.invalid(STATUS.child(m), status[m] ?? 0, "must not be greater than status.replicas");
    }
  }
  if ((status["availableReplicas"] ?? 0) > (status["readyReplicas"] ?? 0)) {
    errors.invalid(
      STATUS.child("availableReplicas"),
      status["availableReplicas"],
      "must not be greater than readyReplicas",
    );
  }
}

function spec(s: Tree, old: Tree | undefined, errors: ErrorList, ctx: ValidateContext): void {
  nonNegative(s["minReadySeconds"], SPEC.child("minReadySeconds"), errors);
  if (emptyMap(s["selector"])) errors.required(SPEC.child("selector"));
  if (!isSet(s["replicas"])) errors.required(SPEC.child("replicas"));
  else nonNegative(s["replicas"], SPEC.child("replicas"), errors);
  const path = SPEC.child("template"), t: Tree | undefined = s["template"];
  if (!t) return errors.required(path);
  const labels: Tree = t["metadata"]?.labels ?? {}, selector: Tree = s["selector"] ?? {};
  if (Object.keys(selector).some((k) => labels[k] !== selector[k])) {
    errors.invalid(path.child("metadata", "labels"), labels, "`selector` does not match template `labels`");
  }
  podTemplate(t, old?.["template"], path, errors, ctx);
  foreverTemplate(t, path, errors);
}

const createWarnings = namingWarnings("spec", "template");

/** An update that changes the spec warns of the template that it replaces. */
const controllerWarnings: NonNullable<KindRules["warnings"]> = (obj, old, ctx) => {
  if (!old) return createWarnings(obj, old, ctx);
  if (old.metadata.generation === obj.metadata.generation) return [];
  return templateWarnings(old["spec"]?.template ?? {}, SPEC.child("template"), ctx);
};

/** What every read fills in; a write of the status need not name the template that the labels come from. */
function labelsOfTemplate({ metadata, spec }: Obj): void {
  const labels = spec?.template?.metadata?.labels;
  if (labels && emptyMap(metadata.labels)) metadata.labels = { ...labels };
}

/** Rules of `replicationcontrollers`. */
export const REPLICATION_CONTROLLER: KindRules = {
  name: completedSubdomain,
  generation: ["spec"],
  meta: { whole: 0 },
  prepareCreate(obj, ctx) {
    obj["status"] = { replicas: 0 };
    dropDisabledInTemplate(obj["spec"]?.template, undefined, ctx);
  },
  prepareUpdate(obj, old, ctx) {
    keep(obj, old, "status");
    dropDisabledInTemplate(obj["spec"]?.template, old["spec"]?.template, ctx);
  },
  validate: (obj, errors, ctx, old) => spec(obj["spec"] ?? {}, old?.["spec"], errors, ctx),
  warnings: controllerWarnings,
  subresources: {
    status: {
      prepareUpdate(obj, old) {
        keep(obj, old, "spec");
        labelsOfTemplate(obj);
      },
      validateUpdate: (obj, _old, errors) =>
        replicaCounts(obj["status"] ?? {}, ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"], errors),
    },
  },
};
