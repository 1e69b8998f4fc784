/** Rules of disruption budgets. */
import type { Obj } from "../../model/types.ts";
import { keep, nonNegative, oneOf } from "../checks/basic.ts";
import { conditions } from "../checks/conditions.ts";
import { atMostAll, intOrPercent } from "../checks/int_or_percent.ts";
import { labelSelector } from "../checks/selectors.ts";
import { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { isSet, type Tree } from "../tree.ts";
import type { KindRules } from "../types.ts";

const SPEC = Path.of("spec"), STATUS = Path.of("status");
const AMOUNTS = ["minAvailable", "maxUnavailable"];
const EVICTION = ["AlwaysAllow", "IfHealthyBudget"];
const COUNTS = ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"];

function hasBadSelector(spec: Tree | undefined): boolean {
  const found = new ErrorList();
  labelSelector(spec?.["selector"], SPEC, found);
  return !found.empty;
}

function validate(obj: Obj, errors: ErrorList, _ctx: unknown, old?: Obj): void {
  const spec: Tree = obj["spec"] ?? {};
  if (isSet(spec["minAvailable"]) && isSet(spec["maxUnavailable"])) {
    errors.invalid(SPEC, spec, "minAvailable and maxUnavailable must not both be set");
  }
  for (const member of AMOUNTS) {
    if (!isSet(spec[member])) continue;
    intOrPercent(spec[member], SPEC.child(member), errors);
    atMostAll(spec[member], SPEC.child(member), errors);
  }
  labelSelector(spec["selector"], SPEC.child("selector"), errors, {
    allowInvalidValues: hasBadSelector(old?.["spec"]),
  });
  const policy = spec["unhealthyPodEvictionPolicy"];
  if (isSet(policy)) oneOf(policy, EVICTION, SPEC.child("unhealthyPodEvictionPolicy"), errors);
}

const noStatus = (): Tree => Object.fromEntries(COUNTS.map((m) => [m, 0]));

/** Rules of `poddisruptionbudgets.policy`. Of metadata it checks only what every kind does: any name that fits a path. */
export const POD_DISRUPTION_BUDGET: KindRules = {
  generation: ["spec"],
  unconditionalUpdate: false,
  meta: { created: 0, compared: 0, whole: 0 },
  prepareCreate: (obj) => void (obj["status"] = noStatus()),
  prepareUpdate: (obj, old) => keep(obj, old, "status"),
  validate,
  subresources: {
    status: {
      meta: { compared: 0 },
      prepareUpdate: (obj, old) => keep(obj, old, "spec"),
      validateUpdate(obj, _old, errors) {
        const status: Tree = obj["status"] ?? {};
        conditions(status["conditions"], STATUS.child("conditions"), errors);
        for (const m of COUNTS) nonNegative(status[m], STATUS.child(m), errors);
      },
    },
  },
};
