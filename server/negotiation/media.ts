/** Media types that requests and responses can have (specification, "Content negotiation"). */
import type { MediaKind } from "../../schema/codec/media.ts";
import { type Product, productOf } from "../../schema/product.ts";

/** A media type as a header names it. */
export interface MediaRange {
  readonly type: string;
  /** `*` for any; empty where a star stands alone, which means the same where no router looked at it before. */
  readonly subtype: string;
  /** 0 to 1. */
  readonly q: number;
  /** Names and values as given: `AS` is not `as`, and a value in quotes has them. Without `q`. */
  readonly params: Readonly<Record<string, string>>;
}

/** One encoding that the server can speak. */
export interface MediaType {
  readonly kind: MediaKind;
  readonly type: string;
  readonly subtype: string;
  /** Objects are not offered in it, only their metadata. */
  readonly metadataOnly?: boolean;
  /** A name of the other dialect: good, and not told of. */
  readonly foreign?: boolean;
}

const TYPES: readonly MediaType[] = [
  { kind: "json", type: "application", subtype: "json" },
  { kind: "yaml", type: "application", subtype: "yaml" },
  { kind: "protobuf", type: "application", subtype: productOf("kubernetes").protobuf.slice("application/".length) },
  { kind: "protobuf", type: "application", subtype: productOf("orch").protobuf.slice("application/".length) },
  { kind: "cbor", type: "application", subtype: "cbor" },
];

/** The encodings of a server: the product's own first, the other dialect's as aliases; CBOR only when its gate is on. */
export function mediaTypes(product: Product, options: { cbor: boolean; protobuf: boolean }): readonly MediaType[] {
  const own = (t: MediaType) => t.kind !== "protobuf" || `application/${t.subtype}` === product.protobuf;
  const foreign = TYPES.filter((t) => !own(t)).map((t) => ({ ...t, foreign: true }));
  return [...TYPES.filter(own), ...foreign].filter((t) =>
    (t.kind !== "cbor" || options.cbor) && (t.kind !== "protobuf" || options.protobuf)
  );
}

/** The names of encodings that clients are told of. */
export const toldOf = (media: readonly MediaType[]): readonly string[] =>
  media.filter((m) => !m.foreign).map((m) => `${m.type}/${m.subtype}`);

/** Splits a header's media ranges, best quality first, equal ones in the order given. Malformed parts are passed over. */
export function parseRanges(header: string): readonly MediaRange[] {
  let ranges = PARSED.get(header);
  if (!ranges) {
    ranges = readRanges(header);
    if (PARSED.size < MAX_PARSED && header.length <= MAX_KEPT) PARSED.set(header, ranges);
  }
  return ranges;
}
/** Clients say the same again and again. */
const PARSED = new Map<string, readonly MediaRange[]>();
const MAX_PARSED = 256;
const MAX_KEPT = 512;

function readRanges(header: string): readonly MediaRange[] {
  const out: MediaRange[] = [];
  for (const part of header.split(",")) {
    const range = parseRange(part);
    if (range) out.push(range);
  }
  return out.length > 1 ? out.sort((a, b) => b.q - a.q) : out;
}

/** One media range, or undefined when it is none. A star alone is one without a subtype. */
export function parseRange(text: string): MediaRange | undefined {
  const [full, ...rest] = text.split(";");
  const name = full!.trim();
  const slash = name === "*" ? 1 : name.indexOf("/");
  if (slash < 1) return undefined;
  const params: Record<string, string> = {};
  let q = 1;
  for (const p of rest) {
    const eq = p.indexOf("=");
    const key = (eq < 0 ? p : p.slice(0, eq)).trim();
    const value = eq < 0 ? "" : p.slice(eq + 1).trim();
    if (key === "q") q = Number.isFinite(Number(value)) ? Number(value) : 1;
    else if (key !== "") params[key] = value;
  }
  return {
    type: name.slice(0, slash),
    subtype: name.slice(slash + 1),
    q,
    params,
  };
}
