/** Rules of pod groups and of groups of them. The spec's rules are tags. */
import type { Obj } from "../../model/types.ts";
import { keep } from "../checks/basic.ts";
import { conditions } from "../checks/conditions.ts";
import { keepAllButStatus } from "../checks/status_meta.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { count, isSet, items, type Tree } from "../tree.ts";
import type { KindRules } from "../types.ts";
import { CLAIMS_GATE, dropGated, GATED, type Gated, GATED_COMPOSITE, GATED_V1ALPHA2 } from "./gated.ts";

const STATUS = Path.of("status");

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

/** Writes of a spec that gates bound; the status is written at its own door. */
const prepared = (gated: Gated): Pick<KindRules, "meta" | "prepareCreate" | "prepareUpdate"> => ({
  meta: { whole: 0 },
  prepareCreate(obj, ctx) {
    obj["status"] = {};
    dropGated(obj["spec"], undefined, gated, ctx);
  },
  prepareUpdate(obj, old, ctx) {
    keep(obj, old, "status");
    dropGated(obj["spec"], old["spec"], gated, ctx);
  },
});

const rulesOf = (gated: Gated, unconditionalUpdate: boolean): KindRules => ({
  unconditionalUpdate,
  ...prepared(gated),
  validate(obj, errors, _ctx, old) {
    const spec: Tree = obj["spec"] ?? {};
    if (old || !isSet(spec["parentCompositePodGroupName"]) || isSet(spec["workloadRef"])) return;
    errors.required(Path.of("spec", "workloadRef"), "must be set when parentCompositePodGroupName is set");
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
});

/** Rules of `podgroups.scheduling.k8s.io`. */
export const POD_GROUP: KindRules = rulesOf(GATED, false);

/** The same of v1alpha2. */
export const POD_GROUP_V1ALPHA2: KindRules = rulesOf(GATED_V1ALPHA2, true);

/** Rules of `compositepodgroups.scheduling.k8s.io`. */
export const COMPOSITE_POD_GROUP: KindRules = {
  unconditionalUpdate: false,
  ...prepared(GATED_COMPOSITE),
  subresources: {
    status: { prepareUpdate: keepAllButStatus, validateUpdate: (obj, _old, errors) => checkConditions(obj, errors) },
  },
};
