/** How large the values of a schema can be: bounds that it sets, else what fits into a request. */
import type { SizeAt } from "../cel/mod.ts";
import { escapeName, typedSchema } from "./cel_types.ts";
import { isEmbedded, isIntOrString, type Schema, valuesOf } from "./schema.ts";

/** Longest request that sizes are reckoned with, bytes; it does not follow the server's options. */
const REQUEST = 3 * 1024 * 1024;
/** Longest texts of these formats, with their quotes. */
const LONGEST: Readonly<Record<string, number>> = { duration: 32, date: 12, "date-time": 32 };
/** Shortest texts of these formats, with their quotes. */
const SHORTEST: Readonly<Record<string, number>> = { duration: 3, date: 12, "date-time": 21 };
const EMPTY_TEXT = 2, NUMBER = 1, BOOLEAN = 4;

/** Sizes of a schema's values. */
export interface Extent {
  /** Most characters, items or entries; 0 of objects and single values. */
  readonly most: number;
  /** Fewest bytes of a value in JSON. */
  readonly leastBytes: number;
  readonly fields?: ReadonlyMap<string, Extent>;
  /** Of items, or of a map's values. */
  readonly of?: Extent;
  readonly isMap?: boolean;
}

/** The extent of a schema's values; undefined where expressions cannot look. `root`: the node is a whole object. */
export function extentOf(schema: Schema, root = false): Extent | undefined {
  if (isIntOrString(schema)) return { most: textBound(schema) ?? REQUEST - 2, leastBytes: 1 };
  const s = root || isEmbedded(schema) ? typedSchema(schema) : schema;
  switch (s.type) {
    case "array":
      return listExtent(s);
    case "object":
      return valuesOf(s) ? mapExtent(s) : objectExtent(s);
    case "string":
      return textExtent(s);
    case "boolean":
      return { most: 0, leastBytes: BOOLEAN };
    case "number":
    case "integer":
      return { most: 0, leastBytes: NUMBER };
    default:
      return undefined;
  }
}

const given = (n: number | undefined): number | undefined => n === undefined ? undefined : Math.max(0, Number(n));
/** Characters take up to four bytes. */
const textBound = (s: Schema): number | undefined => s.maxLength === undefined ? undefined : 4 * given(s.maxLength)!;
const utf8 = new TextEncoder();
const bytes = (text: string): number => utf8.encode(text).length;

function textExtent(s: Schema): Extent {
  const format = s.format ?? "";
  if (Object.hasOwn(LONGEST, format)) return { most: LONGEST[format]!, leastBytes: SHORTEST[format]! };
  const bound = format === "byte" ? given(s.maxLength) : textBound(s);
  return { most: bound ?? enumBound(s) ?? REQUEST - 2, leastBytes: EMPTY_TEXT };
}

function enumBound(s: Schema): number | undefined {
  if (!s.enum?.length || s.format === "byte") return undefined;
  return s.enum.reduce<number>((most, v) => Math.max(most, typeof v === "string" ? bytes(v) : 0), 0);
}

function listExtent(s: Schema): Extent | undefined {
  const of = s.items && extentOf(s.items);
  return of && { most: given(s.maxItems) ?? Math.floor((REQUEST - 2) / (of.leastBytes + 1)), leastBytes: 2, of };
}

function mapExtent(s: Schema): Extent | undefined {
  const of = extentOf(valuesOf(s)!);
  const most = of && (given(s.maxProperties) ?? Math.floor((REQUEST - 2) / (of.leastBytes + 6)));
  return of && { most: most!, leastBytes: 2, of, isMap: true };
}

function objectExtent(s: Schema): Extent {
  const fields = new Map<string, Extent>();
  let leastBytes = 2;
  for (const [name, part] of Object.entries(s.properties ?? {})) {
    const extent = extentOf(part), escaped = escapeName(name);
    if (!extent) continue;
    if (escaped !== undefined) fields.set(escaped, extent);
    // What has a default need not be sent.
    if (s.required?.includes(name) && part.default === undefined) leastBytes += bytes(name) + extent.leastBytes + 4;
  }
  return { most: 0, leastBytes, fields };
}

const KEY: Extent = { most: 0, leastBytes: EMPTY_TEXT };

/** Sizes below a value, for estimates: whatever variable it is asked of, and even a type, is of that extent. */
export function sizesBelow(extent: Extent): SizeAt {
  return (steps) => {
    let at: Extent | undefined = extent;
    for (const step of steps) at = at && stepInto(at, step);
    return at && { least: 0, most: at.most };
  };
}

function stepInto(at: Extent, step: string): Extent | undefined {
  if (step === "@items" || step === "@values") return at.of;
  return step === "@keys" ? (at.isMap ? KEY : undefined) : at.fields?.get(step);
}

/** How often values of an extent fit into one request, where nothing else bounds their number. */
export const timesInRequest = (extent: Extent): number => Math.floor(REQUEST / (extent.leastBytes + 1));
