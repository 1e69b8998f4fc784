/** Rules of leases. */
import type { Obj } from "../../model/types.ts";
import { nonNegative, positive } from "../checks/basic.ts";
import { Path } from "../path.ts";
import { isSet, type Tree } from "../tree.ts";
import type { KindRules, RuleContext } from "../types.ts";
import { strategyName } from "./strategy_name.ts";

const SPEC = Path.of("spec");
const GATED = ["strategy", "preferredHolder"];

/** Drops what only coordinated elections use, unless the stored lease has it. */
function dropDisabled(spec: Tree | undefined, was: Tree | undefined, ctx: RuleContext): void {
  if (!spec || ctx.gate("CoordinatedLeaderElection")) return;
  for (const m of GATED) if (!isSet(was?.[m])) delete spec[m];
}

/** Rules of `leases.coordination.k8s.io`. */
export const LEASE: KindRules = {
  createOnUpdate: true,
  unconditionalUpdate: false,
  meta: { whole: 0, knownFinalizersOnly: false },
  prepareCreate: (obj, ctx) => dropDisabled(obj["spec"], undefined, ctx),
  prepareUpdate: (obj, old, ctx) => dropDisabled(obj["spec"], old["spec"], ctx),
  validate(obj: Obj, errors) {
    const spec: Tree = obj["spec"] ?? {};
    positive(spec["leaseDurationSeconds"], SPEC.child("leaseDurationSeconds"), errors);
    nonNegative(spec["leaseTransitions"], SPEC.child("leaseTransitions"), errors);
    if (isSet(spec["strategy"])) strategyName(spec["strategy"], SPEC.child("strategy"), errors);
    if (spec["preferredHolder"] && !spec["strategy"]) {
      errors.forbidden(SPEC.child("preferredHolder"), "must not be set without `strategy`");
    }
  },
};
