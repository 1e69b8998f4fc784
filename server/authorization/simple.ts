/** Authorizers that need to know nothing. */
import type { Authorizer, Decision, RulesAnswer } from "./types.ts";

const EVERYTHING: RulesAnswer = {
  resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
  nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
  incomplete: false,
};
const NOTHING: RulesAnswer = { resourceRules: [], nonResourceRules: [], incomplete: false };

const YES: Decision = { decision: "allow", reason: "" };
const NO: Decision = { decision: "no-opinion", reason: "" };
const NEVER: Decision = { decision: "no-opinion", reason: "Everything is forbidden." };

/** Mode `AlwaysAllow`. */
export const ALWAYS_ALLOW: Authorizer = { name: "AlwaysAllow", authorize: () => YES, rulesFor: () => EVERYTHING };

/** Mode `AlwaysDeny`. */
export const ALWAYS_DENY: Authorizer = { name: "AlwaysDeny", authorize: () => NEVER, rulesFor: () => NOTHING };

/** Members of the group may do everything, whatever the modes: the way back from a broken policy. First in every chain. */
export const MASTERS: Authorizer = {
  name: "system:masters",
  authorize: ({ user }) => (user.groups.includes("system:masters") ? YES : NO),
  // What the group may do beyond the policy is not listed: clients see the policy's own rules.
  rulesFor: () => NOTHING,
};
