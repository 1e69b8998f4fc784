/** Rules of roles. */
import { hasInvalidValue } from "../checks/selectors.ts";
import { items } from "../tree.ts";
import type { KindRules } from "../types.ts";
import { aggregationRule, policyRules } from "./policy_rule.ts";

/** Rules of `roles.rbac.authorization.k8s.io`. Names may hold colons. */
export const ROLE: KindRules = {
  name: "path",
  createOnUpdate: true,
  validate: (obj, errors) => policyRules(obj["rules"], true, errors),
};

/** Rules of `clusterroles.rbac.authorization.k8s.io`. */
export const CLUSTER_ROLE: KindRules = {
  name: "path",
  createOnUpdate: true,
  validate(obj, errors, _ctx, old) {
    policyRules(obj["rules"], false, errors);
    const forgiven = !!old && items(old["aggregationRule"]?.clusterRoleSelectors).some(hasInvalidValue);
    aggregationRule(obj["aggregationRule"], errors, forgiven);
  },
};
