/** Values of the variables that expressions of admission may mention. */
import {
  authorizerValue,
  CelError,
  type CelMap,
  type Program,
  resourceCheckValue,
  type Spent,
  type Value,
} from "../../../schema/cel/mod.ts";
import { celValue } from "../../../schema/customresources/cel_types.ts";
import type { Json, JsonMap, Obj } from "../../../schema/model/types.ts";
import type { Product } from "../../../schema/product.ts";
import { optionsOf, type Target, toldOf } from "../target.ts";
import type { Attributes } from "../types.ts";
import { Uncompiled } from "./expressions.ts";
import type { Questions } from "./questions.ts";
import type { Seen } from "./seen.ts";

const shown = (v: unknown): Value => v === undefined ? null : celValue(v as Json, undefined);

/** What expressions see of a namespace: nothing of who owns what. */
function namespaceShown(namespace: Obj): Value {
  const { apiVersion: _v, kind: _k, metadata, ...rest } = namespace;
  const { managedFields: _f, ownerReferences: _o, ...own } = metadata;
  return shown({ metadata: own, ...rest });
}

/** What an expression sees of a request that was matched in a version: of its objects nothing, they have names of their own. */
function requestOf(a: Attributes, target: Target, product: Product): JsonMap {
  const { user } = a;
  return {
    ...toldOf(a, target),
    userInfo: {
      username: user.name,
      ...(user.uid ? { uid: user.uid } : {}),
      groups: [...user.groups],
      ...(user.extra ? { extra: user.extra as JsonMap } : {}),
    },
    dryRun: a.dryRun,
    uid: "",
    object: null,
    oldObject: null,
    options: optionsOf(a, product),
  };
}

/** Variables of a policy: evaluated when they are asked for, once an object. */
class Variables implements CelMap {
  readonly isMap = true;
  readonly spent: Spent = { cost: 0 };
  readonly #known = new Map<string, { readonly value: Value } | { readonly failure: CelError }>();
  constructor(readonly programs: ReadonlyMap<string, Program>, readonly values: () => Record<string, Value>) {}

  get(key: Value): Value | undefined {
    const name = String(key), program = this.programs.get(name);
    if (!program) return undefined;
    let known = this.#known.get(name);
    if (!known) this.#known.set(name, known = this.#evaluate(name, program));
    if ("failure" in known) throw known.failure;
    return known.value;
  }
  #evaluate(name: string, program: Program): { readonly value: Value } | { readonly failure: CelError } {
    try {
      return { value: program.run(this.values(), this.spent) };
    } catch (e) {
      if (!(e instanceof CelError)) throw e;
      const fails = e instanceof Uncompiled ? "compile" : "evaluate";
      return { failure: new CelError(`composited variable ${JSON.stringify(name)} fails to ${fails}: ${e.message}`) };
    }
  }
  /** The same variables, evaluated anew with other values. */
  of(values: () => Record<string, Value>): Variables {
    return new Variables(this.programs, values);
  }
  keys(): Value[] {
    return [...this.programs.keys()];
  }
  get size(): number {
    return this.programs.size;
  }
}

/** Values for all expressions of one policy with one parameter. */
export function valuesOf(
  product: Product,
  a: Attributes,
  seen: Seen,
  namespace: Obj | undefined,
  param: Obj | undefined,
  questions: Questions,
  variables: ReadonlyMap<string, Program>,
): Record<string, Value> {
  const { ask } = questions;
  const question = {
    group: a.resource.group,
    resource: a.resource.name,
    subresource: a.subresource,
    namespace: a.namespace,
    name: a.name,
  };
  const values: Record<string, Value> = {
    object: shown(seen.object),
    oldObject: shown(seen.oldObject),
    request: shown(requestOf(a, seen.target, product)),
    namespaceObject: namespace ? namespaceShown(namespace) : null,
    params: shown(param),
    authorizer: authorizerValue(ask),
    "authorizer.requestResource": resourceCheckValue(ask, question),
  };
  values["variables"] = new Variables(variables, () => values);
  return values;
}

/** The same values for expressions that ask no authorizer (messages, audit annotations). Their variables do not either. */
export function unasking(values: Record<string, Value>): Record<string, Value> {
  const { authorizer: _a, "authorizer.requestResource": _r, ...own } = values, { variables } = values;
  if (variables instanceof Variables) own["variables"] = variables.of(() => own);
  return own;
}

/** What variables of a policy have cost since it was asked last. */
export function takeVariablesCost({ variables }: Record<string, Value>): number {
  if (!(variables instanceof Variables)) return 0;
  const { cost } = variables.spent;
  variables.spent.cost = 0;
  return cost;
}
