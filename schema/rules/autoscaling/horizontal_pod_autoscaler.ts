/** Rules of horizontal pod autoscalers, in the shape of version 2. */
import type { Obj } from "../../model/types.ts";
import { forgetEmpty } from "../checks/fill.ts";
import { keep, nonNegative } from "../checks/basic.ts";
import { nonNegativeAmount } from "../checks/resources.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { isSet, items, type Tree } from "../tree.ts";
import type { KindRules, RuleContext, ValidateContext } from "../types.ts";
import { fillBehavior } from "./defaults.ts";
import { goodVersion, metrics, reference, type ReferenceRule } from "./metrics.ts";

const SPEC = Path.of("spec"), STATUS = Path.of("status");
const DIRECTIONS = ["scaleUp", "scaleDown"];
const SELECT = ["Disabled", "Max", "Min"], POLICIES = ["Percent", "Pods"];
/** Limits in seconds. */
const WINDOW_LIMIT = 3600, PERIOD_LIMIT = 1800;

function scalingRules(r: Tree, path: Path, errors: ErrorList): void {
  const window = r["stabilizationWindowSeconds"];
  if (isSet(window) && (window < 0 || window > WINDOW_LIMIT)) {
    errors.invalid(path.child("stabilizationWindowSeconds"), window, `must be between 0 and ${WINDOW_LIMIT}`);
  }
  if (isSet(r["selectPolicy"]) && !SELECT.includes(r["selectPolicy"])) {
    errors.notSupported(path.child("selectPolicy"), r["selectPolicy"], SELECT);
  }
  const at = path.child("policies"), list = items(r["policies"]);
  if (!list.length) errors.required(at, "must specify at least one policy");
  for (let i = 0; i < list.length; i++) scalingPolicy(list[i]!, at.index(i), errors);
  if (isSet(r["tolerance"])) nonNegativeAmount(r["tolerance"], path.child("tolerance"), errors);
}

function scalingPolicy(p: Tree, path: Path, errors: ErrorList): void {
  const { type = "", value = 0, periodSeconds: period = 0 } = p;
  if (!POLICIES.includes(type)) errors.notSupported(path.child("type"), type, POLICIES);
  if (value <= 0) errors.invalid(path.child("value"), value, "must be greater than 0");
  if (period <= 0 || period > PERIOD_LIMIT) {
    errors.invalid(path.child("periodSeconds"), period, `must be between 1 and ${PERIOD_LIMIT}`);
  }
}

/** What the target's version may be. One that an update leaves alone is not looked at. */
function targetRule(now: Tree, was: Tree | undefined): ReferenceRule {
  if (was && now["apiVersion"] === was["apiVersion"] && now["kind"] === was["kind"]) return "any";
  return now["kind"] === "ReplicationController" ? "group" : "namedGroup";
}

/** What the versions of objects in metrics may be: anything, when the stored ones are wrong already. */
function objectRule(was: Tree | undefined): ReferenceRule {
  const wrong = items(was?.["metrics"]).some((m) =>
    m["type"] === "Object" && m["object"] && !goodVersion(m["object"].describedObject?.apiVersion ?? "", "group")
  );
  return wrong ? "any" : "group";
}

/** The spec. Bounds of the replica counts by themselves are tags; a negative maximum is wrong twice. */
function validate(obj: Obj, errors: ErrorList, ctx: ValidateContext, old?: Obj): void {
  const spec: Tree = obj["spec"] ?? {}, was: Tree | undefined = old?.["spec"];
  const max: number = spec["maxReplicas"] ?? 0, min: number | undefined = spec["minReplicas"];
  const path = SPEC.child("maxReplicas");
  if (max < 0 && max !== was?.["maxReplicas"]) errors.invalid(path, max, "must be greater than 0");
  if (isSet(min) && max < min) errors.invalid(path, max, "must be greater than or equal to `minReplicas`");
  const target: Tree = spec["scaleTargetRef"] ?? {};
  reference(target, SPEC.child("scaleTargetRef"), errors, targetRule(target, was && (was["scaleTargetRef"] ?? {})));
  metrics(spec, SPEC.child("metrics"), errors, ctx, objectRule(was));
  for (const d of DIRECTIONS) {
    const rules = spec["behavior"]?.[d];
    if (rules) scalingRules(rules, SPEC.child("behavior", d), errors);
  }
}

const usesTolerance = (spec: Tree | undefined) => DIRECTIONS.some((d) => isSet(spec?.["behavior"]?.[d]?.tolerance));

function dropTolerance(spec: Tree | undefined, was: Tree | undefined, ctx: RuleContext): void {
  if (ctx.gate("HPAConfigurableTolerance") || usesTolerance(was)) return;
  for (const d of DIRECTIONS) if (spec?.["behavior"]?.[d]) delete spec["behavior"][d].tolerance;
}

/** Rules of `horizontalpodautoscalers.autoscaling`. */
export const HORIZONTAL_POD_AUTOSCALER: KindRules = {
  meta: { whole: 0 },
  generation: ["spec"],
  generationGate: "HPAGeneration",
  prepareCreate(obj, ctx) {
    obj["status"] = { desiredReplicas: 0, currentMetrics: null };
    dropTolerance(obj["spec"], undefined, ctx);
  },
  prepareUpdate(obj, old, ctx) {
    keep(obj, old, "status");
    dropTolerance(obj["spec"], old["spec"], ctx);
  },
  validate,
  // What version 1 says of it in an annotation has no defaults until it is stored.
  completeCreate: (obj) => fillBehavior(obj["spec"]?.behavior),
  validateUpdate(obj, _old, errors) {
    if (errors.empty) fillBehavior(obj["spec"]?.behavior);
  },
  subresources: {
    status: {
      prepareUpdate(obj, old) {
        keep(obj, old, "spec");
        forgetEmpty(obj["status"], "currentMetrics");
      },
      validateUpdate(obj, _old, errors) {
        for (const m of ["currentReplicas", "desiredReplicas"]) {
          nonNegative(obj["status"]?.[m], STATUS.child(m), errors);
        }
        for (const [i, c] of items<Tree>(obj["status"]?.conditions).entries()) {
          nonNegative(c["observedGeneration"], STATUS.child("conditions").index(i).child("observedGeneration"), errors);
        }
      },
    },
  },
};
