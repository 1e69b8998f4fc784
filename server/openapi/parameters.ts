/** Parameters of operations, from the options kinds. */
import { builtInMessage } from "../../schema/messages.ts";
import type { Field, JsonMap, Message } from "../../schema/model/types.ts";

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
const byName = (a: Parameter, b: Parameter): number => a.name < b.name ? -1 : 1;
/** Members that can stand in a query: no objects. */
const isPlain = (f: Field): boolean => typeof f.type === "string" || f.type.wrapper !== undefined;

/** Parameters that a message's members are; `gate` tells which members are there at all. */
export function parametersOf(message: Message, gate: (name: string) => boolean): Parameter[] {
  const there = (f: Field) => !f.featureGates || f.featureGates.some(gate);
  return message.json.filter((f) => isPlain(f) && there(f)).map(query).sort(byName);
}

/** {@linkcode parametersOf} of an options kind: `ListOptions`, `PatchOptions`. */
export const optionsParameters = (name: string, gate: (name: string) => boolean): Parameter[] =>
  parametersOf(builtInMessage(`meta.v1.${name}`)!, gate);

/** A part of the path. */
export const inPath = (name: string): Parameter => ({ name, in: "path", type: "string", required: true });
/** Every operation can be asked for readable output. */
export const PRETTY: Parameter = { name: "pretty", in: "query", type: "string" };

/** A parameter in Swagger 2.0. */
export const parameter2 = (p: Parameter): JsonMap => ({
  name: p.name,
  in: p.in,
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
