/** CREATE: POST on a collection, or on a subresource that takes one. */
import type { Obj } from "../../schema/model/types.ts";
import { methodNotAllowed } from "../../schema/status.ts";
import { ownersOnce } from "../registry/owners_once.ts";
import { settleNamespace } from "../registry/settle_namespace.ts";
import type { RequestScope } from "../request.ts";
import { headerText } from "../request_headers.ts";
import type { Api } from "./api.ts";
import { acceptedBy, callerOf, callOf, METADATA, mustNameNamespace, mustServe, SHOWN, withMetadata } from "./call.ts";
import { bodyBytes, bodyMedia } from "./body.ts";
import { decodeAs, decodeNamed } from "./decode.ts";
import { explained, explanationOf, heard } from "./explain.ts";
import { type WriteOptions, writeOptions } from "./query.ts";
import { respondAny, respondObject, written } from "./respond.ts";
import { toStored, withConversions } from "./shape.ts";

/**
 * Creates an object; answers it with 201. @throws StatusError of what refuses it: body, field ownership, admission, validation,
 * store
 */
export async function create(api: Api, scope: RequestScope): Promise<Response> {
  const served = scope.served!;
  const { resource } = served;
  const { subresource, name } = scope.info;
  // Where custom resources are served, a name in the path of a POST says nothing.
  if (subresource === "" && name !== "" && !served.kind.custom) throw methodNotAllowed();
  mustServe(served, subresource, "create");
  if (subresource !== "" || api.virtual(resource)) return await createSpecial(api, scope);
  mustNameNamespace(resource, scope.info);
  const accepted = acceptedBy(api, scope, SHOWN);
  const media = bodyMedia(scope.headers.get("content-type"), api.media(resource));
  const bytes = await bodyBytes(scope);
  const options = writeOptions(scope.query, "CreateOptions", api.scheme.product);
  const sent = withMetadata(decodeAs(api, scope, bytes, media.kind, served.kind, options.fieldValidation));
  const explanation = explanationOf(scope.query, options);
  const caller = heard(explanation, callerOf(scope, options));
  settleNamespace(sent, resource, scope.info.namespace);
  let obj = toStored(api, served, sent);
  dedupeOwners(obj, scope);
  const bare = wiped(obj);
  const owned = () => api.fields.update(undefined, bare, fieldWrite(scope, options));
  obj = await withConversions(served, () => scope.signal, owned);
  const store = api.store(resource);
  const write = async () => {
    await api.admission.admit(store.attributes("CREATE", obj, undefined, caller, ""));
    return await store.create(obj, caller);
  };
  if (explanation) return await explained(explanation, write);
  const made = await write();
  return await respondObject(api, scope, 201, accepted, served, written(api, served, made, caller.dryRun));
}

/** System fields that a client may send back from elsewhere, and that a new object must not own. */
function wiped(obj: Obj): Obj {
  const m = obj.metadata;
  delete m.uid;
  delete m.creationTimestamp;
  delete m.deletionTimestamp;
  delete m.deletionGracePeriodSeconds;
  return obj;
}

/** Who writes, for field ownership. */
export function fieldWrite(scope: RequestScope, options: Pick<WriteOptions, "fieldManager">) {
  return {
    served: scope.served!,
    subresource: scope.info.subresource,
    manager: options.fieldManager,
    userAgent: headerText(scope.headers.get("user-agent") ?? ""),
  };
}

/** Owners that are named twice count once, with a warning. */
export function dedupeOwners(obj: Obj, scope: RequestScope): void {
  if (ownersOnce(obj.metadata).size === 0) return;
  scope.warnings.add("metadata.ownerReferences: an owner stands there twice and counts once; send each owner once");
}

async function createSpecial(api: Api, scope: RequestScope): Promise<Response> {
  const served = scope.served!;
  const { resource } = served;
  const { subresource } = scope.info;
  const handler = subresource === "" ? api.virtual(resource) : api.subresource(resource, subresource);
  if (handler && "connect" in handler && handler.connect) {
    return await handler.connect(callOf(api, scope, callerOf(scope, { dryRun: false, object: {} })));
  }
  if (!handler?.create) throw methodNotAllowed();
  const accepted = acceptedBy(api, scope, METADATA);
  const media = bodyMedia(scope.headers.get("content-type"), api.media(resource));
  const bytes = await bodyBytes(scope);
  const options = writeOptions(scope.query, "CreateOptions", api.scheme.product);
  const call = callOf(api, scope, callerOf(scope, options));
  const kind = call.subresource?.kind ?? served.kind;
  const { object, named } = decodeNamed(api, scope, bytes, media.kind, kind, options.fieldValidation);
  const sent = withMetadata(object);
  if (resource.namespaced) settleNamespace(sent, resource, scope.info.namespace);
  // What is not stored has owners all the same: admission and clients see them.
  const answer = await handler.create(call, api.fields.update(undefined, sent, fieldWrite(scope, options)));
  const code = answer.code ?? 201;
  // Under the name that it was asked for.
  const again = answer.kind === kind && named !== answer.kind;
  if (!again) return await respondAny(api, scope, code, accepted, answer.kind, answer.object);
  return await respondAny(api, scope, code, accepted, named, { ...answer.object, apiVersion: named.apiVersion });
}
