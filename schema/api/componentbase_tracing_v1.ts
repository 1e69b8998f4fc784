// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
/** Descriptors of `tracing.v1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "",
  version: "v1",
  short: "tracing.v1",
  protobuf: false,
  kinds: String.raw`{

}`,
  messages: String.raw`{
"TracingConfiguration":{"f":["endpoint 0 string pOe","samplingRatePerMillion 0 int32 pOe"]}
}`,
};

export interface TracingConfiguration {
  endpoint?: string;
  samplingRatePerMillion?: number;
}
