/** Serving of OpenAPI documents: `/openapi/v2`, `/openapi/v3` and below (specification, "Endpoints": other paths). */
import type { JsonMap } from "../../schema/model/types.ts";
import type { PathHandler } from "../app_types.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { zippedSlowly } from "../endpoints/gzip.ts";
import { type MediaType, parseRanges, toldOf } from "../negotiation/media.ts";
import { lengthOf, sharedBody } from "../large_body.ts";
import { pause } from "../pause.ts";
import type { RequestScope } from "../request.ts";
import { authoredOf } from "./custom.ts";
import { type Document, documentOf } from "./document.ts";
import { Documents } from "./documents.ts";
import type { OtherDocument } from "./merge2.ts";
import { jsonOf, mergedParts, type Parts2, protobufOf } from "./parts2.ts";
import { encodeDocument3 } from "./protobuf3.ts";

const JSON_TYPE = "application/json";
/** Names of the Protobuf form of version 2. Answers carry the first: the second, older one is no valid media type. */
const PROTOBUF_TYPES = [
  "application/com.github.proto-openapi.spec.v2.v1.0+protobuf",
  "application/com.github.proto-openapi.spec.v2@v1.0+protobuf",
];
const PROTOBUF3_TYPES = [
  "application/com.github.proto-openapi.spec.v3.v1.0+protobuf",
  "application/com.github.proto-openapi.spec.v3@v1.0+protobuf",
];
const PATCHES = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
];
const CBOR_PATCH = "application/apply-patch+cbor";
/** What may change is asked for again; what has its hash in its address is not. */
const FRESH = "no-cache, private";
const YEAR_MS = 365 * 86_400_000;

/** What the documents are made from. */
export interface OpenApiInputs {
  readonly catalog: Catalog;
  readonly version: string;
  readonly media: readonly MediaType[];
  /** Whether a deletion in a version answers the object itself, by public id of its resource. */
  returnsDeleted(id: string, version: string): boolean;
  now(): number;
  /** Whether the server publishes the keys of its tokens. */
  readonly openId: boolean;
  /** Whether built-in members name their values. */
  readonly enums: boolean;
  /** Documents of other servers. */
  readonly others?: OtherDocuments | undefined;
}

/** Documents of other servers: of version 3 they are passed on, of version 2 they are merged into this server's own. */
export interface OtherDocuments {
  /** Those of version 2. The same array until one of them changes. */
  version2(): readonly OtherDocument[];
  /** What the index says of each, by its path. */
  paths(): JsonMap;
  /** Answers with one of them; undefined when none is under the path. */
  answer(scope: RequestScope, path: string): Promise<Response> | undefined;
}

/** Documents under `/openapi`, each made when it is first asked for. */
export function openApiPaths(inputs: OpenApiInputs): Map<string, PathHandler> {
  const { catalog } = inputs;
  const own = inputs.media.filter((m) => !m.foreign);
  const cbor = own.some((m) => m.kind === "cbor");
  const documents = new Documents({
    catalog,
    returnsDeleted: inputs.returnsDeleted,
    title: catalog.scheme.product.dialect === "kubernetes" ? "Kubernetes" : "Orch",
    version: inputs.version,
    media: toldOf(own),
    patches: cbor ? [...PATCHES, CBOR_PATCH] : PATCHES,
    authored: authoredOf,
    openId: inputs.openId,
    enums: inputs.enums,
  });
  const whole = withOthers(documents, inputs.others);
  return new Map<string, PathHandler>([
    ["/openapi/v2", async (scope) => {
      const type = accepted(scope, [JSON_TYPE, ...PROTOBUF_TYPES]);
      if (!type) return bare(406);
      if (type === JSON_TYPE) return await answer(scope, type, await JSON2.of(await whole()));
      return await answer(scope, PROTOBUF_TYPES[0]!, await PROTOBUF2.of(await whole()));
    }],
    ["/openapi/v3", async (scope) => {
      return answer(scope, "text/plain; charset=utf-8", await indexOf(documents, inputs.others));
    }],
    ["/openapi/v3/*", (scope) => {
      const path = scope.info.path.replace(/^\/openapi\/v3\//, "");
      const document = documents.paths().includes(path) ? documents.version3(path) : undefined;
      if (!document) return inputs.others?.answer(scope, path) ?? bare(404);
      const type = accepted(scope, [JSON_TYPE, ...PROTOBUF3_TYPES], JSON_TYPE);
      if (!type) return bare(406);
      return hashed(scope, path, type === JSON_TYPE ? { type, document } : protobuf3(document), inputs.now());
    }],
  ]);
}

const treeOf = ({ bytes }: Document): JsonMap => JSON.parse(new TextDecoder().decode(bytes));

/** The document of version 2 with those of other servers, made anew when one of them has changed. */
function withOthers(documents: Documents, others: OtherDocuments | undefined): () => Promise<Parts2> {
  let last: { own: Parts2; with: readonly OtherDocument[]; merged: Parts2 } | undefined;
  return async () => {
    const own = await documents.version2(), more = others?.version2() ?? [];
    if (more.length === 0) return own;
    if (last?.own !== own || last.with !== more) last = { own, with: more, merged: mergedParts(own, more) };
    return last.merged;
  };
}

/** A form of the document of version 2, kept as long as its parts. */
class Form2 {
  readonly #made = new WeakMap<Parts2, Promise<Document>>();

  constructor(readonly make: (parts: Parts2) => Promise<Document>) {}

  of(parts: Parts2): Promise<Document> {
    let made = this.#made.get(parts);
    if (!made) this.#made.set(parts, made = this.make(parts));
    return made;
  }
}

const JSON2 = new Form2(jsonOf), PROTOBUF2 = new Form2(protobufOf);

/** Where each document is, with the hash of its content, by which it can be cached for good. */
async function indexOf(documents: Documents, others: OtherDocuments | undefined): Promise<Document> {
  const paths: JsonMap = { ...others?.paths() };
  for (const path of documents.paths()) {
    // Other requests go on between documents that are made now.
    if (!documents.keeps(path)) await pause(0);
    const document = documents.version3(path);
    if (document) paths[path] = { serverRelativeURL: urlOf(path, document) };
  }
  return documentOf(JSON.stringify({ paths }));
}

const urlOf = (path: string, { hash }: Document): string => `/openapi/v3/${path}?hash=${hash}`;

/** A document with the media type of its bytes. */
interface Typed {
  readonly type: string;
  readonly document: Document;
}

const FORMS3 = new WeakMap<Document, Document>();

/** The Protobuf form of a document of version 3, made when it is first asked for. Its hash is that of the document. */
function protobuf3(document: Document): Typed {
  let form = FORMS3.get(document);
  if (!form) {
    FORMS3.set(document, form = { bytes: encodeDocument3(treeOf(document)), hash: document.hash });
  }
  return { type: PROTOBUF3_TYPES[0]!, document: form };
}

/** A document under its hash is good for ever; under an old one, it moved. */
function hashed(
  scope: RequestScope,
  path: string,
  { type, document }: Typed,
  now: number,
): Response | Promise<Response> {
  const asked = scope.query.get("hash");
  if (!asked) return answer(scope, type, document);
  if (asked !== document.hash) {
    const headers = { "location": urlOf(path, document), "content-type": type, ...keptOf(document) };
    return new Response(null, { status: 301, headers });
  }
  return answer(scope, type, document, {
    "cache-control": "public, immutable",
    "expires": new Date(now + YEAR_MS).toUTCString(),
  });
}

/** Refusals of documents have no body. */
const bare = (status: number): Response => new Response(null, { status, headers: { "cache-control": FRESH } });

/**
 * The first of the types that the request takes, by its order. A header without any media range takes what version 3
 * has, and nothing of version 2.
 */
function accepted(scope: RequestScope, types: readonly string[], otherwise?: string): string | undefined {
  const header = scope.headers.get("accept");
  if (!header) return types[0]!;
  const ranges = parseRanges(header);
  if (ranges.length === 0) return otherwise;
  for (const r of ranges) {
    const found = types.find((t) => {
      const [type, subtype] = t.split("/");
      return r.type === "*" || (r.type === type && (r.subtype === "*" || r.subtype === subtype));
    });
    if (found) return found;
  }
  return undefined;
}

/** Whether a header `If-None-Match` names a tag: several may be named, in a list, as weak ones. */
function names(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header.split(",").map((t) => t.trim()).some((t) => t === "*" || t === etag || t === `W/${etag}`);
}

/** Whether an `Accept-Encoding` names gzip, with no quality or one above zero. */
function takesGzip(header: string): boolean {
  return header.split(",").some((part) => {
    const [name = "", q] = part.split(";").map((t) => t.trim().toLowerCase());
    return name === "gzip" && !(q?.startsWith("q=") && Number(q.slice(2)) === 0);
  });
}

/** By what who keeps the document knows it again. */
const keptOf = ({ hash }: Document) => ({
  "etag": `"${hash}"`,
  "vary": "Accept, Accept-Encoding",
  "cache-control": FRESH,
});

const ZIPPED = new WeakMap<Document, Promise<Uint8Array<ArrayBuffer>>>();

async function answer(
  scope: RequestScope,
  type: string,
  document: Document,
  more: Record<string, string> = {},
): Promise<Response> {
  const kept = { ...keptOf(document), ...more };
  const { request } = scope;
  if (names(request.headers.get("if-none-match"), kept.etag)) return new Response(null, { status: 304, headers: kept });
  const headers = { ...kept, "content-type": type };
  const respond = (bytes: Uint8Array<ArrayBuffer>, more: Record<string, string> = {}) =>
    new Response(sharedBody(bytes, scope.limitMs ?? Infinity), {
      headers: { ...headers, ...lengthOf(bytes), ...more },
    });
  if (!takesGzip(request.headers.get("accept-encoding") ?? "")) return respond(document.bytes);
  let zipped = ZIPPED.get(document);
  if (!zipped) ZIPPED.set(document, zipped = zippedSlowly(document.bytes));
  return respond(await zipped, { "content-encoding": "gzip" });
}
