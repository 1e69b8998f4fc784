/** Values of the variables that expressions of admission may mention. */
import {
  authorizerValue,
  CelError,
  type CelMap,
  type Program,
  resourceCheckValue,
  type Value,
} from "../../../schema/cel/mod.ts";
import { celValue } from "../../../schema/customresources/cel_types.ts";
import type { Json, JsonMap, Obj } from "../../../schema/model/types.ts";
import type { Attributes } from "../types.ts";
import type { Questions } from "./questions.ts";

const MOMENT = { type: "string", format: "date-time" };
const NAMESPACE = {
  type: "object",
  properties: {
    metadata: { type: "object", properties: { creationTimestamp: MOMENT, deletionTimestamp: MOMENT } },
    status: {
      type: "object",
      properties: {
        conditions: { type: "array", items: { type: "object", properties: { lastTransitionTime: MOMENT } } },
      },
    },
  },
};

const shown = (v: unknown): Value => v === undefined ? null : celValue(v as Json, undefined);

const given = (member: string, text: string): JsonMap => text === "" ? {} : { [member]: text };

/** What an expression sees of a request that was matched in a version. */
function requestOf(a: Attributes, version: string): JsonMap {
  const { group, name: resource } = a.resource;
  const kindIn = (v: string): JsonMap => {
    const served = a.resource.served.find((s) => s.version === v);
    const kind = (a.subresource ? served?.subresources.get(a.subresource)?.kind : undefined) ?? served?.kind ??
      a.resource.storageKind;
    return { group: kind.group, version: kind.version, kind: kind.kind };
  };
  const { user } = a;
  return {
    kind: kindIn(version),
    resource: { group, version, resource },
    ...given("subResource", a.subresource),
    requestKind: kindIn(a.version),
    requestResource: { group, version: a.version, resource },
    ...given("requestSubResource", a.subresource),
    ...given("name", a.name),
    ...given("namespace", a.namespace),
    operation: a.operation,
    userInfo: {
      username: user.name,
      ...(user.uid ? { uid: user.uid } : {}),
      groups: [...user.groups],
      ...(user.extra ? { extra: user.extra as unknown as JsonMap } : {}),
    },
    dryRun: a.dryRun,
    options: a.options,
  };
}

/** Variables of a policy: evaluated when they are asked for, once an object. */
class Variables implements CelMap {
  readonly isMap = true;
  readonly #known = new Map<string, { readonly value: Value } | { readonly failure: CelError }>();
  constructor(readonly programs: ReadonlyMap<string, Program>, readonly values: () => Record<string, Value>) {}

  get(key: Value): Value | undefined {
    const program = typeof key === "string" ? this.programs.get(key) : undefined;
    if (!program) return undefined;
    let known = this.#known.get(key as string);
    if (!known) this.#known.set(key as string, known = this.#evaluate(program));
    if ("failure" in known) throw known.failure;
    return known.value;
  }
  #evaluate(program: Program): { readonly value: Value } | { readonly failure: CelError } {
    try {
      return { value: program.run(this.values()) };
    } catch (e) {
      if (e instanceof CelError) return { failure: e };
      throw e;
    }
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
  a: Attributes,
  version: string,
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
    object: shown(a.object),
    oldObject: shown(a.oldObject),
    request: shown(requestOf(a, version)),
    namespaceObject: namespace ? celValue(namespace as unknown as Json, NAMESPACE) : null,
    params: shown(param),
    authorizer: authorizerValue(ask),
    "authorizer.requestResource": resourceCheckValue(ask, question),
  };
  values["variables"] = new Variables(variables, () => values);
  return values;
}
