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

/** An amount: a number with a suffix where one is needed. n, u and m are billionths, millionths and thousandths; k, M, G, T, P, E powers of 1000; Ki, Mi, Gi, Ti, Pi, Ei powers of 1024; or an exponent such as 1e3. Answers use the largest suffix that needs no decimal point: 1.5 comes back as 1500m. */
export type Quantity = string;
export type QuantityValue = string;
