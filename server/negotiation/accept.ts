/** From an Accept header to an encoding and a representation (specification, "Content negotiation"). */
import { StatusError } from "../../schema/status.ts";
import { type MediaRange, type MediaType, parseRanges, toldOf } from "./media.ts";

/** What a response shows of the objects. */
export type Representation = "object" | "Table" | "PartialObjectMetadata" | "PartialObjectMetadataList";

/** What was agreed on. */
export interface Accepted {
  readonly media: MediaType;
  readonly as: Representation;
  /** Group and version that the request named for the representation (`meta.k8s.io`, `v1`), answered under the same name. */
  readonly group: string;
  readonly version: string;
  readonly pretty: boolean;
}

/** What an endpoint can give. */
export interface Offer {
  readonly media: readonly MediaType[];
  /** Representations beside the object itself. */
  readonly as: readonly Representation[];
  /** A watch: `stream=watch` may be named. */
  readonly stream: boolean;
  /** No router has looked at the header before (custom resources): a refusal has no details. Default false. */
  readonly unrouted?: boolean;
}

const META_GROUPS = new Set(["meta.k8s.io", "meta.orch.io"]);
const META_VERSIONS = new Set(["v1", "v1beta1"]);
const TABLE_MEDIA = new Set(["json", "yaml"]);
/** The version of what a server answers of itself, which a request may name; documents of discovery have none. */
const SERVER_VERSION = "v1";

/**
 * Chooses from an Accept header. Metadata of the other kind of answer, of a list or of an object, is agreed on as well, and
 * refused when there is something to answer ({@linkcode mustFit}), for an error is told first.
 * @throws StatusError 406 when nothing named can be given.
 */
export function negotiate(header: string | null, offer: Offer, pretty: boolean): Accepted {
  if (header === null || header.trim() === "") return plain(offer.media[0]!, pretty);
  const ranges = parseRanges(header);
  const found = chooseFrom(ranges, offer, pretty);
  if (typeof found === "object") return found;
  throw new StatusError(
    406,
    "NotAcceptable",
    `only the following media types are accepted: ${toldOf(offer.media).join(", ")}`,
    found || offer.unrouted ? undefined : {},
  );
}

/** What is agreed on; if nothing, whether an encoding at least was. */
function chooseFrom(ranges: readonly MediaRange[], offer: Offer, pretty: boolean): Accepted | boolean {
  let known = false;
  for (const range of ranges) {
    for (const media of offer.media) {
      if (!matches(range, media, offer.unrouted)) continue;
      const found = choose(range, media, offer, pretty);
      if (found) return found;
      known = true;
    }
  }
  return known;
}

/** Whether an Accept header names any of the encodings, whatever its parameters ask for; a router looks no further. */
export const namesAny = (header: string | null, media: readonly MediaType[]): boolean =>
  header === null || header.trim() === "" || parseRanges(header).some((r) => media.some((m) => matches(r, m)));

/** @throws StatusError 406 when a list's metadata was asked of what is no list (`list` false), or an object's of a list */
export function mustFit(accepted: Accepted, list: boolean): void {
  if (accepted.as !== (list ? "PartialObjectMetadata" : "PartialObjectMetadataList")) return;
  const what = list ? "a list" : "no list";
  throw new StatusError(406, "NotAcceptable", `the request asks for ${accepted.as}, but what is answered is ${what}`);
}

const plain = (media: MediaType, pretty: boolean): Accepted => ({
  media,
  as: "object",
  group: "",
  version: "",
  pretty,
});

function matches(range: MediaRange, media: MediaType, unrouted = false): boolean {
  if (range.type === "*") return range.subtype === "*" || (unrouted && range.subtype === "");
  return range.type === media.type && (range.subtype === media.subtype || (unrouted && range.subtype === "*"));
}

/** Whether a range's `stream` can be had: YAML has no form for streams, whether one is wanted here or not. */
export const streams = (stream: string, media: MediaType): boolean =>
  stream === "" || (stream === "watch" && media.kind !== "yaml");

function choose(range: MediaRange, media: MediaType, offer: Offer, pretty: boolean): Accepted | undefined {
  const { as = "", g = "", v = "", stream = "", sv = "" } = range.params;
  if (!streams(stream, media)) return undefined;
  if (sv !== "" && sv !== SERVER_VERSION) return undefined;
  const nice = pretty || range.params["pretty"] === "1";
  if (media.metadataOnly && !as.startsWith("Partial")) return undefined;
  if (as === "") return g === "" && v === "" ? plain(media, nice) : undefined;
  const known = offer.as.includes(as as Representation) && META_GROUPS.has(g) && META_VERSIONS.has(v);
  if (!known || (as === "Table" && !TABLE_MEDIA.has(media.kind))) return undefined;
  return { media, as: as as Representation, group: g, version: v, pretty: nice };
}

/** Words for true, as the public server reads flags that have both. */
const YES = new Set(["1", "t", "T", "true", "True", "TRUE"]);

/** Whether the request asks for pretty JSON: the flag `pretty`, alone or with a word; else a browser or a terminal's client does. */
export function wantsPretty(query: URLSearchParams, userAgent: string | null): boolean {
  const value = query.get("pretty");
  if (value !== null) return value === "" || YES.has(value);
  return userAgent !== null && /^(curl|Wget|Mozilla\/5\.0)/.test(userAgent);
}
