/** Paths of an OpenAPI 3.0 document. */
import type { JsonMap } from "../../schema/model/types.ts";
import type { Operation, PathItem } from "./operations.ts";
import { parameter3 } from "./parameters.ts";
import type { Definitions } from "./schemas.ts";
import { head, type MediaNames, produced, REASONS, schemaOf, taken, writePaths } from "./v2.ts";

const content = (types: readonly string[], schema: JsonMap): JsonMap =>
  Object.fromEntries(types.map((type) => [type, { schema }]));

function requestBody(o: Operation, definitions: Definitions, patches: readonly string[]): JsonMap {
  if (o.body === undefined) return {};
  const required = o.bodyRequired ? { required: true } : {};
  return { requestBody: { content: content(taken(o, patches), definitions.ref(o.body)), ...required } };
}

function operationTree(o: Operation, definitions: Definitions, { media, patches }: MediaNames): JsonMap {
  const body = { content: content(produced(o, media), schemaOf(o, definitions)) };
  const responses = o.codes.map((code) => [code, { description: REASONS[code]!, ...body }]);
  return {
    ...head(o),
    ...(o.parameters.length ? { parameters: o.parameters.map(parameter3) } : {}),
    ...requestBody(o, definitions, patches),
    responses: { ...Object.fromEntries(responses), 401: { description: REASONS[401]! } },
  };
}

/** Paths as JSON text, sorted. */
export function writePaths3(items: readonly PathItem[], definitions: Definitions, names: MediaNames): string {
  return writePaths(items, (item) => ({
    ...Object.fromEntries(item.operations.map((o) => [o.method, operationTree(o, definitions, names)])),
    ...(item.parameters.length ? { parameters: item.parameters.map(parameter3) } : {}),
  }));
}
