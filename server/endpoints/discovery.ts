/** Serving of discovery documents, by what the request accepts. */
import { createHash } from "node:crypto";
import type { JsonMap, Obj } from "../../schema/model/types.ts";
import { methodNotAllowed, notServed, StatusError } from "../../schema/status.ts";
import { Discovery, type Documented } from "../catalog/discovery.ts";
import { streams, wantsPretty } from "../negotiation/accept.ts";
import { type MediaType, parseRanges, toldOf } from "../negotiation/media.ts";
import type { PathHandler } from "../app_types.ts";
import type { RequestScope } from "../request.ts";
import { encodeObject } from "../../schema/codec/mod.ts";
import { mustName } from "./body.ts";
import { encodeTree, kindNamed } from "./render.ts";
import { pageNotFound } from "./plain.ts";
import { withoutEnd } from "../../schema/values/ends.ts";

const AGGREGATED_GROUPS = new Set(["apidiscovery.k8s.io", "apidiscovery.orch.io"]);
/** Its beta form is gone since 1.35. */
const AGGREGATED_VERSIONS = new Set(["v2"]);

/** Version of aggregated discovery, and the content type that names it. */
interface Aggregated {
  readonly version: string;
  readonly contentType: string;
  /** What this server serves, without its peers. */
  readonly alone: boolean;
}

interface Choice {
  readonly media: MediaType;
  readonly aggregated?: Aggregated;
}

/** What a document may be asked for as. */
interface Form {
  /** The aggregated form, too. */
  readonly aggregates: boolean;
  /** `application/*`, too: only for lists of groups. */
  readonly ranges: boolean;
  /** A router refuses what it cannot be given as, with empty details; whoever answers for itself gives none. */
  readonly routed: boolean;
}

/** @throws StatusError 406 */
function choose(scope: RequestScope, media: readonly MediaType[], form: Form): Choice {
  const header = scope.headers.get("accept");
  if (!header) return { media: media[0]! };
  let known = false;
  for (const r of parseRanges(header)) {
    const found = media.find((m) =>
      r.type === "*"
        ? r.subtype === "*" || (form.ranges && r.subtype === "")
        : r.type === m.type && ((r.subtype === "*" && form.ranges) || r.subtype === m.subtype)
    );
    if (!found) continue;
    const { as = "", g = "", v = "", stream = "", sv = "", profile } = r.params;
    known = true;
    if (!streams(stream, found) || sv !== "") continue;
    if (as === "" && g === "" && v === "") return { media: found };
    if (form.aggregates && as === "APIGroupDiscoveryList" && AGGREGATED_GROUPS.has(g) && AGGREGATED_VERSIONS.has(v)) {
      return {
        media: found,
        aggregated: {
          version: v,
          contentType: `${found.type}/${found.subtype};g=${g};v=${v};as=${as}`,
          alone: profile === "nopeer",
        },
      };
    }
  }
  throw new StatusError(
    406,
    "NotAcceptable",
    `only the following media types are accepted: ${toldOf(media).join(", ")}`,
    known || !form.routed ? undefined : {},
  );
}

/** What other servers on the same store add to aggregated discovery. */
export interface PeerDocuments {
  /** Hears of a document that was asked for without them. */
  alone(): void;
  /** `/apis` of this server, with theirs. Absent: no others are asked. */
  aggregated?: ((own: JsonMap) => JsonMap) | undefined;
}

/** What discovery is told by. */
export interface DiscoveryParts extends Documented {
  readonly media: readonly MediaType[];
  /** `host:port` that clients reach the server by. */
  readonly address: string;
  readonly peers: PeerDocuments;
}

/** The handlers of `/api`, `/apis` and below: they throw StatusError 405 for what is no GET, 415, 406 and 404. */
export function discoveryPaths(parts: DiscoveryParts): Map<string, PathHandler> {
  const pages = new DiscoveryPages(parts);
  const below: PathHandler = (scope) => pages.below(scope);
  return new Map([
    ["/api", (scope) => pages.core(scope)],
    ["/apis", (scope) => pages.groups(scope)],
    ["/api/*", below],
    ["/apis/*", below],
  ]);
}

class DiscoveryPages {
  readonly #parts: DiscoveryParts;
  readonly #discovery: Discovery;
  readonly #names: readonly string[];
  readonly #aggregator: string;
  readonly #customMedia: readonly MediaType[];

  constructor(parts: DiscoveryParts) {
    const { catalog, media } = parts;
    this.#parts = parts;
    this.#discovery = new Discovery(parts);
    this.#names = media.map((m) => `${m.type}/${m.subtype}`);
    this.#aggregator = catalog.scheme.product.local("apiregistration.k8s.io");
    this.#customMedia = media.filter((m) => m.kind !== "cbor");
  }

  core(scope: RequestScope): Response {
    this.#mustFit(scope);
    const { media, peers, address } = this.#parts;
    const choice = choose(scope, media, { aggregates: true, ranges: false, routed: true });
    if (!choice.aggregated) return this.#answer(scope, choice, this.#discovery.versions(address));
    if (choice.aggregated.alone) peers.alone();
    return this.#answer(scope, choice, this.#discovery.aggregated("core", choice.aggregated.version));
  }

  groups(scope: RequestScope): Response {
    const { media, peers } = this.#parts;
    const aggregates = !scope.info.path.endsWith("/");
    const choice = choose(scope, media, { aggregates, ranges: true, routed: false });
    if (!choice.aggregated) return this.#answer(scope, choice, this.#discovery.groups());
    const { version, alone } = choice.aggregated, own = this.#discovery.aggregated("named", version);
    if (alone) peers.alone();
    return this.#answer(scope, choice, alone || !peers.aggregated ? own : peers.aggregated(own));
  }

  below(scope: RequestScope): Response {
    const { catalog, media } = this.#parts, { path } = scope.info;
    // What has more parts is a resource's.
    const [, root, a = "", b] = withoutEnd(path, "/").split("/");
    if (root === "api" && a === "" && b === undefined) return this.core(scope);
    const tree = this.#treeOf(root!, a, b);
    if (!tree) {
      if (root === "apis" && !catalog.isOwn(a, b ?? "")) return pageNotFound();
      throw notServed();
    }
    // Groups but the aggregator's own, and versions of custom kinds, are the same by every method.
    const bare = b !== undefined && root === "apis" && catalog.isCustom(a, b);
    const routed = root === "api" || (b !== undefined && !bare) || a === this.#aggregator ||
      (path.endsWith("//") && catalog.isOwn(a, b ?? ""));
    if (routed) this.#mustFit(scope);
    const group = root === "apis" && b === undefined;
    const form = { aggregates: false, ranges: bare || (group && !routed), routed };
    return this.#answer(scope, choose(scope, bare ? this.#customMedia : media, form), tree);
  }

  #treeOf(root: string, a: string, b: string | undefined): JsonMap | undefined {
    if (root === "api") return this.#discovery.resources("", a);
    return b === undefined ? this.#discovery.group(a) : this.#discovery.resources(a, b);
  }

  /** What a router looks at. */
  #mustFit(scope: RequestScope): void {
    if (scope.request.method !== "GET") throw methodNotAllowed();
    mustName(scope, this.#names);
  }

  #answer(scope: RequestScope, choice: Choice, tree: JsonMap): Response {
    const { scheme } = this.#parts.catalog;
    const pretty = wantsPretty(scope.query, scope.headers.get("user-agent"));
    const kind = scheme.kind(String(tree["apiVersion"] ?? "v1"), String(tree["kind"]));
    const bytes = choice.media.kind === "protobuf" && kind
      ? encodeObject(tree as Obj, kindNamed(kind, String(tree["apiVersion"] ?? "")), "protobuf")
      : encodeTree(tree, choice.media.kind, pretty);
    if (scope.audit?.wantsAnswer) scope.audit.answered(encodeTree(tree, "json", false));
    const type = choice.aggregated?.contentType ?? `${choice.media.type}/${choice.media.subtype}`;
    return withEtag(scope, bytes as Uint8Array<ArrayBuffer>, type, choice.aggregated !== undefined);
  }
}

/** Aggregated documents carry an ETag, by which clients spare themselves the body. */
function withEtag(scope: RequestScope, bytes: Uint8Array<ArrayBuffer>, type: string, tagged: boolean): Response {
  const typed = { "content-type": type };
  if (!tagged) return new Response(bytes, { headers: { ...typed, "cache-control": "no-cache, private" } });
  const etag = `"${createHash("sha512").update(bytes).digest("hex").toUpperCase()}"`;
  const headers = { etag, "cache-control": "public", "vary": "Accept" };
  const same = scope.headers.get("if-none-match") === etag;
  return same
    ? new Response(null, { status: 304, headers })
    : new Response(bytes, { headers: { ...typed, ...headers } });
}
