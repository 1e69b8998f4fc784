/** Rules of policies that check objects. */
import type { Obj } from "../../model/types.ts";
import { format, keep, required } from "../checks/basic.ts";
import { NULL, STRING } from "../../cel/mod.ts";
import { longer } from "../../values/utf8.ts";
import { compiles, requiredCondition, requiredExpression } from "../checks/cel.ts";
import { admissionEnvironment, type Environment } from "../checks/cel_environments.ts";
import { isJsonPath } from "../checks/json_path.ts";
import { conditions } from "../checks/conditions.ts";
import { qualifiedName } from "../checks/formats.ts";
import { keepAllButStatus } from "../checks/status_meta.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { identityOf, isSet, items, repeats, type Tree } from "../tree.ts";
import type { KindRules, ValidateContext } from "../types.ts";
import { knownValue, policyConditions, policyHead, variables } from "./match.ts";

const SPEC = Path.of("spec"), VALIDATIONS = SPEC.child("validations"), ANNOTATIONS = SPEC.child("auditAnnotations");
const REASONS = ["Forbidden", "Invalid", "RequestEntityTooLarge"];
const MAX_ANNOTATIONS = 20, MAX_VALUE_EXPRESSION = 5 * 1024;

/** What expressions of one policy may mention; messages ask no authorizer. */
interface Environments {
  readonly conditions: Environment;
  readonly messages: Environment;
}

function validation(v: Tree, path: Path, errors: ErrorList, env: Environments): void {
  const message: string = v["message"] ?? "", expression: string = v["messageExpression"] ?? "";
  requiredCondition(v["expression"], path.child("expression"), errors, env.conditions);
  if (expression && !expression.trim()) {
    errors.invalid(path.child("messageExpression"), expression, "must not be blank when it is set");
  } else if (expression) compiles(expression, path.child("messageExpression"), errors, env.messages, [STRING]);
  if (message && !message.trim()) errors.invalid(path.child("message"), message, "must not be blank when it is set");
  else if (/[\n\r]/.test(message.trim())) errors.invalid(path.child("message"), message, "must not have line breaks");
  knownValue(v["reason"], REASONS, path.child("reason"), errors);
}

function auditAnnotation(a: Tree, policy: string, path: Path, errors: ErrorList, env: Environments): void {
  const at = path.child("valueExpression"), value: string = a["valueExpression"] ?? "", key: string = a["key"] ?? "";
  if (policy) format(`${policy}/${key}`, path.child("key"), errors, qualifiedName);
  else errors.invalid(path.child("key"), key, "needs metadata.name");
  if (!requiredExpression(value, at, errors)) return;
  if (longer(value.trim(), MAX_VALUE_EXPRESSION)) {
    errors.required(at, `must not be longer than ${MAX_VALUE_EXPRESSION} bytes`);
  } else compiles(value, at, errors, env.conditions, [STRING, NULL]);
}

function policySpec(obj: Obj, errors: ErrorList, old: Obj | undefined): void {
  const spec: Tree = obj["spec"] ?? {}, was: Tree | undefined = old?.["spec"];
  const params = isSet(spec["paramKind"]),
    validations = items(spec["validations"]),
    annotations = items(spec["auditAnnotations"]);
  policyHead(spec, SPEC, errors);
  policyConditions(spec, was, SPEC, errors);
  const types = variables(spec["variables"], SPEC.child("variables"), errors, params);
  const some = types.size > 0 ? { variables: types } : {};
  const env: Environments = {
    conditions: admissionEnvironment({ params, authorizer: true, ...some }),
    messages: admissionEnvironment({ params, ...some }),
  };
  if (!validations.length && !annotations.length) {
    for (const at of [VALIDATIONS, ANNOTATIONS]) errors.required(at, "must have validations or auditAnnotations");
  }
  for (const [i, v] of validations.entries()) validation(v, VALIDATIONS.index(i), errors, env);
  if (annotations.length > MAX_ANNOTATIONS) {
    errors.invalid(ANNOTATIONS, annotations, `must not have more than ${MAX_ANNOTATIONS} items`);
  }
  const again = repeats(annotations, (a) => identityOf(a["key"]));
  for (const [i, a] of annotations.entries()) {
    auditAnnotation(a, obj.metadata.name ?? "", ANNOTATIONS.index(i), errors, env);
    if (again.has(i)) {
      errors.duplicate(ANNOTATIONS.index(i).child("key"), a["key"] ?? "");
    }
  }
}

function statusUpdate(obj: Obj, _old: Obj, errors: ErrorList, _ctx: ValidateContext): void {
  const status: Tree = obj["status"] ?? {}, warnings = Path.of("status", "typeChecking", "expressionWarnings");
  for (const [i, w] of items(status["typeChecking"]?.expressionWarnings).entries()) {
    required(w["warning"], warnings.index(i).child("warning"), errors);
    const ref: string = (w["fieldRef"] ?? "").trim(), at = warnings.index(i).child("fieldRef");
    if (!ref) errors.required(at);
    else if (!isJsonPath(ref)) errors.invalid(at, ref, "must be a JSONPath, such as spec.validations[0].expression");
  }
  if (isSet(status["conditions"])) conditions(status["conditions"], Path.of("status", "conditions"), errors);
}

/** Rules of `validatingadmissionpolicies.admissionregistration.k8s.io`. */
export const VALIDATING_POLICY: KindRules = {
  generation: ["spec"],
  unconditionalUpdate: false,
  statusApplyCreates: true,
  meta: { compared: 0, knownFinalizersOnly: false },
  prepareCreate: (obj) => void (obj["status"] = {}),
  prepareUpdate: (obj, old) => keep(obj, old, "status"),
  validate: (obj, errors, _ctx, old) => policySpec(obj, errors, old),
  subresources: {
    status: { meta: { compared: 0 }, prepareUpdate: keepAllButStatus, validateUpdate: statusUpdate },
  },
};
