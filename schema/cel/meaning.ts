/** What a call means for its cost: most functions cost the same, whatever they are called with. */
import type { Overload } from "./table.ts";

/** Kinds of calls. `plain`: each that is not dear. */
export type Meaning =
  | "plain"
  | "logic"
  | "choice"
  | "equal"
  | "order"
  | "joinTexts"
  | "joinLists"
  | "inList"
  | "indexList"
  | "indexMap"
  | "startsWith"
  | "contains"
  | "matches"
  | "textToBytes"
  | "bytesToText"
  | "format"
  | "quote"
  | "slice"
  | "range"
  | "reverse"
  | "flatten"
  | "distinct"
  | "sort"
  | "sortTexts"
  | "sortBy"
  | "sortTextsBy"
  | "setContains"
  | "setEquivalent"
  | "ofCidr"
  | "cidrAndText";

/** By name, and by the kind of the first parameter (`*`: whichever); member functions as `.name`. */
const MEANINGS: Readonly<Record<string, Readonly<Record<string, Meaning>>>> = {
  "==": { "*": "equal" },
  "!=": { "*": "equal" },
  "<": { string: "order", bytes: "order" },
  "<=": { string: "order", bytes: "order" },
  ">": { string: "order", bytes: "order" },
  ">=": { string: "order", bytes: "order" },
  "+": { string: "joinTexts", bytes: "joinTexts", list: "joinLists" },
  in: { "*": "inList" },
  ".startsWith": { "*": "startsWith" },
  ".endsWith": { "*": "startsWith" },
  ".contains": { "*": "contains" },
  ".matches": { "*": "matches" },
  matches: { "*": "matches" },
  ".format": { "*": "format" },
  "strings.quote": { "*": "quote" },
  bytes: { string: "textToBytes" },
  string: { bytes: "bytesToText" },
  ".slice": { "*": "slice" },
  "lists.range": { "*": "range" },
  ".reverse": { list: "reverse" },
  ".flatten": { "*": "flatten" },
  ".distinct": { "*": "distinct" },
  ".sort": { list: "sort" },
  "sets.contains": { "*": "setContains" },
  "sets.intersects": { "*": "setContains" },
  "sets.equivalent": { "*": "setEquivalent" },
  ".ip": { cidr: "ofCidr" },
  ".containsIP": { "*": "cidrAndText" },
  ".containsCIDR": { "*": "cidrAndText" },
};

/** What an overload means. `name`: with its prefix, if it has one. */
export function meaningOf(name: string, { member, params }: Overload): Meaning {
  const key = member ? `.${name}` : name, first = params[0];
  const row = Object.hasOwn(MEANINGS, key) ? MEANINGS[key]! : undefined;
  const found = row?.[first?.k ?? "*"] ?? row?.["*"] ?? "plain";
  switch (found) {
    case "inList":
      return params[1]!.k === "list" ? found : "plain";
    case "cidrAndText":
      return params[1]!.k === "string" ? found : "plain";
    case "sort":
      return first?.k === "list" && (first.of.k === "string" || first.of.k === "bytes") ? "sortTexts" : found;
    default:
      return found;
  }
}
