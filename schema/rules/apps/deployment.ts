/** Rules of deployments and replica sets. */
import { namingWarnings } from "../core/pod_warnings.ts";
import { immutable, keep, nonNegative } from "../checks/basic.ts";
import { atMostAll, intOrPercent, plainValue } from "../checks/int_or_percent.ts";
import { selectsTemplate, workloadSelector } from "../checks/workload.ts";
import { dropDisabledInTemplate } from "../core/pod_drop.ts";
import { podTemplate } from "../core/pod_template.ts";
import { foreverTemplate, replicaCounts } from "../core/replication_controller.ts";
import type { ErrorList } from "../errors.ts";
import type { Obj } from "../../model/types.ts";
import { Path } from "../path.ts";
import { emptyMap, isSet, type Tree } from "../tree.ts";
import type { KindRules, RuleContext, ValidateContext } from "../types.ts";
import { numberOf, storedNumber } from "./numbers.ts";
import { keepsCollisionCount } from "./status.ts";

const SPEC = Path.of("spec");

/** Counts of pods that are ending go with their gate off, unless they were there. */
function dropTerminating(status: Tree | undefined, was: Tree | undefined, ctx: RuleContext): void {
  if (!status || ctx.gate("DeploymentReplicaSetTerminatingReplicas")) return;
  if (!isSet(was?.["terminatingReplicas"])) delete status["terminatingReplicas"];
}

/** Selector and template of a workload whose pods are alike. */
function pods(s: Tree, old: Tree | undefined, errors: ErrorList, ctx: ValidateContext): void {
  workloadSelector(s["selector"], SPEC.child("selector"), errors);
  if (!selectsTemplate(s, SPEC, errors)) {
    return errors.invalid(SPEC.child("selector"), s["selector"], "invalid label selector");
  }
  const path = SPEC.child("template"), t: Tree = s["template"] ?? {};
  podTemplate(t, old?.["template"], path, errors, ctx);
  foreverTemplate(t, path, errors);
}

function strategy(s: Tree, path: Path, errors: ErrorList): void {
  const rolling = s["rollingUpdate"], at = path.child("rollingUpdate");
  if (s["type"] === "Recreate") {
    if (rolling) errors.forbidden(at, "must not be specified when strategy `type` is 'Recreate'");
  } else if (s["type"] !== "RollingUpdate") errors.notSupported(path, s["type"] ?? "", ["Recreate", "RollingUpdate"]);
  else if (!rolling) errors.required(at);
  else {
    const { maxUnavailable, maxSurge } = rolling, place = at.child("maxUnavailable");
    intOrPercent(maxUnavailable, place, errors);
    intOrPercent(maxSurge, at.child("maxSurge"), errors);
    if (plainValue(maxUnavailable) === 0 && plainValue(maxSurge) === 0) {
      errors.invalid(place, maxUnavailable, "must not be 0 when `maxSurge` is 0");
    }
    atMostAll(maxUnavailable, place, errors);
  }
}

function deploymentSpec(s: Tree, old: Tree | undefined, errors: ErrorList, ctx: ValidateContext): void {
  nonNegative(s["replicas"], SPEC.child("replicas"), errors);
  pods(s, old, errors, ctx);
  strategy(s["strategy"] ?? {}, SPEC.child("strategy"), errors);
  nonNegative(s["minReadySeconds"], SPEC.child("minReadySeconds"), errors);
  nonNegative(s["revisionHistoryLimit"], SPEC.child("revisionHistoryLimit"), errors);
  const deadline = s["progressDeadlineSeconds"], at = SPEC.child("progressDeadlineSeconds");
  nonNegative(deadline, at, errors);
  if (isSet(deadline) && deadline <= (s["minReadySeconds"] ?? 0)) {
    errors.invalid(at, deadline, "must be greater than minReadySeconds");
  }
}

const dropFields = (obj: Obj, old: Obj | undefined, ctx: RuleContext) =>
  dropDisabledInTemplate(obj["spec"]?.template, old?.["spec"]?.template, ctx);

const sameSelector = (obj: Obj, old: Obj, errors: ErrorList) =>
  immutable(obj["spec"]?.selector, old["spec"]?.selector, SPEC.child("selector"), errors);

/** Older clients ask here for a revision to go back to. */
const ROLLBACK = "deprecated.deployment.rollback.to";

function settleRollback({ metadata }: Obj, revision: bigint | undefined): void {
  const annotations = metadata.annotations ??= {};
  if (revision === undefined) delete annotations[ROLLBACK];
  else annotations[ROLLBACK] = String(revision);
  if (emptyMap(annotations)) delete metadata.annotations;
}

const rollbackOf = (obj: Obj): bigint | undefined =>
  obj.metadata.annotations?.[ROLLBACK] ? numberOf(obj, ROLLBACK, "Deployment") : undefined;

/** Rules of `deployments.apps`. */
export const DEPLOYMENT: KindRules = {
  // Its controller acts on annotations too.
  generation: ["spec", "annotations"],
  meta: { whole: 0 },
  prepareCreate(obj, ctx) {
    obj["status"] = {};
    settleRollback(obj, rollbackOf(obj));
    dropFields(obj, undefined, ctx);
  },
  prepareUpdate(obj, old, ctx) {
    keep(obj, old, "status");
    settleRollback(obj, rollbackOf(obj));
    dropFields(obj, old, ctx);
  },
  validate(obj, errors, ctx, old) {
    deploymentSpec(obj["spec"] ?? {}, old?.["spec"], errors, ctx);
    const revision = rollbackOf(obj);
    if (revision !== undefined && revision < 0n) {
      errors.invalid(SPEC.child("rollback", "version"), revision, "must be greater than or equal to 0");
    }
  },
  validateUpdate: sameSelector,
  warnings: namingWarnings("spec", "template"),
  subresources: {
    status: {
      prepareUpdate(obj, old, ctx) {
        keep(obj, old, "spec");
        keep(obj.metadata as Tree, old.metadata as Tree, "labels");
        rollbackOf(obj); // Refused here too where it is no number.
        settleRollback(obj, storedNumber(old, ROLLBACK));
        dropTerminating(obj["status"], old["status"], ctx);
      },
      validateUpdate(obj, old, errors) {
        const status: Tree = obj["status"] ?? {};
        replicaCounts(status, ["updatedReplicas", "readyReplicas", "availableReplicas"], errors, {
          before: ["observedGeneration"],
          after: ["unavailableReplicas", "terminatingReplicas", "collisionCount"],
        });
        keepsCollisionCount(obj, old, errors);
      },
    },
  },
};

function replicaSetSpec(s: Tree, old: Tree | undefined, errors: ErrorList, ctx: ValidateContext): void {
  nonNegative(s["replicas"], SPEC.child("replicas"), errors);
  nonNegative(s["minReadySeconds"], SPEC.child("minReadySeconds"), errors);
  pods(s, old, errors, ctx);
}

/** Rules of `replicasets.apps`. */
export const REPLICA_SET: KindRules = {
  generation: ["spec"],
  meta: { whole: 0 },
  prepareCreate(obj, ctx) {
    obj["status"] = { replicas: 0 };
    dropFields(obj, undefined, ctx);
  },
  prepareUpdate(obj, old, ctx) {
    keep(obj, old, "status");
    dropFields(obj, old, ctx);
  },
  validate: (obj, errors, ctx, old) => replicaSetSpec(obj["spec"] ?? {}, old?.["spec"], errors, ctx),
  validateUpdate: sameSelector,
  warnings: namingWarnings("spec", "template"),
  subresources: {
    status: {
      prepareUpdate(obj, old, ctx) {
        keep(obj, old, "spec");
        dropTerminating(obj["status"], old["status"], ctx);
      },
      validateUpdate(obj, _old, errors) {
        const status: Tree = obj["status"] ?? {};
        replicaCounts(status, ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"], errors, {
          after: ["terminatingReplicas", "observedGeneration"],
        });
      },
    },
  },
};
