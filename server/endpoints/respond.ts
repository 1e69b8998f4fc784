/** Responses of resource requests: body, type, compression, warnings. */
import type { Kind, Obj } from "../../schema/model/types.ts";
import type { Status } from "../../schema/status.ts";
import { answer, type Head } from "../answer.ts";
import { inTime } from "../in_time.ts";
import { type Accepted, mustFit } from "../negotiation/accept.ts";
import type { RequestScope } from "../request.ts";
import type { ServedResource } from "../catalog/types.ts";
import type { Api } from "./api.ts";
import { gzipped, takesGzip, zipped } from "./gzip.ts";
import type { Body } from "./pieces.ts";
import { kindNamed, renderAny, renderOne, shapeOf } from "./render.ts";
import type { Source } from "./sources.ts";
import { convertedSources } from "./shape.ts";
import { included, metadataOnly, renderAnyTable, renderTable } from "./table.ts";

/** Bodies from here on are compressed, when the client takes it: 128 KiB, as the public server. */
const GZIP_FROM = 128 * 1024;

/** `application/json`. */
const mediaName = (accepted: Accepted): string => `${accepted.media.type}/${accepted.media.subtype}`;

/** A response with a body of the agreed type. A promise only where something has to be waited for: it costs. */
export function respond(
  api: Api,
  scope: RequestScope,
  code: number,
  accepted: Accepted,
  body: Body,
): Response | Promise<Response> {
  const own: Head = { "content-type": mediaName(accepted), "cache-control": "no-cache, private" };
  if (!mayCompress(api, scope, body)) return answer(scope, code, own, inItsTime(scope, body));
  own["content-encoding"] = "gzip";
  own["vary"] = "Accept-Encoding";
  if (body instanceof ReadableStream) return answer(scope, code, own, inItsTime(scope, gzipped(body)));
  return zipped(body).then((bytes) => answer(scope, code, own, bytes));
}

/** The same body; a stream of it ends with the request's time, and is told how much of it was sent. */
function inItsTime(scope: RequestScope, body: Body): Body {
  if (!(body instanceof ReadableStream)) return body;
  return inTime(body, scope.limitMs ?? Infinity, (bytes) => scope.tally?.sent(scope, bytes));
}

function mayCompress(api: Api, scope: RequestScope, body: Body): boolean {
  if (!(body instanceof ReadableStream) && body.length < GZIP_FROM) return false;
  return takesGzip(scope.headers) && api.rules.gate("APIResponseCompression");
}

/** The same representation as an audit event has it: plain JSON. */
export const inJson = (accepted: Accepted): Accepted => ({
  ...accepted,
  media: { kind: "json", type: "application", subtype: "json" },
  pretty: false,
});

/** A stored object as asked for: itself, a Table, its metadata alone. */
export function respondObject(
  api: Api,
  scope: RequestScope,
  code: number,
  accepted: Accepted,
  served: ServedResource,
  source: Source,
): Response | Promise<Response> {
  if (!served.kind.custom?.converter) return shownObject(api, scope, code, accepted, served, source);
  return convertedSources(served, [source], scope.signal).then(([one]) =>
    shownObject(api, scope, code, accepted, served, one!)
  );
}

function shownObject(
  api: Api,
  scope: RequestScope,
  code: number,
  accepted: Accepted,
  served: ServedResource,
  source: Source,
): Response | Promise<Response> {
  if (scope.audit?.wantsAnswer) scope.audit.answered(bodyOfOne(api, scope, inJson(accepted), served, source));
  return respond(api, scope, code, accepted, bodyOfOne(api, scope, accepted, served, source));
}

function bodyOfOne(api: Api, scope: RequestScope, accepted: Accepted, served: ServedResource, source: Source): Body {
  if (accepted.as === "Table") {
    return renderTable(api, scope, served, [source], { resourceVersion: sourceVersion(source) }, accepted);
  }
  mustFit(accepted, false);
  return renderOne(api.scheme, source, shapeOf(api.scheme, served.kind, accepted), accepted.pretty);
}

const sourceVersion = (s: Source): string =>
  "revision" in s ? String(s.revision) : s.object.metadata.resourceVersion ?? "";

/** An object that was just written, with its entry when the cache has that version. */
export function written(api: Api, served: ServedResource, object: Obj, dryRun: boolean): Source {
  if (dryRun) return { object };
  const { namespace = "", name = "", resourceVersion } = object.metadata;
  const { cache } = api.store(served.resource);
  // It is made, whatever has become of the cache since.
  const entry = cache.ready ? cache.get(namespace, name) : undefined;
  return { object, entry: entry && String(entry.revision) === resourceVersion ? entry : undefined };
}

/** An object of a kind that is not stored as such. */
export function respondAny(
  api: Api,
  scope: RequestScope,
  code: number,
  accepted: Accepted,
  kind: Kind,
  object: Obj,
): Response | Promise<Response> {
  const { audit } = scope;
  if (audit && kind.kind === "Status") audit.status(object as Status);
  else if (audit?.wantsAnswer) audit.answered(bodyOfAny(api, scope, kind, object, inJson(accepted)));
  return respond(api, scope, code, accepted, bodyOfAny(api, scope, kind, object, accepted));
}

/** A Status is itself, whatever was asked for. */
function bodyOfAny(api: Api, scope: RequestScope, kind: Kind, object: Obj, accepted: Accepted): Body {
  if (accepted.as === "Table" && kind.kind === "Status") included(scope);
  if (accepted.as === "object" || kind.kind === "Status") return renderAny(kind, object, accepted);
  if (accepted.as === "Table") return renderAnyTable(api, scope, kind, object, accepted);
  mustFit(accepted, false);
  const apiVersion = `${accepted.group}/${accepted.version}`;
  const meta = api.scheme.kind(`${api.scheme.product.local("meta.k8s.io")}/v1`, "PartialObjectMetadata")!;
  return renderAny(kindNamed(meta, apiVersion), metadataOnly(object, apiVersion) as Obj, accepted);
}

/** A Status as the answer of a request that went well. */
export function respondStatus(
  api: Api,
  scope: RequestScope,
  accepted: Accepted,
  status: Status,
): Response | Promise<Response> {
  const kind = api.scheme.kind("v1", "Status")!;
  return respondAny(api, scope, status.code ?? 200, accepted, kind, status as Obj);
}
