/** Rules of stateful sets. */
import { claimSpecWarnings } from "../core/claim_warnings.ts";
import { workloadWarnings } from "../core/pod_warnings.ts";
import { format, keep, nonNegative, oneOf } from "../checks/basic.ts";
import { dnsLabel } from "../checks/formats.ts";
import { atMostAll, intOrPercent, plainValue } from "../checks/int_or_percent.ts";
import { selectsTemplate, workloadSelector } from "../checks/workload.ts";
import { claimSpec } from "../core/claim_spec.ts";
import { dropDisabledInTemplate } from "../core/pod_drop.ts";
import { podAnnotations } from "../core/pod_annotations.ts";
import { podScope } from "../core/pod_scope.ts";
import { podTemplate } from "../core/pod_template.ts";
import { foreverTemplate, replicaCounts } from "../core/replication_controller.ts";
import type { ErrorList } from "../errors.ts";
import type { Obj } from "../../model/types.ts";
import { validateAnnotations, validateLabels } from "../object_meta.ts";
import { Path } from "../path.ts";
import { isSet, items, same, type Tree } from "../tree.ts";
import type { KindRules, RuleContext, ValidateContext } from "../types.ts";
import { keepsCollisionCount } from "./status.ts";

const SPEC = Path.of("spec");
const RETENTION = ["Retain", "Delete"], MANAGEMENT = ["OrderedReady", "Parallel"];

/** What deletes all pods before it makes new ones; only with its gate, or where it is used already. */
const RECREATE = "Recreate";

function updateStrategy(s: Tree, path: Path, errors: ErrorList, recreate: boolean): void {
  const rolling = s["rollingUpdate"], at = path.child("rollingUpdate"), max = rolling?.maxUnavailable;
  if (!s["type"]) return errors.required(path);
  const types = ["RollingUpdate", "OnDelete", ...(recreate ? [RECREATE] : [])];
  if (s["type"] !== "RollingUpdate" && types.includes(s["type"])) {
    if (rolling) errors.invalid(at, rolling, "only allowed for updateStrategy 'RollingUpdate'");
  } else if (s["type"] !== "RollingUpdate") errors.invalid(path, s, `must be one of ${types.join(", ")}`);
  else if (rolling) {
    nonNegative(rolling.partition, at.child("partition"), errors);
    if (!isSet(max)) return;
    const place = at.child("maxUnavailable");
    intOrPercent(max, place, errors);
    if (plainValue(max) === 0) errors.invalid(place, max, "must not be 0");
    atMostAll(max, place, errors);
  }
}

/** The template as its pods will have it: a volume for each claim template, and names that the controller gives. */
function asInPods(s: Tree): Tree {
  const { hostname: _h, subdomain: _d, ...podSpec }: Tree = s["template"]?.spec ?? {};
  const t: Tree = { ...s["template"], spec: podSpec }, claims = items(s["volumeClaimTemplates"]);
  if (!claims.length) return t;
  const names = new Set<string>(claims.map((c) => c["metadata"]?.name ?? ""));
  const made = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const others = items(t["spec"]?.volumes).filter((v) => !names.has(v["name"]));
  return { ...t, spec: { ...t["spec"], volumes: [...made, ...others] } };
}

function template(s: Tree, old: Tree | undefined, errors: ErrorList, ctx: ValidateContext): void {
  const path = SPEC.child("template"), meta: Tree = s["template"]?.metadata ?? {};
  if (meta["labels"]) validateLabels(meta["labels"], path.child("labels"), errors);
  if (meta["annotations"]) {
    const was: Tree | undefined = old?.["template"],
      scope = podScope(s["template"].spec ?? {}, was?.["spec"], errors, ctx);
    validateAnnotations(meta["annotations"], path.child("annotations"), errors);
    podAnnotations(meta["annotations"], scope, was?.["metadata"]?.annotations, path.child("annotations"));
  }
  podTemplate(asInPods(s), old?.["template"], path, errors, ctx);
}

function spec(s: Tree, old: Tree | undefined, errors: ErrorList, ctx: ValidateContext): void {
  const policy = s["podManagementPolicy"], place = SPEC.child("podManagementPolicy");
  if (!policy) errors.required(place);
  else if (!MANAGEMENT.includes(policy)) errors.invalid(place, policy, `must be ${MANAGEMENT.join(" or ")}`);
  const recreate = ctx.gate("StatefulSetRecreateStrategy") || old?.["updateStrategy"]?.type === RECREATE;
  updateStrategy(s["updateStrategy"] ?? {}, SPEC.child("updateStrategy"), errors, recreate);
  const retention = s["persistentVolumeClaimRetentionPolicy"], at = SPEC.child("persistentVolumeClaimRetentionPolicy");
  if (retention) { for (const m of ["whenDeleted", "whenScaled"]) oneOf(retention[m], RETENTION, at.child(m), errors); }
  nonNegative(s["replicas"], SPEC.child("replicas"), errors);
  nonNegative(s["minReadySeconds"], SPEC.child("minReadySeconds"), errors);
  nonNegative(s["ordinals"]?.start, SPEC.child("ordinals.start"), errors);
  workloadSelector(s["selector"], SPEC.child("selector"), errors);
  if (selectsTemplate(s, SPEC, errors)) template(s, old, errors, ctx);
  else errors.invalid(SPEC.child("selector"), s["selector"], "invalid label selector");
  foreverTemplate(s["template"] ?? {}, SPEC.child("template"), errors);
  if (old) return;
  if (s["serviceName"]) format(s["serviceName"], SPEC.child("serviceName"), errors, dnsLabel);
  for (const [i, c] of items(s["volumeClaimTemplates"]).entries()) {
    claimSpec(c["spec"] ?? {}, SPEC.child("volumeClaimTemplates").index(i).child("spec"), errors, ctx);
  }
}

const CHANGEABLE = [
  "replicas",
  "template",
  "updateStrategy",
  "minReadySeconds",
  "ordinals",
  "persistentVolumeClaimRetentionPolicy",
  "revisionHistoryLimit",
];

function update(obj: Obj, old: Obj, errors: ErrorList): void {
  const now: Tree = { ...obj["spec"] };
  for (const m of CHANGEABLE) keep(now, old["spec"], m);
  if (!same(now, old["spec"])) errors.forbidden(SPEC, `updates may change no fields but ${CHANGEABLE.join(", ")}`);
}

const drop = (obj: Obj, old: Obj | undefined, ctx: RuleContext) => {
  dropDisabledInTemplate(obj["spec"]?.template, old?.["spec"]?.template, ctx);
  const rolling = obj["spec"]?.updateStrategy?.rollingUpdate;
  if (
    rolling && !ctx.gate("MaxUnavailableStatefulSet") &&
    !isSet(old?.["spec"]?.updateStrategy?.rollingUpdate?.maxUnavailable)
  ) {
    delete rolling.maxUnavailable;
  }
};

const templateWarnings = workloadWarnings("spec", "template");

/** Rules of `statefulsets.apps`. */
export const STATEFUL_SET: KindRules = {
  name: "dns1123Label",
  generation: ["spec"],
  meta: { whole: 0 },
  prepareCreate(obj, ctx) {
    obj["status"] = { replicas: 0, availableReplicas: 0 };
    drop(obj, undefined, ctx);
  },
  prepareUpdate(obj, old, ctx) {
    keep(obj, old, "status");
    drop(obj, old, ctx);
  },
  validate: (obj, errors, ctx, old) => spec(obj["spec"] ?? {}, old?.["spec"], errors, ctx),
  validateUpdate: update,
  warnings: (obj, old, ctx) => {
    const s: Tree = obj["spec"] ?? {}, out = templateWarnings(obj, old, ctx);
    if (!old || old.metadata.generation !== obj.metadata.generation) {
      const claims = SPEC.child("volumeClaimTemplates");
      for (const [i, c] of items(s["volumeClaimTemplates"]).entries()) {
        out.push(...claimSpecWarnings(c["spec"] ?? {}, claims.index(i).child("spec")));
      }
    }
    if (s["revisionHistoryLimit"] < 0) {
      out.push("spec.revisionHistoryLimit: a negative value keeps all revisions; a value >= 0 is recommended");
    }
    return out;
  },
  subresources: {
    status: {
      prepareUpdate: (obj, old) => keep(obj, old, "spec"),
      validateUpdate(obj, old, errors) {
        replicaCounts(
          obj["status"] ?? {},
          ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"],
          errors,
          { after: ["observedGeneration", "collisionCount"] },
        );
        keepsCollisionCount(obj, old, errors);
      },
    },
  },
};
