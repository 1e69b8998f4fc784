/** Policies with their expressions compiled. What does not compile fails where it is evaluated: see expressions.ts. */
import {
  BOOL,
  compile,
  compilePatch,
  OBJECT_PART,
  PATCH_STEPS,
  type Program,
  STRING,
  type Type,
  variableType,
} from "../../../schema/cel/mod.ts";
import type { Obj } from "../../../schema/model/types.ts";
import { admissionEnvironment, type Environment } from "../../../schema/rules/checks/cel_environments.ts";
import { isSet, items, type Tree } from "../../../schema/rules/tree.ts";
import type { Policy } from "./bound.ts";
import { type Condition, conditionsOf } from "./conditions.ts";
import { programOf } from "./expressions.ts";

/** What policies have, whether they check or change. */
export interface Compiled extends Policy {
  readonly conditions: readonly Condition[];
  readonly variables: ReadonlyMap<string, Program>;
}

/** What a policy wants of an object. */
export interface Validation {
  readonly expression: string;
  readonly program: Program;
  readonly message: string;
  readonly messageProgram: Program | undefined;
  readonly reason: string;
}

/** What a policy tells the audit. */
export interface Annotation {
  readonly key: string;
  readonly expression: string;
  readonly program: Program;
}

/** A policy that checks. */
export interface CompiledPolicy extends Compiled {
  readonly validations: readonly Validation[];
  readonly annotations: readonly Annotation[];
}

/** What a policy changes. `apply`: the expression gives part of an object; else the steps of a JSON patch. */
export interface Mutation {
  readonly apply: boolean;
  readonly expression: string;
  readonly program: Program;
}

/** A policy that changes objects. */
export interface CompiledMutatingPolicy extends Compiled {
  readonly mutations: readonly Mutation[];
  /** It runs again when the object changed after it. */
  readonly again: boolean;
}

/** Variables that expressions may mention; `messages`: those of messages. */
interface Environments {
  readonly env: Environment;
  readonly messages: Environment;
}

function compiled({ spec = {}, metadata }: Obj): Compiled & Environments {
  const policy = spec as Tree, params = isSet(policy["paramKind"]), types = new Map<string, Type>();
  const env = admissionEnvironment({ params, authorizer: true, variables: types });
  const variables = new Map<string, Program>();
  for (const { name, expression = "" } of items(policy["variables"])) {
    const program = programOf(expression, (text) => compile(text, env));
    variables.set(name, program);
    types.set(name, variableType(program.type));
  }
  return {
    name: metadata.name!,
    spec: policy,
    fails: policy["failurePolicy"] !== "Ignore",
    conditions: conditionsOf(policy["matchConditions"], admissionEnvironment({ params, authorizer: true })),
    variables,
    env,
    messages: admissionEnvironment({ params, variables: types }),
  };
}

/** Compiles a policy that checks. */
export function compilePolicy(policy: Obj): CompiledPolicy {
  const { env, messages, ...common } = compiled(policy), { spec } = common;
  return {
    ...common,
    validations: items(spec["validations"]).map((v) => validation(v, { env, messages })),
    annotations: items(spec["auditAnnotations"]).map(({ key, valueExpression = "" }) => ({
      key,
      expression: valueExpression,
      program: programOf(valueExpression, (text) => compile(text, env)),
    })),
  };
}

function validation(v: Tree, { env, messages }: Environments): Validation {
  const { expression = "", message = "", messageExpression, reason = "Invalid" } = v;
  return {
    expression,
    program: programOf(expression, (text) => compile(text, env, BOOL)),
    message,
    messageProgram: messageExpression && programOf(messageExpression, (text) => compile(text, messages, STRING)),
    reason,
  };
}

/** Compiles a policy that changes objects. */
export function compileMutatingPolicy(policy: Obj): CompiledMutatingPolicy {
  const { env, messages: _, ...common } = compiled(policy), { spec } = common;
  return {
    ...common,
    again: spec["reinvocationPolicy"] === "IfNeeded",
    mutations: items(spec["mutations"]).map((m) => mutation(m, env)),
  };
}

function mutation(m: Tree, env: Environment): Mutation {
  const apply = m["patchType"] === "ApplyConfiguration";
  const expression: string = m[apply ? "applyConfiguration" : "jsonPatch"]?.expression ?? "";
  const wanted = apply ? OBJECT_PART : PATCH_STEPS;
  return { apply, expression, program: programOf(expression, (text) => compilePatch(text, env, wanted)) };
}
