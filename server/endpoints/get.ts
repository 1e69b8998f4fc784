/** GET of one object (specification, "Version semantics": get). */
import { badRequest, methodNotAllowed, StatusError } from "../../schema/status.ts";
import type { Cancellable, RequestScope } from "../request.ts";
import type { Entry } from "../cache/mod.ts";
import type { Store } from "../registry/store.ts";
import type { Api } from "./api.ts";
import { acceptedBy, callerOf, callOf, METADATA, mustServe, objectNamespace, SHOWN, shownOf } from "./call.ts";
import { respondAny, respondObject } from "./respond.ts";
import { entryFromStore } from "./store_reads.ts";
import { atLeast, getVersion, type ReadVersion } from "./versions.ts";

const READ = { dryRun: false, object: {} };

/**
 * Answers one object, or what a subresource shows: at once where the cache has all that was committed. @throws StatusError 404,
 * 405, 406, 504 for a version that is not there yet
 */
export function get(api: Api, scope: RequestScope): Response | Promise<Response> {
  const served = scope.served!;
  const { subresource, name } = scope.info;
  mustServe(served, subresource, "get");
  const handler = subresource === "" ? undefined : api.subresource(served.resource, subresource);
  const virtual = subresource === "" ? api.virtual(served.resource) : undefined;
  if (handler || virtual) return getSpecial(api, scope);
  const accepted = acceptedBy(api, scope, shownOf(scope));
  if (scope.query.has("export")) refuseExport(scope.query.get("export")!);
  const store = api.store(served.resource);
  const version = getVersion(scope.query.get("resourceVersion") ?? "");
  const namespace = objectNamespace(served.resource, scope.info.namespace);
  const shown = (entry: Entry) => {
    if (entry.error) throw entry.error;
    return respondObject(api, scope, 200, accepted, served, entry);
  };
  if (!store.cache.ready || store.direct) return entryFromStore(store, namespace, name, version).then(shown);
  const waiting = reached(store, version, scope);
  return waiting ? waiting.then(() => shown(store.entry(namespace, name))) : shown(store.entry(namespace, name));
}

/** @throws StatusError 400: objects are no longer shown as they were sent */
function refuseExport(value: string): void {
  if (value !== "0" && value.toLowerCase() !== "false") throw badRequest("the export parameter is no longer supported");
}

/** Waits for the cache to be as new as asked for; undefined when it is. */
function reached(store: Store, version: ReadVersion, cancel: Cancellable): Promise<void> | undefined {
  if (version.kind === "any") return undefined;
  if (version.kind === "latest") return store.behind(cancel);
  return atLeast(store.cache, version.revision, version.text, cancel);
}

async function getSpecial(api: Api, scope: RequestScope): Promise<Response> {
  const served = scope.served!;
  const { subresource } = scope.info;
  const call = callOf(api, scope, callerOf(scope, READ));
  const handler = subresource === "" ? api.virtual(served.resource) : api.subresource(served.resource, subresource);
  if (handler && "connect" in handler && handler.connect) return await handler.connect(call);
  if (!handler?.get) throw methodNotAllowed();
  const isScale = call.subresource?.kind.kind === "Scale";
  const isObject = subresource === "" || isScale;
  const accepted = acceptedBy(api, scope, isObject ? SHOWN : METADATA);
  if (isObject && scope.query.has("export")) refuseExport(scope.query.get("export")!);
  // A Scale is read with its object, and at the version that is asked for.
  if (isScale) await reached(api.store(served.resource), getVersion(scope.query.get("resourceVersion") ?? ""), scope);
  const answer = await handler.get(call);
  if (answer instanceof Response) {
    if (accepted.as === "object") return answer;
    throw new StatusError(406, "NotAcceptable", "a stream has no metadata");
  }
  return await respondAny(api, scope, answer.code ?? 200, accepted, answer.kind, answer.object);
}
