/** Rules of disruption budgets. */
import type { Obj } from "../../model/types.ts";
import { keep, nonNegative, oneOf } from "../checks/basic.ts";
import { conditions } from "../checks/conditions.ts";
import { atMostAll, intOrPercent } from "../checks/int_or_percent.ts";
import { labelSelector } from "../checks/selectors.ts";
import { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { localSet } from "../local.ts";
import { count, emptyMap, isSet, items, same, type Tree } from "../tree.ts";
import type { KindRules, RuleContext } from "../types.ts";

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

const OLD_MATCH = localSet("pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match");

/** The key by which a selector of v1 says that it matches nothing, for v1beta1, stands alone or not at all. */
function dropOldMatch(spec: Tree | undefined, was: Tree | undefined, ctx: RuleContext): void {
  const selector: Tree | undefined = spec?.["selector"], all = items<Tree>(selector?.["matchExpressions"]);
  const isOld = (e: Tree) => OLD_MATCH(ctx.product).has(e["key"]);
  if (!selector || !all.some(isOld) || same(selector, was?.["selector"])) return;
  const alone = all.length === 1 && !count(all[0]!["values"]) && emptyMap(selector["matchLabels"]);
  if (alone && all[0]!["operator"] === "Exists") return;
  const kept = all.filter((e) => !isOld(e));
  if (kept.length) selector["matchExpressions"] = kept;
  else delete selector["matchExpressions"];
}

const noStatus = (): Tree => Object.fromEntries(COUNTS.map((m) => [m, 0]));

/** Rules of `poddisruptionbudgets.policy`. Of metadata it checks only what every kind does: a name that fits a path. */
export const POD_DISRUPTION_BUDGET: KindRules = {
  generation: ["spec"],
  unconditionalUpdate: false,
  meta: { created: 0, compared: 0, whole: 0 },
  prepareCreate(obj, ctx) {
    obj["status"] = noStatus();
    dropOldMatch(obj["spec"], undefined, ctx);
  },
  prepareUpdate(obj, old, ctx) {
    keep(obj, old, "status");
    dropOldMatch(obj["spec"], old["spec"], ctx);
  },
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
