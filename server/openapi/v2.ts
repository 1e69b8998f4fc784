/** Paths of a Swagger 2.0 document. */
import type { JsonMap } from "../../schema/model/types.ts";
import type { Operation, PathItem } from "./operations.ts";
import { parameter2 } from "./parameters.ts";
import { type Definitions, gvkTree } from "./schemas.ts";

/** Media types that operations take and give. */
export interface MediaNames {
  readonly media: readonly string[];
  readonly patches: readonly string[];
}

/** Names of the codes that operations answer. */
export const REASONS: Readonly<Record<number, string>> = {
  200: "OK",
  201: "Created",
  202: "Accepted",
  401: "Unauthorized",
};

/** Types of a stream of events, for each type of objects that can be streamed. */
export const streams = (media: readonly string[]): string[] =>
  media.filter((m) => !m.endsWith("/yaml") && !m.endsWith("/cbor")).map((m) => `${m};stream=watch`);

/** Types of patches that an operation takes: strategic ones need what only built-in kinds tell. */
export const patched = (o: Operation, patches: readonly string[]): string[] =>
  o.custom ? patches.filter((p) => !p.includes("strategic")) : [...patches];

/** What custom kinds are read and written as. */
const PLAIN = ["application/json", "application/yaml"];

/** Types of bodies that an operation takes. */
export const consumed = (o: Operation): string[] => o.custom ? PLAIN : ["*/*"];

/** Types that an operation answers. */
export function produced(o: Operation, all: readonly string[]): string[] {
  if (o.custom) return PLAIN;
  const media = o.kind?.protobuf === false ? all.filter((m) => !m.endsWith(".protobuf")) : all;
  if (o.returns === "text") return o.action === "connect" ? ["*/*"] : ["text/plain", ...media];
  if (o.returns === "object") return ["application/json"];
  if (o.action === undefined) return media.filter((m) => !m.endsWith("/cbor"));
  return o.stream ? [...media, ...streams(media)] : [...media];
}

/** What the document says of an operation beside its bodies. */
export function head(o: Operation): JsonMap {
  return {
    description: o.description,
    operationId: o.id,
    tags: [o.tag],
    ...(o.action ? { "x-kubernetes-action": o.action } : {}),
    ...(o.kind ? { "x-kubernetes-group-version-kind": gvkTree(o.kind) } : {}),
  };
}

/** What an operation answers. */
export function schemaOf({ returns }: Operation, definitions: Definitions): JsonMap | undefined {
  if (typeof returns === "object") return definitions.ref(returns);
  return returns && { type: returns === "text" ? "string" : "object" };
}

function operationTree(o: Operation, definitions: Definitions, { media, patches }: MediaNames): JsonMap {
  const schema = schemaOf(o, definitions);
  const parameters = o.parameters.map(parameter2);
  if (o.body !== undefined) {
    const body = o.body === "patch" ? { type: "object" } : definitions.ref(o.body);
    parameters.unshift({ name: "body", in: "body", ...(o.bodyRequired ? { required: true } : {}), schema: body });
  }
  const responses = o.codes.map((code) => [code, { description: REASONS[code]!, ...(schema ? { schema } : {}) }]);
  return {
    ...head(o),
    consumes: o.body === "patch" ? patched(o, patches) : o.action === undefined ? [...media] : consumed(o),
    produces: produced(o, media),
    schemes: ["https"],
    ...(parameters.length ? { parameters } : {}),
    responses: { ...Object.fromEntries(responses), 401: { description: REASONS[401]! } },
  };
}

/** Paths as JSON text, sorted. */
export function writePaths2(items: readonly PathItem[], definitions: Definitions, names: MediaNames): string {
  return writePaths(items, (item) => ({
    ...Object.fromEntries(item.operations.map((o) => [o.method, operationTree(o, definitions, names)])),
    ...(item.parameters.length ? { parameters: item.parameters.map(parameter2) } : {}),
  }));
}

/** Path items as JSON text, sorted by path. */
export function writePaths(items: readonly PathItem[], tree: (item: PathItem) => JsonMap): string {
  const sorted = [...items].sort((a, b) => a.path < b.path ? -1 : 1);
  return `{${sorted.map((i) => `${JSON.stringify(i.path)}:${JSON.stringify(tree(i))}`).join(",")}}`;
}
