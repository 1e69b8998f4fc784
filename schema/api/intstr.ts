// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
/** Descriptors of `intstr`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "",
  version: "",
  short: "intstr",
  protobuf: true,
  kinds: String.raw`{

}`,
  messages: String.raw`{
"IntOrString":{"w":"intOrString","f":[[" 1 int64",{"alias":"Type"}]," 2 int32"," 3 string"]}
}`,
};

/** A whole number of 32 bits or a string, such as 8080 or http, 3 or 25%. What a string may say depends on the member that holds it. */
export type IntOrString = number | string;
