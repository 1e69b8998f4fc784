/**
 * The Protobuf form of an OpenAPI 3.0 document, by which newer clients look up what they can ask for. The messages are
 * those of the public description of such documents; anything else in a schema is an extension, whose value is text.
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

const REFERENCE: Members = { $ref: [1, text] };
/** What stands itself, or refers to where it stands. */
const orReference = (write: Write): Write => (w, v) =>
  typeof (v as JsonMap)["$ref"] === "string" ? nested(message(() => REFERENCE))(w, 2, v) : nested(write)(w, 1, v);

/** Defaults are told where they are no lists or objects. */
const defaultValue: Write = (w, v) => {
  if (typeof v === "number") double(w, 1, v);
  else if (typeof v === "boolean") bool(w, 2, v);
  else if (typeof v === "string") text(w, 3, v);
};

const schema: Write = message(() => SCHEMA, 36);
const schemas = orReference(schema);
const SCHEMA: Members = {
  nullable: [1, bool],
  title: [9, text],
  multipleOf: [10, double],
  maximum: [11, double],
  exclusiveMaximum: [12, bool],
  minimum: [13, double],
  exclusiveMinimum: [14, bool],
  maxLength: [15, int64],
  minLength: [16, int64],
  pattern: [17, text],
  maxItems: [18, int64],
  minItems: [19, int64],
  uniqueItems: [20, bool],
  maxProperties: [21, int64],
  minProperties: [22, int64],
  required: [23, texts],
  enum: [24, each(any)],
  type: [25, text],
  allOf: [26, each(schemas)],
  oneOf: [27, each(schemas)],
  anyOf: [28, each(schemas)],
  not: [29, nested(schema)],
  items: [30, nested((w, v) => nested(schemas)(w, 1, v))],
  properties: [31, nested(entries(1, schemas))],
  additionalProperties: [32, nested((w, v) => typeof v === "boolean" ? bool(w, 2, v) : nested(schemas)(w, 1, v))],
  default: [33, nested(defaultValue)],
  description: [34, text],
  format: [35, text],
};

const MEDIA_TYPE: Members = { schema: [1, nested(schemas)] };
const mediaTypes = nested(entries(1, message(() => MEDIA_TYPE)));
const PARAMETER: Members = {
  name: [1, text],
  in: [2, text],
  description: [3, text],
  required: [4, bool],
  schema: [10, nested(schemas)],
};
const parameters = each(orReference(message(() => PARAMETER)));
const REQUEST_BODY: Members = { description: [1, text], content: [2, mediaTypes], required: [3, bool] };
const RESPONSE: Members = { description: [1, text], content: [3, mediaTypes] };

const OPERATION: Members = {
  tags: [1, texts],
  description: [3, text],
  operationId: [5, text],
  parameters: [6, parameters],
  requestBody: [7, nested(orReference(message(() => REQUEST_BODY)))],
  responses: [8, nested(entries(2, orReference(message(() => RESPONSE))))],
};
const operation = nested(message(() => OPERATION, 13));
const PATH_ITEM: Members = {
  get: [4, operation],
  put: [5, operation],
  post: [6, operation],
  delete: [7, operation],
  options: [8, operation],
  head: [9, operation],
  patch: [10, operation],
  parameters: [13, parameters],
};

const SECURITY_SCHEME: Members = { type: [1, text], description: [2, text], name: [3, text], in: [4, text] };
const COMPONENTS: Members = {
  schemas: [1, nested(entries(1, schemas))],
  securitySchemes: [7, nested(entries(1, orReference(message(() => SECURITY_SCHEME))))],
};
const INFO: Members = { title: [1, text], version: [6, text] };
const DOCUMENT: Members = {
  openapi: [1, text],
  info: [2, nested(message(() => INFO))],
  paths: [4, nested(entries(1, message(() => PATH_ITEM)))],
  components: [5, nested(message(() => COMPONENTS))],
};

/** A document as Protobuf. */
export const encodeDocument3 = (document: JsonMap): Uint8Array<ArrayBuffer> =>
  encoded(message(() => DOCUMENT), document);
