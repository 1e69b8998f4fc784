/** From a resource request to its verb. */
import { badRequest, methodNotAllowed, notFound, notServed } from "../../schema/status.ts";
import type { Kind } from "../../schema/model/types.ts";
import type { ServedResource } from "../catalog/types.ts";
import { minorOf } from "../catalog/emulation.ts";
import type { RequestInfo, RequestScope } from "../request.ts";
import { pageNotFound } from "./plain.ts";
import type { Api } from "./api.ts";
import { namesAny } from "../negotiation/accept.ts";
import { unsupportedVerb } from "./call.ts";
import { create } from "./create.ts";
import { remove, removeCollection } from "./delete.ts";
import { get } from "./get.ts";
import { list } from "./list.ts";
import { patch } from "./patch.ts";
import { mustBePatch, namesPatch } from "./patch_types.ts";
import { update } from "./update.ts";
import { watch } from "./watch.ts";

type Verb = (api: Api, scope: RequestScope) => Response | Promise<Response>;

const VERBS: Readonly<Record<string, Verb>> = {
  get,
  list,
  watch,
  create,
  update,
  patch,
  delete: remove,
  deletecollection: removeCollection,
};

/** Answers a resource request. @throws StatusError 404 for what is not served, 405 for a verb that does not apply */
export function dispatch(api: Api, scope: RequestScope): Response | Promise<Response> {
  const { info } = scope;
  if (NOWHERE.test(info.path)) return pageNotFound();
  const served = api.catalog.find(info.group, info.version, info.resource);
  if (!served) return unknownResource(api, scope);
  const { custom } = served.kind;
  // Custom resources go by what the segments say, empty or not.
  if (!custom && EMPTY.test(info.path) && !BELOW_PROXY.test(info.path)) refuseEmpty(served, info, scope.request.method);
  if (info.deprecatedWatch && !custom && (info.subresource !== "" || !served.verbs.includes("watch"))) {
    throw notServed();
  }
  const unknownPart = info.subresource !== "" && !served.subresources.has(info.subresource);
  if (unknownPart && !custom) throw notServed();
  if (info.deprecatedWatch && info.subresource !== "" && !unknownPart) throw unsupportedVerb(info);
  // Of a custom resource's path the rest is not looked at.
  if (info.rest !== "" && !custom && info.subresource !== "proxy") throw notServed();
  const { namespaced, id } = served.resource;
  if (!namespaced && info.namespace !== "" && id !== "namespaces") {
    if (custom) return pageNotFound();
    throw notServed();
  }
  if (
    custom && namespaced && info.namespace === "" &&
    (info.name !== "" && !info.selected && !info.deprecatedWatch || !reads(info))
  ) {
    return pageNotFound();
  }
  if (unknownPart) {
    // The version is told of before the part of an object is looked for.
    deprecation(api, scope, served);
    throw notFound({ group: info.group, resource: info.resource }, info.name);
  }
  if (namespaced && info.namespace === "" && !served.verbs.includes("list") && !info.path.includes("//")) {
    throw notServed();
  }
  if (namespaced && !custom && info.name !== "" && info.namespace === "" && !info.selected) throw notServed();
  if (info.name !== "" && !info.selected && info.subresource === "" && !hasItems(served)) throw notServed();
  scope.served = served;
  // Custom resources go by the verb alone, whatever method it comes of.
  const { method } = scope.request, fits = custom || (method !== "HEAD" && (!info.deprecatedWatch || method === "GET"));
  const verb = info.subresource === "proxy" && !custom
    ? (method === "OPTIONS" ? get : VERBS[info.verb])
    : fits
    ? VERBS[info.verb]
    : undefined;
  if (!verb) throw custom ? unsupportedVerb(info) : methodNotAllowed();
  if (custom && info.name === "" && ONE.has(info.verb)) {
    if (info.verb === "patch") mustBePatch(api, scope);
    throw badRequest("name must be provided");
  }
  if ((info.name.includes("%") || info.name === "." || info.name === "..") && ONE.has(info.verb)) {
    throw badRequest(`Name parameter invalid: ${JSON.stringify(info.name)}: may not be dots or contain '%'`);
  }
  if (isRouted(served, info)) deprecation(api, scope, served);
  return custom ? loaded(api, scope, verb) : verb(api, scope);
}

/** Paths of no root that is here. */
const NOWHERE = /^\/(?:\/|apis\/\/)/;
/** Something follows an empty segment. */
const EMPTY = /\/\/[^/]/;
/** All of the path is there before what is passed on, which may be anything. */
const BELOW_PROXY = /^\/api\/[^/]+\/(?:namespaces\/[^/]+\/)?[^/]+\/[^/]+\/proxy\//;
/** Where only a namespace and a name can be empty. */
const EMPTY_NAMES =
  /^\/(?:api|apis\/[^/]+)\/[^/]+\/(?:watch\/)?(?:namespaces\/[^/]*\/)?[^/]+(?:\/[^/]+|\/[^/]*\/[^/]+)?\/*$/;

/**
 * An empty segment in the place of a namespace or a name is an empty one: what is of many goes on, over all namespaces.
 * @throws StatusError for what is of one, and for all other empty segments
 */
function refuseEmpty({ resource, verbs, subresources }: ServedResource, info: RequestInfo, method: string): void {
  const { subresource, namespace } = info, name = info.selected ? "" : info.name;
  if (name !== "" && !hasItems({ verbs })) throw notServed();
  if (!EMPTY_NAMES.test(info.path) || (subresource !== "" && !subresources.has(subresource))) throw notServed();
  if (name !== "" || subresource !== "") {
    const allowed: readonly string[] = subresource === "" ? verbs : subresources.get(subresource)?.verbs ?? [];
    if (!METHODS.get(method)?.some((verb) => allowed.includes(verb))) throw methodNotAllowed();
    throw badRequest(name === "" ? "name must be provided" : "a namespace must be provided");
  }
  if (!resource.namespaced || namespace !== "") throw notServed();
}

/** Verbs of single objects by method; creation, only of a subresource. */
const METHODS: ReadonlyMap<string, readonly string[]> = new Map([
  ["GET", ["get"]],
  ["PUT", ["update"]],
  ["PATCH", ["patch"]],
  ["DELETE", ["delete"]],
]);

async function loaded(api: Api, scope: RequestScope, verb: Verb): Promise<Response> {
  await api.loaded(scope.served!.resource, scope);
  return await verb(api, scope);
}

/** What is not served: of a group of this server's own a Status, of another path what any web server says. */
function unknownResource(api: Api, scope: RequestScope): Response | Promise<Response> {
  const passed = api.peers?.pass(scope);
  if (passed) return passed;
  const { group, version } = scope.info;
  if (group === "" || api.catalog.isOwn(group, version)) throw notServed();
  return pageNotFound();
}

/** Verbs of single objects. */
const ONE = new Set(["get", "update", "patch", "delete"]);

/** Verbs of namespaced objects that name the namespace. */
const IN_ONE = new Set(["create", "deletecollection"]);

/** Whether the path is there at all for the method; a watch comes by the list's path. */
const isRouted = (served: ServedResource, { verb, name, subresource, namespace, path }: RequestInfo): boolean =>
  (!IN_ONE.has(verb) || !served.resource.namespaced || namespace !== "" || path.includes("//")) &&
  (served.subresources.get(subresource)?.verbs ?? served.verbs).includes(verb === "watch" ? "list" : verb) &&
  (ONE.has(verb) ? name !== "" : verb !== "create" || name === "" || subresource !== "");

/** Whether single objects can be asked for at all. */
const hasItems = (served: Pick<ServedResource, "verbs">): boolean =>
  served.verbs.some((v) => v !== "create" && v !== "list");

const reads = ({ verb }: RequestInfo): boolean => verb === "list" || verb === "watch";

interface Deprecation {
  readonly since: string;
  readonly removed?: string | undefined;
  readonly use?: string;
}

/** Kinds that are on their way out without their version being so. */
const DEPRECATED: Readonly<Record<string, Deprecation>> = {
  "componentstatuses": { since: "1.19" },
  "endpoints": { since: "1.33", use: "discovery.k8s.io/v1 EndpointSlice" },
};

/** A warning when what is asked for is on its way out. */
function deprecation(api: Api, scope: RequestScope, served: ServedResource): void {
  const { kind, resource } = served;
  if (kind.custom?.deprecation) {
    scope.warnings.add(kind.custom.deprecation);
    scope.tally?.deprecated(scope, served, "");
    scope.audit?.note(api.scheme.product.local("k8s.io/deprecated"), "true");
  }
  const found = DEPRECATED[resource.id] ?? ofVersion(kind);
  if (!found || minorOf(found.since, 0) > api.catalog.minor) return;
  const { headers, info } = scope;
  if (!namesAny(headers.get("accept"), api.media(resource))) return;
  if (info.verb === "patch" && !namesPatch(api, scope)) return;
  scope.tally?.deprecated(scope, served, found.removed ?? "");
  const { local } = api.scheme.product;
  scope.audit?.note(local("k8s.io/deprecated"), "true");
  if (found.removed) scope.audit?.note(local("k8s.io/removed-release"), found.removed);
  const removed = found.removed ? `, unavailable in v${found.removed}+` : "";
  const use = found.use ? `; use ${local(found.use)}` : "";
  scope.warnings.add(`${kind.apiVersion} ${kind.kind} is deprecated in v${found.since}+${removed}${use}`);
}

function ofVersion(kind: Kind): Deprecation | undefined {
  if (!kind.deprecated) return undefined;
  const { replacement: r } = kind;
  const use = r && `${r.group ? `${r.group}/` : ""}${r.version} ${r.kind}`;
  return { since: kind.deprecated, removed: kind.removed, ...(use ? { use } : {}) };
}
