/** From a resource request to its verb. */
import { methodNotAllowed, notServed } from "../../schema/status.ts";
import type { RequestScope } from "../request.ts";
import type { Api } from "./api.ts";
import { create } from "./create.ts";
import { remove, removeCollection } from "./delete.ts";
import { get } from "./get.ts";
import { list } from "./list.ts";
import { patch } from "./patch.ts";
import { update } from "./update.ts";
import { watch } from "./watch.ts";

type Verb = (api: Api, scope: RequestScope) => Promise<Response>;

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
export async function dispatch(api: Api, scope: RequestScope): Promise<Response> {
  const { info } = scope;
  const served = api.catalog.find(info.group, info.version, info.resource);
  if (!served) throw notServed();
  if (info.subresource !== "" && !served.subresources.has(info.subresource)) throw notServed();
  if (info.rest !== "" && info.subresource !== "proxy") throw notServed();
  const { namespaced, id } = served.resource;
  if (!namespaced && info.namespace !== "" && id !== "namespaces") throw notServed();
  if (namespaced && info.name !== "" && info.namespace === "" && !isCollection(info.verb)) throw notServed();
  scope.served = served;
  deprecation(scope);
  const verb = VERBS[info.verb];
  if (!verb) throw methodNotAllowed();
  return await verb(api, scope);
}

const isCollection = (verb: string): boolean => verb === "list" || verb === "watch" || verb === "deletecollection";

/** A warning when the version is on its way out. */
function deprecation(scope: RequestScope): void {
  const { kind } = scope.served!;
  if (!kind.deprecated) return;
  const instead = kind.replacement;
  const removed = kind.removed ? `, unavailable in v${kind.removed}+` : "";
  const use = instead ? `; use ${instead.group ? `${instead.group}/` : ""}${instead.version} ${instead.kind}` : "";
  scope.warnings.add(`${kind.apiVersion} ${kind.kind} is deprecated in v${kind.deprecated}+${removed}${use}`);
}
