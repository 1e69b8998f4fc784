/** What a row of an option table is, and the value that it gives. */
import type { Taint } from "../api/core_v1.ts";

/**
 * Kinds of value. `strings`: comma lists, repeatable. `array`: repeatable, commas kept. `pair`: a map,
 * one pair each time, commas kept. `pairs`: a map whose
 * values hold no commas, empty items are passed over. `switches`: the same, keys may stand alone, with an empty value. `duration`: Go text, milliseconds here. `thresholds`: a map of `key<value`. `headers`: `name:value`,
 * a name may come again. `taints`: `key=value:effect`. `numaMemory`: `node:type=quantity,…`, parted by semicolons.
 */
export type OptionType =
  | "bool"
  | "int"
  | "float"
  | "string"
  | "path"
  | "ip"
  | "url"
  | "quantity"
  | "duration"
  | "strings"
  | "array"
  | "ints"
  | "map"
  | "pair"
  | "pairs"
  | "switches"
  | "cidrs"
  | "portRange"
  | "certKeys"
  | "thresholds"
  | "headers"
  | "taints"
  | "numaMemory";

/** A serving pair of `--tls-sni-cert-key`. */
export interface CertKey {
  readonly cert: string;
  readonly key: string;
  readonly domains: readonly string[];
}

/** Ports from `from` to `to`, both inclusive. */
export interface PortRange {
  readonly from: number;
  readonly to: number;
}

/** Memory of one NUMA node, quantities by type: `memory`, `hugepages-2Mi`. */
export interface NumaMemory {
  readonly numaNode: number;
  readonly limits: Readonly<Record<string, string>>;
}

/** The value type of each kind. */
export interface ValueOf {
  bool: boolean;
  int: number;
  float: number;
  string: string;
  path: string;
  ip: string;
  url: string;
  quantity: string;
  /** ms */
  duration: number;
  strings: readonly string[];
  array: readonly string[];
  ints: readonly number[];
  map: Readonly<Record<string, string>>;
  pair: Readonly<Record<string, string>>;
  pairs: Readonly<Record<string, string>>;
  switches: Readonly<Record<string, string>>;
  cidrs: readonly string[];
  portRange: PortRange;
  certKeys: readonly CertKey[];
  thresholds: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, readonly string[]>>;
  taints: readonly Taint[];
  numaMemory: readonly NumaMemory[];
}

/** What a value must satisfy besides its type. Bounds are inclusive; they and `oneOf` apply to each item of a list. */
export interface ValueRule {
  readonly min?: number;
  readonly max?: number;
  readonly oneOf?: readonly string[];
  readonly maxItems?: number;
}

/** One option. Without `default` the value is the type's zero: false, 0, empty. */
export interface OptionRow {
  readonly name: string;
  readonly type: OptionType;
  /** One line for `--help` and docs/options.md, without a full stop. */
  readonly help: string;
  readonly short?: string;
  /** The value when the option is absent, as it would be given. Public names in it are put into the dialect. */
  readonly default?: string;
  readonly rule?: ValueRule;
  /** What to use in place of it. */
  readonly deprecated?: string;
  /** Present: the option is read and checked but changes nothing, for this reason. Absent: it is effective. */
  readonly accepted?: string;
  /** Other names of the same option: those of the public server where the specification renames. */
  readonly aliases?: readonly string[];
}

/** Whether an option changes anything. */
export const statusOf = (row: OptionRow): "effective" | "accepted" =>
  row.accepted === undefined ? "effective" : "accepted";
