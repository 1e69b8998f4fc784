/** Rules of roles. */
import { forgetEmpty } from "../checks/fill.ts";
import { pathSegment } from "../checks/formats.ts";
import { hasInvalidValue } from "../checks/selectors.ts";
import type { Obj } from "../../model/types.ts";
import { items } from "../tree.ts";
import type { KindRules } from "../types.ts";
import { aggregationRule, policyRules } from "./policy_rule.ts";

/** A role without rules is stored and shown as one that has no list. */
function noEmptyRules(obj: Obj): void {
  forgetEmpty(obj, "rules");
}

const COMMON: KindRules = {
  name: (name) => [...pathSegment(name)],
  createOnUpdate: true,
  prepareCreate: noEmptyRules,
  prepareUpdate: noEmptyRules,
};

/** Rules of `roles.rbac.authorization.k8s.io`. Names may hold colons. */
export const ROLE: KindRules = {
  ...COMMON,
  validate: (obj, errors) => policyRules(obj["rules"], true, errors),
};

/** Rules of `clusterroles.rbac.authorization.k8s.io`. */
export const CLUSTER_ROLE: KindRules = {
  ...COMMON,
  validate(obj, errors, _ctx, old) {
    policyRules(obj["rules"], false, errors);
    const forgiven = !!old && items(old["aggregationRule"]?.clusterRoleSelectors).some(hasInvalidValue);
    aggregationRule(obj["aggregationRule"], errors, forgiven);
  },
};
