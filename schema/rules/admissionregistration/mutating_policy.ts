/** Rules of policies that change objects. */
import type { Obj } from "../../model/types.ts";
import { requiredOneOf } from "../checks/basic.ts";
import { OBJECT_PART, PATCH_STEPS, type Type } from "../../cel/mod.ts";
import { requiredPatch } from "../checks/cel.ts";
import { admissionEnvironment, type Environment } from "../checks/cel_environments.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { isSet, items, type Tree } from "../tree.ts";
import type { KindRules } from "../types.ts";
import { policyConditions, policyHead, REINVOCATION_POLICIES, variables } from "./match.ts";
import { mutableOperations } from "./rules.ts";

const SPEC = Path.of("spec"), MUTATIONS = SPEC.child("mutations");
/** Types of patches and the member that holds each one's expression. */
const PATCHES: Readonly<Record<string, { readonly member: string; readonly gives: Type }>> = {
  ApplyConfiguration: { member: "applyConfiguration", gives: OBJECT_PART },
  JSONPatch: { member: "jsonPatch", gives: PATCH_STEPS },
};

function mutation(m: Tree, path: Path, errors: ErrorList, environment: Environment): void {
  const type: string = m["patchType"] ?? "";
  if (!requiredOneOf(type, Object.keys(PATCHES), path.child("patchType"), errors)) return;
  for (const [t, { member, gives }] of Object.entries(PATCHES)) {
    const at = path.child(member), part = m[member];
    if (t !== type) {
      if (part) errors.invalid(at, `{${member}}`, `must not be set when patchType is ${type}`);
    } else if (!part) errors.required(at, `must be set when patchType is ${type}`);
    else requiredPatch(part.expression, at.child("expression"), errors, environment, gives);
  }
}

function policySpec(obj: Obj, errors: ErrorList, old: Obj | undefined): void {
  const spec: Tree = obj["spec"] ?? {}, was: Tree | undefined = old?.["spec"], mutations = items(spec["mutations"]);
  policyHead(spec, SPEC, errors);
  mutableOperations(spec["matchConstraints"]?.resourceRules, SPEC.child("matchConstraints", "resourceRules"), errors);
  policyConditions(spec, was, SPEC, errors);
  const params = isSet(spec["paramKind"]);
  const types = variables(spec["variables"], SPEC.child("variables"), errors, params);
  const environment = admissionEnvironment({ params, authorizer: true, variables: types });
  if (!mutations.length) errors.required(MUTATIONS, "must have at least one mutation");
  for (const [i, m] of mutations.entries()) mutation(m, MUTATIONS.index(i), errors, environment);
  requiredOneOf(spec["reinvocationPolicy"], REINVOCATION_POLICIES, SPEC.child("reinvocationPolicy"), errors);
}

/** Rules of `mutatingadmissionpolicies.admissionregistration.k8s.io`. */
export const MUTATING_POLICY: KindRules = {
  generation: ["spec"],
  unconditionalUpdate: false,
  meta: { compared: 0, knownFinalizersOnly: false },
  validate: (obj, errors, _ctx, old) => policySpec(obj, errors, old),
};
