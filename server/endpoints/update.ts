/** UPDATE: PUT of a whole object (specification, "Update rules"). */
import type { Obj } from "../../schema/model/types.ts";
import { methodNotAllowed } from "../../schema/status.ts";
import type { RequestScope } from "../request.ts";
import { attributesOf, authorize } from "../filters/authorize.ts";
import type { Api } from "./api.ts";
import { acceptedBy, callerOf, callOf, checkName, mustServe, shownOf, withMetadata } from "./call.ts";
import { bodyBytes, bodyMedia } from "./body.ts";
import { dedupeOwners, fieldWrite } from "./create.ts";
import { decodeAs } from "./decode.ts";
import { explained, explanationOf, heard } from "./explain.ts";
import { type WriteOptions, writeOptions } from "./query.ts";
import type { Caller } from "../registry/context.ts";
import { settleNamespace } from "../registry/settle_namespace.ts";
import { respondAny, respondObject, written } from "./respond.ts";
import { toStored, withConversions } from "./shape.ts";

/**
 * Replaces an object, or the part of it that a subresource is; 201 when it was created. @throws StatusError of what refuses it:
 * 409 for another version than the one it was made from, and all that a create is refused for.
 */
export async function update(api: Api, scope: RequestScope): Promise<Response> {
  const served = scope.served!;
  const { resource } = served;
  const { subresource, name } = scope.info;
  if (name === "") throw methodNotAllowed();
  mustServe(served, subresource, "update");
  const accepted = acceptedBy(api, scope, shownOf(scope));
  const handler = subresource === "" ? undefined : api.subresource(resource, subresource);
  const options = writeOptions(scope.query, "UpdateOptions", api.scheme.product);
  const explanation = explanationOf(scope.query, options);
  const caller = heard(explanation, callerOf(scope, options));
  const call = callOf(api, scope, caller);
  if (handler?.connect) return await handler.connect(call);
  const bytes = await bodyBytes(scope);
  const media = bodyMedia(scope.headers.get("content-type"), api.media(resource));
  const kind = call.subresource?.kind ?? served.kind;
  const decode = () => withMetadata(decodeAs(api, scope, bytes, media.kind, kind, options.fieldValidation));
  const sent = decode();
  settleNamespace(sent, resource, scope.info.namespace);
  checkName(sent, name);
  if (handler?.update) {
    const write = fieldWrite(scope, options);
    const work = handler.update(call, (current) => Promise.resolve(api.fields.update(current, sent, write)));
    if (explanation) return await explained(explanation, async () => (await work).object);
    const answer = await work;
    return await respondAny(api, scope, answer.code ?? 200, accepted, answer.kind, answer.object);
  }
  const uid = sent.metadata.uid;
  let unused: Obj | undefined = sent;
  const work = api.store(resource).update({
    namespace: call.namespace,
    name,
    subresource,
    caller,
    admit: true,
    apart: true,
    ...(uid ? { uid } : {}),
    next: (current) => {
      const obj = unused ?? decode(); // a second attempt starts from what was sent
      unused = undefined;
      settleNamespace(obj, resource, scope.info.namespace);
      return transformed(api, scope, toStored(api, served, obj), current, options, caller);
    },
  });
  if (explanation) return await explained(explanation, async () => (await work).object);
  const result = await work;
  const source = result.removed ? { object: result.object } : written(api, served, result.object, caller.dryRun);
  return await respondObject(api, scope, result.created ? 201 : 200, accepted, served, source);
}

/** What happens to the next object before the registry sees it: ownership, then the mutating phase of admission. */
export async function transformed(
  api: Api,
  scope: RequestScope,
  next: Obj,
  current: Obj | undefined,
  options: WriteOptions,
  caller: Caller,
): Promise<Obj> {
  dedupeOwners(next, scope);
  const owned = () => api.fields.update(current, next, fieldWrite(scope, options));
  const obj = await withConversions(scope.served!, () => scope.signal, owned);
  await admit(api, scope, obj, current, caller);
  return obj;
}

/**
 * The mutating phase of admission, on an object of the stored shape. Who makes an object by an update or an apply must be
 * allowed to create it (specification, "API verbs": create).
 */
export async function admit(
  api: Api,
  scope: RequestScope,
  obj: Obj,
  current: Obj | undefined,
  caller: Caller,
): Promise<void> {
  if (!current) await authorize(api.authorizer, scope, { ...attributesOf(scope), verb: "create" });
  const store = api.store(scope.served!.resource);
  const operation = current ? "UPDATE" : "CREATE";
  await api.admission.admit(store.attributes(operation, obj, current, caller, scope.info.subresource));
}
