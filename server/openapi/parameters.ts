/** Parameters of operations, from the options kinds. */
import { builtInMessage } from "../../schema/messages.ts";
import type { Field, JsonMap, Message } from "../../schema/model/types.ts";
import { PARAMETERS } from "./described.ts";

/** A parameter in the path or the query, of either flavour of document. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly type: "string" | "integer" | "boolean";
  readonly required?: boolean;
}

const TYPES: Readonly<Record<string, Parameter["type"]>> = {
  bool: "boolean",
  int32: "integer",
  int64: "integer",
  uint32: "integer",
};
const query = (f: Field): Parameter => ({
  name: f.name,
  in: "query",
  type: typeof f.type === "string" ? TYPES[f.type] ?? "string" : "string",
});
/** By name; of one name, the part of the path is first. */
const byName = (a: Parameter, b: Parameter): number => keyOf(a) < keyOf(b) ? -1 : 1;
const keyOf = (p: Parameter): string => `${p.name} ${p.in}`;
/** Members that documents tell of: no messages, times among them. */
const isPlain = (f: Field): boolean => typeof f.type === "string";

/** Parameters that a message's members are, those of features that are off among them. */
export const parametersOf = (message: Message): Parameter[] => message.json.filter(isPlain).map(query).sort(byName);

/** {@linkcode parametersOf} of an options kind: `ListOptions`, `PatchOptions`. */
export const optionsParameters = (name: string): Parameter[] => parametersOf(builtInMessage(`meta.v1.${name}`)!);

/** A part of the path. */
export const inPath = (name: string): Parameter => ({ name, in: "path", type: "string", required: true });
/** Every operation can be asked for readable output. */
export const PRETTY: Parameter = { name: "pretty", in: "query", type: "string" };

/** A parameter in Swagger 2.0, where most are told once: with words. */
export const parameter2 = (p: Parameter): JsonMap => ({
  name: p.name,
  in: p.in,
  ...(p.in === "query" && Object.hasOwn(PARAMETERS, p.name) ? { description: PARAMETERS[p.name]! } : {}),
  ...(p.required ? { required: true } : {}),
  type: p.type,
  uniqueItems: true,
});

/** A parameter in OpenAPI 3.0. */
export const parameter3 = (p: Parameter): JsonMap => ({
  name: p.name,
  in: p.in,
  ...(p.required ? { required: true } : {}),
  schema: { type: p.type, uniqueItems: true },
});

/** The parameters of a path's operations; those that all of them take are the path's. Either list is in order. */
export function sharedByAll(
  path: readonly Parameter[],
  operations: readonly (readonly Parameter[])[],
): { path: Parameter[]; operations: Parameter[][] } {
  const [first = [], ...others] = operations;
  const common = first.filter((p) => others.every((list) => list.some((q) => keyOf(q) === keyOf(p))));
  const names = new Set(common.map(keyOf));
  return {
    path: [...path, ...common].sort(byName),
    operations: operations.map((list) => list.filter((p) => !names.has(keyOf(p))).sort(byName)),
  };
}
