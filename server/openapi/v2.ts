/** Paths of a Swagger 2.0 document. */
import type { JsonMap } from "../../schema/model/types.ts";
import type { Operation, PathItem } from "./operations.ts";
import { parameter2 } from "./parameters.ts";
import { gvkTree } from "./kinds.ts";
import type { Definitions } from "./schemas.ts";
import type { SharedParameters } from "./shared_parameters.ts";

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

const isCbor = (media: string): boolean => media.endsWith("/cbor");

/** Types of a stream of events, for each type of objects that can be streamed. */
const streams = (media: readonly string[]): string[] =>
  media.filter((m) => !m.endsWith("/yaml")).map((m) => isCbor(m) ? `${m}-seq` : `${m};stream=watch`);

/** Types of patches that an operation tells of: strategic ones need what only built-in kinds tell. */
const patched = (o: Operation, patches: readonly string[]): string[] =>
  o.custom ? patches.filter((p) => !p.includes("strategic") && !p.endsWith("+cbor")) : [...patches];

/** What custom kinds are read and written as. */
const PLAIN = ["application/json", "application/yaml"];

/** Types of bodies that an operation of a resource takes. */
export function taken(o: Operation, patches: readonly string[]): string[] {
  if (o.method === "patch" && o.body) return patched(o, patches);
  return o.custom ? PLAIN : ["*/*"];
}

/** Types that an operation answers. */
export function produced(o: Operation, media: readonly string[]): string[] {
  if (o.produces) return [...o.produces];
  if (o.custom) return PLAIN;
  if (o.returns === "text") return o.action === "connect" ? ["*/*"] : ["text/plain", ...media];
  if (o.action === undefined) return [...media];
  return o.stream ? [...media, ...streams(media)] : [...media];
}

/** Types that an operation says to take. */
function consumed(o: Operation, { media, patches }: MediaNames): string[] {
  if (o.consumes) return [...o.consumes];
  return o.action === undefined ? [...media] : taken(o, patches);
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
export const schemaOf = ({ returns }: Operation, definitions: Definitions): JsonMap =>
  returns === "text" ? { type: "string" } : definitions.ref(returns);

function operationTree(o: Operation, definitions: Definitions, shared: SharedParameters, names: MediaNames): JsonMap {
  const schema = schemaOf(o, definitions);
  const parameters = o.parameters.map(parameter2);
  if (o.body !== undefined) {
    const required = o.bodyRequired ? { required: true } : {};
    parameters.unshift({ name: "body", in: "body", ...required, schema: definitions.ref(o.body) });
  }
  const consumes = consumed(o, names);
  const responses = o.codes.map((code) => [code, { description: REASONS[code]!, schema }]);
  return {
    ...head(o),
    ...(consumes.length ? { consumes } : {}),
    produces: produced(o, names.media),
    schemes: ["https"],
    ...(parameters.length ? { parameters: parameters.map((p) => shared.place(p)) } : {}),
    responses: { ...Object.fromEntries(responses), 401: { description: REASONS[401]! } },
  };
}

/** A path as JSON text; what it shares with others goes to `shared`. */
export function pathText2(
  item: PathItem,
  definitions: Definitions,
  shared: SharedParameters,
  names: MediaNames,
): string {
  return JSON.stringify({
    ...Object.fromEntries(item.operations.map((o) => [o.method, operationTree(o, definitions, shared, names)])),
    ...(item.parameters.length ? { parameters: item.parameters.map((p) => shared.place(parameter2(p))) } : {}),
  });
}

/** Path items as JSON text, sorted by path. */
export function writePaths(items: readonly PathItem[], tree: (item: PathItem) => JsonMap): string {
  const sorted = [...items].sort((a, b) => a.path < b.path ? -1 : 1);
  return `{${sorted.map((i) => `${JSON.stringify(i.path)}:${JSON.stringify(tree(i))}`).join(",")}}`;
}
