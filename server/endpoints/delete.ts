/** DELETE of one object, and of a collection (specification, "Object deletion", "Delete options"). */
import type { Obj } from "../../schema/model/types.ts";
import {
  badRequest,
  forbidden,
  invalid,
  isNotFound,
  methodNotAllowed,
  type Status,
  type StatusError,
} from "../../schema/status.ts";
import { ErrorList } from "../../schema/rules/errors.ts";
import type { RequestScope } from "../request.ts";
import type { Entry } from "../cache/mod.ts";
import type { Caller } from "../registry/context.ts";
import { deleteCurrent, deleteObject, deleteSelected, warnOfDeletion } from "../registry/delete.ts";
import type { Store } from "../registry/store.ts";
import type { DeleteOptions } from "../registry/strategy.ts";
import type { Api } from "./api.ts";
import { acceptedBy, callerOf, callOf, mustNameNamespace, mustServe, objectNamespace, SHOWN } from "./call.ts";
import { type DeleteRequest, deleteRequest, UNSAFE } from "./delete_options.ts";
import { answer, readChosen, shardOf, withShard } from "./list.ts";
import { readAll } from "./unread_list.ts";
import { type ListOptions, listOptions } from "./query.ts";
import { respondObject, respondStatus, written } from "./respond.ts";
import { convertedSources } from "./shape.ts";
import { selection } from "./select.ts";
import { checkListOptions } from "./versions.ts";

/** Deletes one object: 200 when it is gone or marked. @throws StatusError 404, 409 for preconditions, and of admission */
export async function remove(api: Api, scope: RequestScope): Promise<Response> {
  const served = scope.served!;
  const { resource } = served;
  const { subresource, name } = scope.info;
  mustServe(served, subresource, "delete");
  const handler = subresource === "" ? undefined : api.subresource(resource, subresource);
  if (handler) {
    const call = callOf(api, scope, callerOf(scope, { dryRun: false, object: {} }));
    if (!handler.connect) throw methodNotAllowed();
    return await handler.connect(call);
  }
  const accepted = acceptedBy(api, scope, SHOWN);
  const asked = await deleteRequest(api, scope);
  const store = api.store(resource);
  const namespace = objectNamespace(resource, scope.info.namespace);
  const caller = deleteCaller(scope, asked);
  if (asked.unsafe) {
    return await respondStatus(api, scope, accepted, await removeUnread(api, scope, store, namespace, caller));
  }
  const done = await deleteObject(store, namespace, name, asked.options, caller, admitDelete(api, store, caller, true));
  const code = !done.removed && asked.options.orphanDependents === false ? 202 : 200;
  if (isStatus(done.answer)) {
    return await respondStatus(api, scope, accepted, code === 200 ? done.answer : { ...done.answer, code });
  }
  return await respondObject(api, scope, code, accepted, served, written(api, served, done.answer, caller.dryRun));
}

const isStatus = (x: Obj | Status): x is Status => x.kind === "Status";

const deleteCaller = (scope: RequestScope, asked: DeleteRequest): Caller =>
  callerOf(scope, { dryRun: asked.dryRun, object: asked.options });

/**
 * @param named the request names the object; deletecollection does not, and admission sees no name then, and the options
 * as they came
 */
function admitDelete(
  api: Api,
  store: Store,
  caller: Caller,
  named: boolean,
): (obj: Obj, options: DeleteOptions) => Promise<void> {
  return async (obj, options) => {
    const [name, seen] = named ? [undefined, options] : ["", undefined];
    const a = store.attributes("DELETE", undefined, obj, caller, "", name, seen);
    await api.admission.admit(a);
    await api.admission.validate(a);
  };
}

/** Deletes every object that a request selects; answers the list of them. @throws StatusError of the first deletion that fails; before any, where an object cannot be read */
export async function removeCollection(api: Api, scope: RequestScope): Promise<Response> {
  const served = scope.served!;
  const { resource } = served;
  mustServe(served, "", "deletecollection");
  mustNameNamespace(resource, scope.info);
  const accepted = acceptedBy(api, scope, SHOWN);
  const options = readInPages(listOptions(scope.query));
  const shard = shardOf(api, options);
  const chosen = selection(served, options, "", shard);
  checkListOptions(options, api.scheme.product);
  const asked = await deleteRequest(api, scope);
  if (asked.unsafe) throw notForCollections(api);
  const page = await readChosen(api, scope, served, options, chosen);
  // What cannot be shown is not deleted either.
  const { converter } = served.kind.custom ?? {};
  const shown = converter ? await convertedSources(served, page.shown, scope.signal) : page.shown;
  const store = api.store(resource);
  const caller = deleteCaller(scope, asked);
  const admit = admitDelete(api, store, caller, false);
  warnOfDeletion(store, asked.options, caller);
  if (resource.namespaced && scope.info.namespace === "" && page.entries.length > 0) {
    throw badRequest("a namespace must be provided");
  }
  await readAll(api, store, page.entries);
  const queue = page.entries.values();
  const work = async () => {
    for (const entry of queue) {
      // Who has gone, or was told that the time is over, does not lose the rest.
      if (scope.signal.aborted) return;
      await deleteOne(store, entry.namespace, entry.name, asked, caller, admit);
    }
  };
  // Nothing is deleted behind the answer, whatever failed.
  const ended = await Promise.allSettled(Array.from({ length: Math.max(1, api.deleteWorkers) }, work));
  for (const worker of ended) if (worker.status === "rejected") throw worker.reason;
  return await answer(api, scope, served, accepted, shown, withShard(page.meta, shard, accepted));
}

/** What is deleted is read in pages: a version without a match is an exact one, as with a limit. */
function readInPages(options: ListOptions): ListOptions {
  const { resourceVersion, resourceVersionMatch } = options;
  if (resourceVersion === "" || resourceVersion === "0" || resourceVersionMatch) return options;
  return { ...options, resourceVersionMatch: "Exact" };
}

async function deleteOne(
  store: Store,
  namespace: string,
  name: string,
  asked: DeleteRequest,
  caller: Caller,
  admit: (obj: Obj, options: DeleteOptions) => Promise<void>,
): Promise<void> {
  try {
    await deleteSelected(store, namespace, name, asked.options, caller, admit);
  } catch (e) {
    if (!isNotFound(e)) throw e; // somebody else was faster
  }
}

function notForCollections(api: Api): StatusError {
  const errors = new ErrorList();
  errors.invalid(UNSAFE, true, "is not allowed with DELETECOLLECTION, try again after removing the option");
  return invalid(api.scheme.product.local("meta.k8s.io"), "DeleteOptions", "", errors.causes);
}

/** Removes an object that cannot be read; refuses one that can. */
async function removeUnread(
  api: Api,
  scope: RequestScope,
  store: Store,
  namespace: string,
  caller: Caller,
): Promise<Status> {
  const { name } = scope.info;
  // Whoever is refused has tried it all the same.
  caller.annotate(api.scheme.product.local("apiserver.k8s.io/unsafe-delete-ignore-read-error"), "");
  await authorizeUnsafe(api, scope, store);
  const blank: Obj = { apiVersion: "", kind: "", metadata: { name, ...(namespace ? { namespace } : {}) } };
  await deleteCurrent(store, namespace, name, async (entry) => {
    if (await readable(store, entry, caller)) {
      const errors = new ErrorList();
      errors.invalid(
        UNSAFE,
        true,
        "is exclusively used to delete corrupt object(s), try again by removing this option",
      );
      throw invalid(store.gr.group, store.gr.resource, name, errors.causes);
    }
    await api.admission.validate(store.attributes("DELETE", undefined, blank, caller, ""));
    const done = await store.remove(entry, blank, caller.span);
    if (done === "gone") throw store.missing(name);
    return done !== "changed" || undefined;
  });
  const details = { name, ...(store.gr.group ? { group: store.gr.group } : {}), kind: store.gr.resource };
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details };
}

/** Whether the request's version of an object can be made of what is stored. @throws StatusError 504 when the request has ended */
async function readable({ strategy }: Store, entry: Entry, { version, signal }: Caller): Promise<boolean> {
  try {
    const stored = entry.object();
    await strategy.conversions?.view(stored, version, signal);
    return true;
  } catch (e) {
    if (signal.aborted) throw e;
    return false;
  }
}

async function authorizeUnsafe(api: Api, scope: RequestScope, store: Store): Promise<void> {
  const verb = "unsafe-delete-ignore-read-errors";
  const { info, user } = scope;
  const decision = await api.authorizer.authorize({ ...info, user, verb, isResource: true }, scope);
  if (decision.decision === "allow") return;
  throw forbidden(store.gr, info.name, `not permitted to do "${verb}", reason: ${decision.reason}`);
}
