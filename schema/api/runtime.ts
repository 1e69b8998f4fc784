// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type { Json } from "../model/types.ts";
/** Descriptors of `runtime`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "",
  version: "",
  short: "runtime",
  protobuf: true,
  kinds: String.raw`{

}`,
  messages: String.raw`{
"RawExtension":{"w":"raw","f":[" 1 bytes"]},
"TypeMeta":{"f":["apiVersion 1 string Oe","kind 2 string Oe"]},
"Unknown":{"f":[" 1 .TypeMeta i"," 2 bytes R"," 3 string R"," 4 string R"]}
}`,
};

/** A JSON object of any form. It is carried along as it is written, its form is known only to whoever reads it. Often it has its own apiVersion and kind. */
export type RawExtension = Json;
export interface TypeMeta {
  apiVersion?: string;
  kind?: string;
}
export interface Unknown {
  apiVersion?: string;
  kind?: string;
}
