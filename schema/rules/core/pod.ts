/** Rules of pods. */
import { ipWarnings } from "../../values/ip.ts";
import { nowTime } from "../../values/time.ts";
import type { ErrorList } from "../errors.ts";
import type { Obj } from "../../model/types.ts";
import { keep } from "../checks/basic.ts";
import { Path } from "../path.ts";
import { entryOf, isSet, items, same, type Tree } from "../tree.ts";
import type { KindRules, RuleContext, ValidateContext } from "../types.ts";
import { imagePadding } from "./containers.ts";
import { ANNOTATIONS, annotationsMatchFields, podAnnotations } from "./pod_annotations.ts";
import { profilesFromAnnotations } from "./pod_apparmor.ts";
import { completePodResources, keepPodResources } from "./pod_defaults.ts";
import { dropDisabled } from "./pod_drop.ts";
import { onlyResize, podResize } from "./pod_resize.ts";
import { affinityTerms, podScope } from "./pod_scope.ts";
import { podSpec } from "./pod_spec.ts";
import { keepObservedGenerations, podStatusUpdate } from "./pod_status.ts";
import { dropDisabledStatus } from "./pod_status_drop.ts";
import { podUpdate } from "./pod_update.ts";
import { podWarnings } from "./pod_warnings.ts";
import { keepClaimStatuses } from "./pod_status_claims.ts";
import { QOS_FIX, qosClass } from "./qos.ts";

const SPEC = Path.of("spec");

function prepareCreate(pod: Obj, ctx: RuleContext): string[] {
  const spec: Tree = pod["spec"] ??= {};
  dropDisabled(spec, undefined, ctx);
  completePodResources(spec, ctx);
  pod["status"] = { phase: "Pending", qosClass: pod["status"]?.qosClass || qosClass(spec, ctx.gate(QOS_FIX)) };
  if (items(spec["schedulingGates"]).length) {
    pod["status"].conditions = [{
      type: "PodScheduled",
      status: "False",
      lastProbeTime: null,
      lastTransitionTime: nowTime(ctx.now()),
      reason: "SchedulingGated",
      message: "Scheduling is blocked due to non-empty scheduling gates",
    }];
  }
  const labels = pod.metadata.labels ?? {};
  for (const term of affinityTerms(spec)) mergeKeys(term, labels);
  if (ctx.gate("MatchLabelKeysInPodTopologySpreadSelectorMerge")) {
    for (const c of items(spec["topologySpreadConstraints"])) mergeKeys(c, labels);
  }
  return profilesFromAnnotations(pod, ctx);
}

/** Label keys that a term names become expressions of its selector, with the pod's own values. */
function mergeKeys(term: Tree, labels: Readonly<Record<string, string>>): void {
  if (!term["labelSelector"]) return;
  for (const [member, operator] of [["matchLabelKeys", "In"], ["mismatchLabelKeys", "NotIn"]] as const) {
    for (const key of items<string>(term[member])) {
      const value: string | undefined = entryOf(labels, key);
      if (value !== undefined) (term["labelSelector"].matchExpressions ??= []).push({ key, operator, values: [value] });
    }
  }
}

/** Metadata's annotations and the spec, as every write checks them. */
function whole(pod: Obj, old: Obj | undefined, errors: ErrorList, ctx: ValidateContext): void {
  const spec: Tree = pod["spec"] ?? {};
  const scope = podScope(spec, old?.["spec"], errors, ctx, pod.metadata);
  podAnnotations(pod.metadata.annotations, scope, old?.metadata.annotations);
  podSpec(scope, SPEC);
  if (!spec["serviceAccountName"]) noTokens(spec, errors);
  for (const list of ["containers", "initContainers"]) {
    for (const [i, c] of items(spec[list]).entries()) imagePadding(c, SPEC.child(list).index(i), errors);
  }
  if (old) return;
  if (items(spec["ephemeralContainers"]).length) {
    errors.forbidden(SPEC.child("ephemeralContainers"), "cannot be set on create");
  }
  if (spec["nodeName"] && items(spec["schedulingGates"]).length) {
    errors.forbidden(SPEC.child("nodeName"), "cannot be set until all schedulingGates have been cleared");
  }
  annotationsMatchFields(pod.metadata.annotations, scope, SPEC);
}

function noTokens(spec: Tree, errors: ErrorList): void {
  for (const [i, v] of items(spec["volumes"]).entries()) {
    for (const [j, s] of items(v["projected"]?.sources).entries()) {
      if (!isSet(s["serviceAccountToken"])) continue;
      errors.forbidden(
        SPEC.child("volumes").index(i).child("projected", "sources").index(j).child("serviceAccountToken"),
        "must not be specified when serviceAccountName is not set",
      );
    }
  }
}

/** Metadata that writes through a subresource keep from the old object. */
const KEPT_META = [
  "labels",
  "annotations",
  "finalizers",
  "ownerReferences",
  "deletionTimestamp",
];

function keepMetadata(pod: Obj, old: Obj): void {
  const now = pod.metadata as Tree, was = old.metadata as Tree;
  for (const m of KEPT_META) keep(now, was, m);
}

function ephemeralUpdate(pod: Obj, old: Obj, errors: ErrorList, ctx: ValidateContext): void {
  const path = SPEC.child("ephemeralContainers");
  if (old.metadata.annotations?.[ANNOTATIONS(ctx.product).mirror] !== undefined) {
    errors.forget(0);
    return errors.forbidden("[]", "static pods do not support ephemeral containers");
  }
  const { annotations } = pod.metadata, before = old.metadata.annotations;
  if (annotations) podAnnotations(annotations, podScope(pod["spec"], old["spec"], errors, ctx, pod.metadata), before);
  const now = new Map(items(pod["spec"].ephemeralContainers).map((c) => [c["name"], c]));
  for (const c of items(old["spec"].ephemeralContainers)) {
    if (!now.has(c["name"])) errors.forbidden(path, `existing ephemeral container "${c["name"]}" must not be removed`);
    else if (!same(c, now.get(c["name"]))) {
      errors.forbidden(path, `existing ephemeral container "${c["name"]}" must not be changed`);
    }
  }
}

/** Rules of `pods`. */
export const POD: KindRules = {
  generation: ["spec"],
  prepareCreate,
  prepareUpdate(pod, old, ctx) {
    keep(pod, old, "status");
    keepPodResources(pod["spec"], old["spec"], ctx);
    dropDisabled(pod["spec"], old["spec"], ctx);
  },
  validate: (pod, errors, ctx, old) => whole(pod, old, errors, ctx),
  validateUpdate: podUpdate,
  warnings: podWarnings,
  subresources: {
    status: {
      prepareUpdate(pod, old, ctx) {
        keep(pod, old, "spec");
        delete pod.metadata.deletionTimestamp;
        if (old.metadata.deletionTimestamp) pod.metadata.deletionTimestamp = old.metadata.deletionTimestamp;
        keep(pod.metadata as Tree, old.metadata as Tree, "ownerReferences");
        const status: Tree = pod["status"] ??= {}, was: Tree = old["status"] ?? {};
        if (!status["qosClass"] && was["qosClass"]) status["qosClass"] = was["qosClass"];
        keepClaimStatuses(pod, old);
        keepObservedGenerations(status, was);
        dropDisabledStatus(status, was, ctx);
      },
      validateUpdate: podStatusUpdate,
      warnings: (pod) =>
        ["podIPs", "hostIPs"].flatMap((m) =>
          items(pod["status"]?.[m]).flatMap((a, i) => ipWarnings(`status.${m}[${i}].ip`, a["ip"] ?? ""))
        ),
    },
    ephemeralcontainers: {
      meta: { whole: 1, runs: 1 },
      prepareUpdate(pod, old, ctx) {
        const added = pod["spec"]?.ephemeralContainers;
        pod["spec"] = { ...old["spec"] };
        if (isSet(added)) pod["spec"].ephemeralContainers = added;
        else delete pod["spec"].ephemeralContainers;
        keep(pod, old, "status");
        keepMetadata(pod, old);
        dropDisabled(pod["spec"], old["spec"], ctx);
      },
      validateUpdate: ephemeralUpdate,
    },
    resize: {
      meta: { whole: 1, runs: 1 },
      prepareUpdate(pod, old, ctx) {
        if (onlyResize(pod, old, ctx)) keepMetadata(pod, old);
        keepPodResources(pod["spec"], old["spec"], ctx);
        completePodResources(pod["spec"], ctx);
        dropDisabled(pod["spec"], old["spec"], ctx);
      },
      validateUpdate: podResize,
    },
  },
};
