/** From an Accept header to an encoding and a representation (specification, "Content negotiation"). */
import { StatusError } from "../../schema/status.ts";
import { type MediaRange, type MediaType, parseRanges } from "./media.ts";

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

/**
 * Chooses from an Accept header.
 * @throws StatusError 406 when nothing named can be given.
 */
export function negotiate(header: string | null, offer: Offer, pretty: boolean): Accepted {
  if (header === null || header.trim() === "") return plain(offer.media[0]!, pretty);
  let known = false;
  for (const range of parseRanges(header)) {
    for (const media of offer.media.filter((m) => matches(range, m))) {
      const found = choose(range, media, offer, pretty);
      if (found) return found;
      known = true;
    }
  }
  throw new StatusError(
    406,
    "NotAcceptable",
    `only the following media types are accepted: ${offer.media.map((m) => `${m.type}/${m.subtype}`).join(", ")}`,
    known || offer.unrouted ? undefined : {},
  );
}

const plain = (media: MediaType, pretty: boolean): Accepted => ({
  media,
  as: "object",
  group: "",
  version: "",
  pretty,
});

function matches(range: MediaRange, media: MediaType): boolean {
  if (range.type === "*") return range.subtype === "*";
  return range.type === media.type && range.subtype === media.subtype;
}

function choose(range: MediaRange, media: MediaType, offer: Offer, pretty: boolean): Accepted | undefined {
  const { as = "", g = "", v = "", stream = "" } = range.params;
  if (stream !== "" && stream !== "watch") return undefined;
  const nice = pretty || range.params["pretty"] === "1";
  if (media.metadataOnly && !as.startsWith("Partial")) return undefined;
  if (as === "") return g === "" && v === "" ? plain(media, nice) : undefined;
  const known = offer.as.includes(as as Representation) && META_GROUPS.has(g) && META_VERSIONS.has(v);
  if (!known || (as === "Table" && !TABLE_MEDIA.has(media.kind))) return undefined;
  return { media, as: as as Representation, group: g, version: v, pretty: nice };
}

/** Words for true, as the public server reads flags that have both. */
const YES = new Set(["1", "t", "T", "true", "True", "TRUE"]);

/** Whether the request asks for pretty JSON: the `pretty` parameter, else a browser or a terminal's client. */
export function wantsPretty(query: URLSearchParams, userAgent: string | null): boolean {
  const value = query.get("pretty");
  if (value) return YES.has(value);
  return userAgent !== null && /^(curl|Wget|Mozilla\/5\.0)/.test(userAgent);
}
