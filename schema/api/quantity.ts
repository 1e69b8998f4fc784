// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
/** Descriptors of `quantity`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "",
  version: "",
  short: "quantity",
  protobuf: true,
  kinds: String.raw`{

}`,
  messages: String.raw`{
"Quantity":{"w":"quantity","f":[" 1 string"]},
"QuantityValue":{"w":"quantity","f":[" 0 .Quantity i"," 1 string"]}
}`,
};

export type Quantity = string;
export type QuantityValue = string;
