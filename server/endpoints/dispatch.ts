/** From a resource request to its verb. */
import { badRequest, methodNotAllowed, notFound, notServed } from "../../schema/status.ts";
import type { ServedResource } from "../catalog/types.ts";
import type { RequestInfo, RequestScope } from "../request.ts";
import { pageNotFound } from "./plain.ts";
import type { Api } from "./api.ts";
import { unsupportedVerb } from "./call.ts";
import { create } from "./create.ts";
import { deprecation } from "./deprecation.ts";
import { remove, removeCollection } from "./delete.ts";
import { get } from "./get.ts";
import { list } from "./list.ts";
import { patch } from "./patch.ts";
import { mustBePatch } from "./patch_types.ts";
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
  return served.kind.custom ? dispatchCustom(api, scope, served) : dispatchBuiltIn(api, scope, served);
}

function dispatchBuiltIn(api: Api, scope: RequestScope, served: ServedResource): Response | Promise<Response> {
  const { info, request: { method } } = scope;
  if (EMPTY.test(info.path) && !BELOW_PROXY.test(info.path)) refuseEmpty(served, info, method);
  if (!isPath(served, info)) throw notServed();
  scope.served = served;
  const verb = verbOf(info, method);
  if (!verb) throw methodNotAllowed();
  mustBeName(info);
  if (isRouted(served, info)) deprecation(api, scope, served);
  return verb(api, scope);
}

/** Proxies pass on every method; all else has no HEAD, and a watch by its path alone is a GET. */
function verbOf({ subresource, verb, deprecatedWatch }: RequestInfo, method: string): Verb | undefined {
  if (subresource === "proxy") return method === "OPTIONS" ? get : VERBS[verb];
  return method !== "HEAD" && (!deprecatedWatch || method === "GET") ? VERBS[verb] : undefined;
}

/** Whether a built-in resource has such a path, whatever the method. */
function isPath({ resource, verbs, subresources }: ServedResource, info: RequestInfo): boolean {
  const { subresource, namespace, within } = info, one = info.name !== "" && !info.selected;
  if (info.deprecatedWatch && (subresource !== "" || !verbs.includes("watch"))) return false;
  if (subresource !== "" && !subresources.has(subresource)) return false;
  if (info.rest !== "" && subresource !== "proxy") return false;
  if (!resource.namespaced && within) return false;
  if (resource.namespaced && namespace === "") {
    if (one || (!verbs.includes("list") && !info.path.includes("//"))) return false;
  }
  return !one || subresource !== "" || hasItems({ verbs });
}

/** Custom resources go by what the segments say, empty or not, and by the verb alone, whatever method it comes of. */
function dispatchCustom(api: Api, scope: RequestScope, served: ServedResource): Response | Promise<Response> {
  const { info } = scope, part = info.subresource;
  const isPart = part !== "" && served.subresources.has(part);
  if (isPart && info.deprecatedWatch) throw unsupportedVerb(info);
  if (!isCustomPath(served, info)) return pageNotFound();
  if (part !== "" && !isPart) {
    // The version is told of before the part of an object is looked for.
    deprecation(api, scope, served);
    throw notFound({ group: info.group, resource: info.resource }, info.name);
  }
  scope.served = served;
  const verb = VERBS[info.verb];
  if (!verb) throw unsupportedVerb(info);
  if (info.name === "" && ONE.has(info.verb)) {
    if (info.verb === "patch") mustBePatch(api, scope);
    throw badRequest("name must be provided");
  }
  mustBeName(info);
  if (isRouted(served, info)) deprecation(api, scope, served);
  return loaded(api, scope, verb);
}

/** Whether a custom resource has such a path: the rest of it is not looked at. */
function isCustomPath({ resource }: ServedResource, info: RequestInfo): boolean {
  if (!resource.namespaced) return info.namespace === "";
  if (info.namespace !== "") return true;
  return reads(info) && (info.name === "" || info.selected || info.deprecatedWatch);
}

/** @throws StatusError 400 for a name that no object can have */
function mustBeName({ name, verb }: RequestInfo): void {
  if ((name.includes("%") || name === "." || name === "..") && ONE.has(verb)) {
    throw badRequest(`Name parameter invalid: ${JSON.stringify(name)}: may not be dots or contain '%'`);
  }
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
