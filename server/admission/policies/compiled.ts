/** Policies with their expressions compiled. */
import {
  BOOL,
  CelError,
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

/** A condition that a request must meet for a policy to be asked. */
export interface Condition {
  readonly name: string;
  readonly program: Program;
}

/** What policies have, whether they check or change. */
export interface Compiled extends Policy {
  readonly conditions: readonly Condition[];
  readonly variables: ReadonlyMap<string, Program>;
  /** Why it cannot be evaluated. */
  readonly fault: string | undefined;
}

/** What a policy wants of an object. */
export interface Validation {
  readonly expression: string;
  readonly program: Program;
  readonly message: string;
  readonly messageProgram: Program | undefined;
  readonly reason: string;
}

/** A policy that checks. */
export interface CompiledPolicy extends Compiled {
  readonly validations: readonly Validation[];
  readonly annotations: readonly { readonly key: string; readonly program: Program }[];
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

/** What one kind of policy adds, from its specification: `messages` are the variables that messages may mention. */
type More<T> = (spec: Tree, env: Environment, messages: Environment) => T;

function compiled<T>(policy: Obj, more: More<T>, none: T): Compiled & T {
  const spec: Tree = policy["spec"] as Tree, name = policy.metadata.name!;
  const base = { name, spec, fails: spec["failurePolicy"] !== "Ignore" };
  try {
    return { ...base, ...programs(spec, more), fault: undefined };
  } catch (e) {
    if (!(e instanceof CelError)) throw e;
    return { ...base, conditions: [], variables: new Map(), ...none, fault: `compilation failed: ${e.message}` };
  }
}

function programs<T>(spec: Tree, more: More<T>): Pick<Compiled, "conditions" | "variables"> & T {
  const params = isSet(spec["paramKind"]), types = new Map<string, Type>(), variables = new Map<string, Program>();
  const before = admissionEnvironment({ params, authorizer: true });
  const env = admissionEnvironment({ params, authorizer: true, variables: types });
  for (const v of items(spec["variables"])) {
    const program = compile(v["expression"], env);
    variables.set(v["name"], program);
    types.set(v["name"], variableType(program.type));
  }
  const conditions = items(spec["matchConditions"]).map((c) => ({
    name: c["name"],
    program: compile(c["expression"], before, BOOL),
  }));
  return { variables, conditions, ...more(spec, env, admissionEnvironment({ params, variables: types })) };
}

/** Compiles a policy that checks. What does not compile is told by `fault`. */
export function compilePolicy(policy: Obj): CompiledPolicy {
  return compiled(policy, (spec, env, messages) => ({
    validations: items(spec["validations"]).map((v) => validation(v, env, messages)),
    annotations: items(spec["auditAnnotations"]).map((a) => ({
      key: a["key"],
      program: compile(a["valueExpression"], env),
    })),
  }), { validations: [], annotations: [] });
}

function validation(v: Tree, env: Environment, messages: Environment): Validation {
  return {
    expression: v["expression"],
    program: compile(v["expression"], env, BOOL),
    message: v["message"] ?? "",
    messageProgram: v["messageExpression"] ? compile(v["messageExpression"], messages, STRING) : undefined,
    reason: v["reason"] ?? "Invalid",
  };
}

/** Compiles a policy that changes objects. What does not compile is told by `fault`. */
export function compileMutatingPolicy(policy: Obj): CompiledMutatingPolicy {
  const again = (policy["spec"] as Tree)["reinvocationPolicy"] === "IfNeeded";
  return compiled(policy, (spec, env) => ({
    again,
    mutations: items(spec["mutations"]).map((m) => mutation(m, env)),
  }), { again, mutations: [] });
}

function mutation(m: Tree, env: Environment): Mutation {
  const apply = m["patchType"] === "ApplyConfiguration";
  const expression: string = m[apply ? "applyConfiguration" : "jsonPatch"].expression;
  return { apply, expression, program: compilePatch(expression, env, apply ? OBJECT_PART : PATCH_STEPS) };
}
