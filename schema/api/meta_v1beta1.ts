// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type { Json } from "../model/types.ts";
import type * as meta_v1 from "./meta_v1.ts";
import type * as runtime from "./runtime.ts";
/** Descriptors of `meta.v1beta1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "meta.k8s.io",
  version: "v1beta1",
  short: "meta.v1beta1",
  protobuf: true,
  kinds: String.raw`{
"PartialObjectMetadata":{"list":"PartialObjectMetadataList","protobuf":false,"listProtobuf":true},
"Table":{"protobuf":false},
"TableOptions":{"protobuf":false}
}`,
  messages: String.raw`{
"PartialObjectMetadata":{"t":1,"f":[["metadata 0 meta.v1.ObjectMeta Oe",{"validate":{"opaqueType":true}}]]},
"PartialObjectMetadataList":{"t":1,"f":["metadata 2 meta.v1.ListMeta Oe","items 1 meta.v1.PartialObjectMetadata rR"]},
"Table":{"t":1,"f":["metadata 0 meta.v1.ListMeta Oe",["columnDefinitions 0 meta.v1.TableColumnDefinition rR",{"listType":"atomic"}],["rows 0 meta.v1.TableRow rR",{"listType":"atomic"}]]},
"TableColumnDefinition":{"f":["name 0 string R","type 0 string R","format 0 string R","description 0 string R","priority 0 int32 R"]},
"TableOptions":{"t":1,"f":[["includeObject 0 string e",{"alias":"IncludeObjectPolicy"}]]},
"TableRow":{"f":[["cells 0 any rR",{"listType":"atomic"}],["conditions 0 meta.v1.TableRowCondition rOe",{"listType":"atomic"}],"object 0 runtime.RawExtension Oe"]},
"TableRowCondition":{"f":[["type 0 string R",{"alias":"RowConditionType"}],["status 0 string R",{"alias":"ConditionStatus"}],"reason 0 string Oe","message 0 string Oe"]}
}`,
};

export interface PartialObjectMetadata {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
}
/** List of partial object metadatas. */
export interface PartialObjectMetadataList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: meta_v1.PartialObjectMetadata[] | null;
}
export interface Table {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  columnDefinitions: meta_v1.TableColumnDefinition[] | null;
  rows: meta_v1.TableRow[] | null;
}
export interface TableColumnDefinition {
  name: string;
  type: string;
  format: string;
  description: string;
  priority: number;
}
export interface TableOptions {
  apiVersion?: string;
  kind?: string;
  includeObject?: string;
}
export interface TableRow {
  cells: Json[] | null;
  conditions?: meta_v1.TableRowCondition[];
  object?: runtime.RawExtension;
}
export interface TableRowCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
}
