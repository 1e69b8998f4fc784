/** A small kind with every way of owning: scalars, granular and atomic maps and structs, sets, keyed and atomic lists. */
import type { ManagedKind } from "../../schema/merge/managed.ts";
import type { Message } from "../../schema/model/types.ts";
import { builtin, field, list, map, message } from "./_schema.ts";

const PART = message("t.Part", [field("x", "int32"), field("y", "int32")]);

const ITEM: Message = message("t.Item", [
  field("name", "string", { omitempty: false, required: true, optional: false }),
  field("value", "int32"),
  list("tags", "string", { listType: "set" }),
  field("part", PART),
]);

const PORT = message("t.Port", [
  field("port", "int32", { omitempty: false, required: true, optional: false }),
  field("protocol", "string", { default: "TCP" }),
  field("note", "string"),
  field("zone", "string"),
]);

/** `spec` of the kind. */
export const SPEC: Message = message("t.WidgetSpec", [
  field("size", "int32", { pointer: true }),
  field("color", "string"),
  field("on", "bool"),
  field("part", PART, { pointer: true }),
  field("whole", PART, { pointer: true, structType: "atomic" }),
  map("labels", "string"),
  map("wholeLabels", "string", { mapType: "atomic" }),
  map("parts", PART),
  list("set", "string", { listType: "set" }),
  list("numbers", "int64", { listType: "set" }),
  list("items", ITEM, { listType: "map", listMapKeys: ["name"] }),
  list("ports", PORT, { listType: "map", listMapKeys: ["port", "protocol"] }),
  list("optionalKeys", PORT, { listType: "map", listMapKeys: ["note", "zone"] }),
  list("plain", "string"),
  list("merged", ITEM, { patchStrategy: "merge", patchMergeKey: "name" }),
  list("atomicItems", ITEM, { listType: "atomic" }),
  field("any", "any"),
  field("raw", builtin("runtime.RawExtension"), { pointer: true }),
  field("quantity", builtin("quantity.Quantity"), { pointer: true }),
  field("child", message("t.Open", [field("known", "string")], { preserveUnknown: true }), { pointer: true }),
]);

/** The kind's message. */
export const WIDGET: Message = message("t.Widget", [
  field("metadata", builtin("meta.v1.ObjectMeta")),
  field("spec", SPEC, { pointer: true }),
  field("status", message("t.WidgetStatus", [field("ready", "bool"), map("seen", "string")]), { pointer: true }),
]);

/** The kind as the field manager takes it. */
export const KIND: ManagedKind = { apiVersion: "test/v1", kind: "Widget", message: WIDGET };
