/** What the configuration of Pod Security exempts. */
import { items, type Tree } from "../../../schema/rules/tree.ts";
import type { Attributes } from "../types.ts";
import { equalPolicies, formatPolicy, isPrivileged, MODES, type Policy } from "./policy.ts";

/** Names of each. */
export interface Exemptions {
  readonly namespaces: ReadonlySet<string>;
  readonly usernames: ReadonlySet<string>;
  readonly runtimeClasses: ReadonlySet<string>;
}

/** See the top of the file. */
export function exemptionsOf(config: Tree): Exemptions {
  const set = (name: string): ReadonlySet<string> => new Set(items<string>(config["exemptions"]?.[name]));
  return { namespaces: set("namespaces"), usernames: set("usernames"), runtimeClasses: set("runtimeClasses") };
}

/** Warns that labels of an exempt namespace say what is not done. */
export function warnExempt(a: Attributes, policy: Policy, defaults: Policy, prefix: string): void {
  const same = MODES.every((m) =>
    equalPolicies(policy[m], defaults[m]) || (policy[m].level === "privileged" && defaults[m].level === "privileged")
  );
  if (isPrivileged(policy) || same) return;
  const labels = a.object!.metadata.labels ?? {};
  const set = MODES.filter((m) =>
    policy[m].level !== "privileged" &&
    (labels[prefix + m] !== undefined || labels[`${prefix}${m}-version`] !== undefined)
  ).map((m) => `${m}=${formatPolicy(policy[m])}`);
  a.warn(`namespace "${a.name}" is exempt from Pod Security, and the policy (${set.join(", ")}) will be ignored`);
}
