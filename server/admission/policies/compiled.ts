/** Policies with their expressions compiled. */
import { BOOL, CelError, compile, type Program, STRING, type Type } from "../../../schema/cel/mod.ts";
import type { Obj } from "../../../schema/model/types.ts";
import { admissionEnvironment, type Environment } from "../../../schema/rules/checks/cel_environments.ts";
import { isSet, items, type Tree } from "../../../schema/rules/tree.ts";

/** What a policy wants of an object. */
export interface Validation {
  readonly expression: string;
  readonly program: Program;
  readonly message: string;
  readonly messageProgram: Program | undefined;
  readonly reason: string;
}

/** A policy that is ready. */
export interface CompiledPolicy {
  readonly name: string;
  readonly spec: Tree;
  /** What goes wrong with it refuses requests. */
  readonly fails: boolean;
  readonly conditions: readonly { readonly name: string; readonly program: Program }[];
  readonly variables: ReadonlyMap<string, Program>;
  readonly validations: readonly Validation[];
  readonly annotations: readonly { readonly key: string; readonly program: Program }[];
  /** Why it cannot be evaluated. */
  readonly fault: string | undefined;
}

/** Compiles a policy. What does not compile is told by `fault`. */
export function compilePolicy(policy: Obj): CompiledPolicy {
  const spec: Tree = policy["spec"] as Tree, name = policy.metadata.name!;
  const base = { name, spec, fails: spec["failurePolicy"] !== "Ignore" };
  const none = { conditions: [], variables: new Map(), validations: [], annotations: [] };
  try {
    return { ...base, ...programs(spec), fault: undefined };
  } catch (e) {
    if (!(e instanceof CelError)) throw e;
    return { ...base, ...none, fault: `compilation failed: ${e.message}` };
  }
}

function programs(spec: Tree): Pick<CompiledPolicy, "conditions" | "variables" | "validations" | "annotations"> {
  const params = isSet(spec["paramKind"]), types = new Map<string, Type>(), variables = new Map<string, Program>();
  const before = admissionEnvironment({ params, authorizer: true });
  const env = admissionEnvironment({ params, authorizer: true, variables: types });
  const messages = admissionEnvironment({ params, variables: types });
  for (const v of items(spec["variables"])) {
    const program = compile(v["expression"], env);
    variables.set(v["name"], program);
    types.set(v["name"], program.type);
  }
  return {
    variables,
    conditions: items(spec["matchConditions"]).map((c) => ({
      name: c["name"],
      program: compile(c["expression"], before, BOOL),
    })),
    validations: items(spec["validations"]).map((v) => validation(v, env, messages)),
    annotations: items(spec["auditAnnotations"]).map((a) => ({
      key: a["key"],
      program: compile(a["valueExpression"], env),
    })),
  };
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
