/** Rules of bindings of policies. */
import type { Obj } from "../../model/types.ts";
import { requiredFormat } from "../checks/basic.ts";
import { dnsSubdomain } from "../checks/formats.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { items, repeats, type Tree } from "../tree.ts";
import type { KindRules } from "../types.ts";
import { matchResources, paramRef } from "./match.ts";
import { mutableOperations } from "./rules.ts";

const SPEC = Path.of("spec"), ACTIONS = SPEC.child("validationActions"), MATCH = SPEC.child("matchResources");
const KNOWN_ACTIONS = ["Audit", "Deny", "Warn"];

function actions(list: readonly string[], errors: ErrorList): void {
  const again = repeats(list);
  for (const [i, a] of list.entries()) {
    if (!KNOWN_ACTIONS.includes(a)) errors.notSupported(ACTIONS.index(i), a, KNOWN_ACTIONS);
    if (again.has(i)) errors.duplicate(ACTIONS.index(i), a);
  }
  if (list.includes("Deny") && list.includes("Warn")) {
    errors.invalid(ACTIONS, list, "must not have both Deny and Warn, which would tell the same twice");
  }
  if (!list.length) errors.required(ACTIONS, "must have at least one action");
}

function binding(spec: Tree, errors: ErrorList): void {
  requiredFormat(spec["policyName"], SPEC.child("policyName"), errors, dnsSubdomain);
  paramRef(spec["paramRef"], SPEC.child("paramRef"), errors);
  matchResources(spec["matchResources"], MATCH, errors);
}

const COMMON: KindRules = {
  generation: ["spec"],
  unconditionalUpdate: false,
  meta: { compared: 0, knownFinalizersOnly: false },
};

/** Rules of `validatingadmissionpolicybindings.admissionregistration.k8s.io`. */
export const VALIDATING_BINDING: KindRules = {
  ...COMMON,
  validate(obj: Obj, errors) {
    const spec: Tree = obj["spec"] ?? {};
    binding(spec, errors);
    actions(items<string>(spec["validationActions"]), errors);
  },
};

/** Rules of `mutatingadmissionpolicybindings.admissionregistration.k8s.io`. */
export const MUTATING_BINDING: KindRules = {
  ...COMMON,
  validate(obj: Obj, errors) {
    const spec: Tree = obj["spec"] ?? {};
    binding(spec, errors);
    mutableOperations(spec["matchResources"]?.resourceRules, MATCH.child("resourceRules"), errors);
  },
};
