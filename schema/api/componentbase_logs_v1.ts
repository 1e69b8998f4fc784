// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type * as quantity from "./quantity.ts";
/** Descriptors of `logs.v1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "",
  version: "v1",
  short: "logs.v1",
  protobuf: false,
  kinds: String.raw`{

}`,
  messages: String.raw`{
"FormatOptions":{"f":["text 0 .TextOptions e","json 0 .JSONOptions e"]},
"JSONOptions":{"f":[" 0 .OutputRoutingOptions i"]},
"LoggingConfiguration":{"f":["format 0 string e","flushFrequency 0 .TimeOrMetaDuration R",["verbosity 0 uint32 R",{"alias":"VerbosityLevel"}],["vmodule 0 .VModuleItem re",{"alias":"VModuleConfiguration"}],"options 0 .FormatOptions e"]},
"OutputRoutingOptions":{"f":["splitStream 0 bool e","infoBufferSize 0 quantity.QuantityValue e"]},
"TextOptions":{"f":[" 0 .OutputRoutingOptions i"]},
"TimeOrMetaDuration":{"f":[]},
"VModuleItem":{"f":["filePattern 0 string R",["verbosity 0 uint32 R",{"alias":"VerbosityLevel"}]]}
}`,
};

export interface FormatOptions {
  text?: TextOptions;
  json?: JSONOptions;
}
export interface JSONOptions {
  splitStream?: boolean;
  infoBufferSize?: quantity.QuantityValue;
}
export interface LoggingConfiguration {
  format?: string;
  flushFrequency: TimeOrMetaDuration;
  verbosity: number;
  vmodule?: VModuleItem[];
  options?: FormatOptions;
}
export interface OutputRoutingOptions {
  splitStream?: boolean;
  infoBufferSize?: quantity.QuantityValue;
}
export interface TextOptions {
  splitStream?: boolean;
  infoBufferSize?: quantity.QuantityValue;
}
export type TimeOrMetaDuration = Record<string, never>;
export interface VModuleItem {
  filePattern: string;
  verbosity: number;
}
