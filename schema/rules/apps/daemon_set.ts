/** Rules of daemon sets. */
import { workloadWarnings } from "../core/pod_warnings.ts";
import { immutable, keep, nonNegative } from "../checks/basic.ts";
import { atMostAll, intOrPercent, plainValue } from "../checks/int_or_percent.ts";
import { hasInvalidValue, labelSelector } from "../checks/selectors.ts";
import { isEmptySelector, meets, requirementsOf } from "../checks/workload.ts";
import { dropDisabledInTemplate } from "../core/pod_drop.ts";
import { podTemplate } from "../core/pod_template.ts";
import { foreverTemplate } from "../core/replication_controller.ts";
import type { ErrorList } from "../errors.ts";
import type { Obj } from "../../model/types.ts";
import { Path } from "../path.ts";
import { same, type Tree } from "../tree.ts";
import type { KindRules, ValidateContext } from "../types.ts";
import { numberOf, storedNumber } from "./numbers.ts";
import { keepsCollisionCount } from "./status.ts";

const SPEC = Path.of("spec"), STATUS = Path.of("status");

function updateStrategy(s: Tree, path: Path, errors: ErrorList): void {
  if (s["type"] === "OnDelete") return;
  if (s["type"] !== "RollingUpdate") return errors.notSupported(path, s["type"] ?? "", ["RollingUpdate", "OnDelete"]);
  const at = path.child("rollingUpdate");
  if (!s["rollingUpdate"]) return errors.required(at);
  const { maxUnavailable, maxSurge } = s["rollingUpdate"];
  for (const check of [intOrPercent, atMostAll]) {
    check(maxUnavailable, at.child("maxUnavailable"), errors);
    check(maxSurge, at.child("maxSurge"), errors);
  }
  const unavailable = plainValue(maxUnavailable) !== 0, surge = plainValue(maxSurge) !== 0;
  if (unavailable && surge) {
    errors.invalid(at.child("maxSurge"), maxSurge, "must not be set when maxUnavailable is not 0");
  }
  if (!unavailable && !surge) errors.required(at.child("maxUnavailable"), "must not be 0 when maxSurge is 0");
}

function spec(s: Tree, old: Tree | undefined, errors: ErrorList, ctx: ValidateContext): void {
  const path = SPEC.child("template"), t: Tree = s["template"] ?? {}, requirements = requirementsOf(s["selector"]);
  labelSelector(s["selector"], SPEC.child("selector"), errors, {
    allowInvalidValues: hasInvalidValue(old?.["selector"]),
  });
  if (requirements !== undefined && !meets(requirements, t["metadata"]?.labels)) {
    errors.invalid(
      path.child("metadata", "labels"),
      t["metadata"]?.labels ?? {},
      "`selector` does not match template `labels`",
    );
  }
  if (s["selector"] && isEmptySelector(s["selector"])) {
    errors.invalid(SPEC.child("selector"), s["selector"], "must not be empty");
  }
  podTemplate(t, old?.["template"], path, errors, ctx);
  foreverTemplate(t, path, errors);
  nonNegative(s["minReadySeconds"], SPEC.child("minReadySeconds"), errors);
  updateStrategy(s["updateStrategy"] ?? {}, SPEC.child("updateStrategy"), errors);
  nonNegative(s["revisionHistoryLimit"], SPEC.child("revisionHistoryLimit"), errors);
}

/** Older clients read here how often the template has changed. */
const TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

const templates = (obj: Obj): string | undefined => obj.metadata.annotations?.[TEMPLATE_GENERATION];
const templateWarnings = workloadWarnings("spec", "template");

function countTemplates(obj: Obj, old?: Obj): void {
  const given = numberOf(obj, TEMPLATE_GENERATION, "DaemonSet") ?? 0n, annotations = obj.metadata.annotations ??= {};
  if (!old) {
    annotations[TEMPLATE_GENERATION] = String(given >= 1n ? given : 1n);
    return;
  }
  const was = storedNumber(old, TEMPLATE_GENERATION) ?? 0n;
  const changed = !same(obj["spec"]?.template, old["spec"]?.template);
  annotations[TEMPLATE_GENERATION] = String(changed ? was + 1n : was);
}

const COUNTS = [
  "currentNumberScheduled",
  "numberMisscheduled",
  "desiredNumberScheduled",
  "numberReady",
  "observedGeneration",
  "updatedNumberScheduled",
  "numberAvailable",
  "numberUnavailable",
  "collisionCount",
];

/** Rules of `daemonsets.apps`. */
export const DAEMON_SET: KindRules = {
  generation: ["spec"],
  meta: { whole: 0 },
  prepareCreate(obj, ctx) {
    obj["status"] = { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 };
    countTemplates(obj);
    dropDisabledInTemplate(obj["spec"]?.template, undefined, ctx);
  },
  prepareUpdate(obj, old, ctx) {
    keep(obj, old, "status");
    dropDisabledInTemplate(obj["spec"]?.template, old["spec"]?.template, ctx);
    countTemplates(obj, old);
  },
  validate: (obj, errors, ctx, old) => spec(obj["spec"] ?? {}, old?.["spec"], errors, ctx),
  validateUpdate: (obj, old, errors) =>
    immutable(obj["spec"]?.selector, old["spec"]?.selector, SPEC.child("selector"), errors),
  // An update warns of a template that it changes, not of all that counts as a generation.
  warnings: (obj, old, ctx) => old && templates(obj) === templates(old) ? [] : templateWarnings(obj, old, ctx),
  subresources: {
    status: {
      prepareUpdate(obj, old) {
        keep(obj, old, "spec");
        countTemplates(obj, old);
      },
      validateUpdate(obj, old, errors) {
        for (const m of COUNTS) nonNegative(obj["status"]?.[m], STATUS.child(m), errors);
        keepsCollisionCount(obj, old, errors);
      },
    },
  },
};
