/**
 * The Protobuf form of a Swagger 2.0 document, which older clients ask for. The messages are those of the public
 * description of such documents; the tables name the members that ours have. Anything else in a schema is an extension,
 * whose value is text in JSON.
 */
import type { JsonMap } from "../../schema/model/types.ts";
import {
  any,
  bool,
  double,
  each,
  encoded,
  entries,
  int64,
  type Members,
  message,
  nested,
  text,
  texts,
  type Write,
} from "./protobuf_fields.ts";

const schema: Write = message(() => SCHEMA, 31);
const SCHEMA: Members = {
  $ref: [1, text],
  format: [2, text],
  title: [3, text],
  description: [4, text],
  default: [5, nested(any)],
  multipleOf: [6, double],
  maximum: [7, double],
  exclusiveMaximum: [8, bool],
  minimum: [9, double],
  exclusiveMinimum: [10, bool],
  maxLength: [11, int64],
  minLength: [12, int64],
  pattern: [13, text],
  maxItems: [14, int64],
  minItems: [15, int64],
  uniqueItems: [16, bool],
  maxProperties: [17, int64],
  minProperties: [18, int64],
  required: [19, texts],
  enum: [20, each(any)],
  additionalProperties: [21, nested((w, v) => typeof v === "boolean" ? bool(w, 2, v) : nested(schema)(w, 1, v))],
  type: [22, nested((w, v) => Array.isArray(v) ? texts(w, 1, v) : text(w, 1, v))],
  items: [23, nested((w, v) => nested(schema)(w, 1, v))],
  allOf: [24, each(schema)],
  properties: [25, nested(entries(1, schema))],
};

const BODY_PARAMETER: Members = {
  description: [1, text],
  name: [2, text],
  in: [3, text],
  required: [4, bool],
  schema: [5, nested(schema)],
};
/** Parameters in paths; those in queries have one more member before `type`. */
const parameterMembers = (shift: number): Members => ({
  required: [1, bool],
  in: [2, text],
  description: [3, text],
  name: [4, text],
  type: [5 + shift, text],
  format: [6 + shift, text],
  uniqueItems: [19 + shift, bool],
});
const PATH_PARAMETER = parameterMembers(0);
const QUERY_PARAMETER = parameterMembers(1);

const nonBody: Write = (w, v) =>
  (v as JsonMap)["in"] === "path"
    ? nested(message(() => PATH_PARAMETER))(w, 4, v)
    : nested(message(() => QUERY_PARAMETER))(w, 3, v);
const parameter: Write = (w, v) =>
  (v as JsonMap)["in"] === "body" ? nested(message(() => BODY_PARAMETER))(w, 1, v) : nested(nonBody)(w, 2, v);
const REFERENCE: Members = { $ref: [1, text], description: [2, text] };
const parametersItem: Write = (w, v) =>
  "$ref" in (v as JsonMap) ? nested(message(() => REFERENCE))(w, 2, v) : nested(parameter)(w, 1, v);

const RESPONSE: Members = { description: [1, text], schema: [2, nested((w, v) => nested(schema)(w, 1, v))] };
const responseValue: Write = (w, v) => nested(message(() => RESPONSE))(w, 1, v);

const OPERATION: Members = {
  tags: [1, texts],
  description: [3, text],
  operationId: [5, text],
  produces: [6, texts],
  consumes: [7, texts],
  parameters: [8, each(parametersItem)],
  responses: [9, nested(entries(1, responseValue))],
  schemes: [10, texts],
};
const operation: Write = message(() => OPERATION, 13);

const PATH_ITEM: Members = {
  get: [2, nested(operation)],
  put: [3, nested(operation)],
  post: [4, nested(operation)],
  delete: [5, nested(operation)],
  options: [6, nested(operation)],
  head: [7, nested(operation)],
  patch: [8, nested(operation)],
  parameters: [9, each(parametersItem)],
};

const API_KEY: Members = { type: [1, text], name: [2, text], in: [3, text], description: [4, text] };
const securityItem: Write = (w, v) => nested(message(() => API_KEY))(w, 2, v);
const requirement: Write = entries(1, (w, v) => texts(w, 1, v));

/** The two maps that are nearly all of a document: the member's number, and how one is written; so that it can be done entry by entry. */
export const MAPS2 = {
  paths: [8, entries(2, message(() => PATH_ITEM))],
  definitions: [9, entries(1, schema)],
} as const;

const DOCUMENT: Members = {
  swagger: [1, text],
  info: [2, nested(message(() => ({ title: [1, text], version: [2, text] })))],
  paths: [MAPS2.paths[0], nested(MAPS2.paths[1])],
  definitions: [MAPS2.definitions[0], nested(MAPS2.definitions[1])],
  parameters: [10, nested(entries(1, parameter))],
  security: [12, each(requirement)],
  securityDefinitions: [13, nested(entries(1, securityItem))],
};

/** A document, or some of its members, as Protobuf. @throws TypeError for what is none */
export const encodeDocument2 = (document: JsonMap): Uint8Array<ArrayBuffer> =>
  encoded(message(() => DOCUMENT), document);
