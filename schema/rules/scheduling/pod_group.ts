/** Rules of pod groups and of groups of them. The spec's rules are tags. */
import type { Obj } from "../../model/types.ts";
import { keep } from "../checks/basic.ts";
import { conditions } from "../checks/conditions.ts";
import { keepAllButStatus } from "../checks/status_meta.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { count, isSet, items, type Tree } from "../tree.ts";
import type { KindRules, RuleContext } from "../types.ts";

const STATUS = Path.of("status");
const CLAIMS_GATE = "DRAWorkloadResourceClaims";
/** Members of the spec behind gates: they stay when the stored object has them. */
const GATED = { schedulingConstraints: "TopologyAwareWorkloadScheduling", resourceClaims: CLAIMS_GATE };

const inUse = (v: unknown) => Array.isArray(v) ? v.length > 0 : isSet(v);

function dropDisabled(spec: Tree | undefined, was: Tree | undefined, ctx: RuleContext): void {
  for (const [member, gate] of Object.entries(GATED)) {
    if (spec && !ctx.gate(gate) && !inUse(was?.[member])) delete spec[member];
  }
}

function claimStatuses(obj: Obj, errors: ErrorList): void {
  const known = items(obj["spec"]?.resourceClaims).map((c) => c["name"]);
  for (const [i, s] of items(obj["status"]?.resourceClaimStatuses).entries()) {
    if (known.includes(s["name"])) continue;
    errors.invalid(
      STATUS.child("resourceClaimStatuses").index(i).child("name"),
      s["name"],
      "must be a claim of the spec",
    );
  }
}

const checkConditions = (obj: Obj, errors: ErrorList) =>
  conditions(obj["status"]?.conditions, STATUS.child("conditions"), errors);

/** Rules of `podgroups.scheduling.k8s.io`. */
export const POD_GROUP: KindRules = {
  meta: { whole: 0 },
  prepareCreate(obj, ctx) {
    obj["status"] = {};
    dropDisabled(obj["spec"], undefined, ctx);
  },
  prepareUpdate(obj, old, ctx) {
    keep(obj, old, "status");
    dropDisabled(obj["spec"], old["spec"], ctx);
  },
  subresources: {
    status: {
      prepareUpdate(obj, old, ctx) {
        keepAllButStatus(obj, old);
        if (!ctx.gate(CLAIMS_GATE) && !count(old["spec"]?.resourceClaims)) delete obj["status"]?.resourceClaimStatuses;
      },
      validateUpdate(obj, _old, errors) {
        checkConditions(obj, errors);
        claimStatuses(obj, errors);
      },
    },
  },
};

/** Rules of `compositepodgroups.scheduling.k8s.io`. */
export const COMPOSITE_POD_GROUP: KindRules = {
  meta: { whole: 0 },
  prepareCreate: (obj) => void (obj["status"] = {}),
  prepareUpdate: (obj, old) => keep(obj, old, "status"),
  subresources: {
    status: { prepareUpdate: keepAllButStatus, validateUpdate: (obj, _old, errors) => checkConditions(obj, errors) },
  },
};
