/** PATCH: JSON patch, merge patch, strategic merge patch, and apply (specification, "Patch types"). */
import type { Obj } from "../../schema/model/types.ts";
import { methodNotAllowed } from "../../schema/status.ts";
import type { RequestScope } from "../request.ts";
import { settleNamespace } from "../registry/settle_namespace.ts";
import type { Api } from "./api.ts";
import { applied, appliedPart } from "./apply.ts";
import { bodyBytes } from "./body.ts";
import { acceptedBy, callerOf, callOf, checkName, mustServe, objectNamespace, shownOf } from "./call.ts";
import { fieldWrite } from "./create.ts";
import { explained, explanationOf, heard } from "./explain.ts";
import type { PatchRequest } from "./patch_request.ts";
import { parsePatch, patchTypeOf } from "./patch_types.ts";
import { patched } from "./patched.ts";
import { writeOptions } from "./query.ts";
import { respondAny, respondObject, written } from "./respond.ts";
import { toServed, toStored } from "./shape.ts";
import { transformed } from "./update.ts";

/**
 * Patches an object; 201 when apply created it. @throws StatusError 415, 400 and 422 of the patch, 409 of its conflicts, and all
 * that an update is refused for
 */
export async function patch(api: Api, scope: RequestScope): Promise<Response> {
  const served = scope.served!;
  const { resource } = served;
  const { subresource, name } = scope.info;
  if (name === "") throw methodNotAllowed();
  mustServe(served, subresource, "patch");
  const handler = subresource === "" ? undefined : api.subresource(resource, subresource);
  const early = callOf(api, scope, callerOf(scope, { dryRun: false, object: {} }));
  if (handler?.connect) return await handler.connect(early);
  const type = patchTypeOf(api, scope);
  const accepted = acceptedBy(api, scope, shownOf(scope));
  const bytes = await bodyBytes(scope);
  const options = writeOptions(scope.query, "PatchOptions", api.scheme.product, !type.patch);
  scope.audit?.patched(() => type.parse(bytes, false).tree);
  const explanation = explanationOf(scope.query, options);
  const caller = heard(explanation, callerOf(scope, { ...options, applies: !type.patch }));
  const request: PatchRequest = {
    api,
    scope,
    type,
    kind: early.subresource?.kind ?? served.kind,
    options,
    caller,
    // What cannot be read is refused whether there is something to patch or not.
    parsed: parsePatch(type, bytes, options.fieldValidation !== "Ignore"),
  };
  if (handler?.update) {
    const call = callOf(api, scope, caller);
    const next = (current: Obj) => Promise.resolve(nextPart(request, current));
    const work = handler.update(call, next);
    if (explanation) return await explained(explanation, async () => (await work).object);
    const answer = await work;
    return await respondAny(api, scope, answer.code ?? 200, accepted, answer.kind, answer.object);
  }
  const work = api.store(resource).update({
    namespace: objectNamespace(resource, scope.info.namespace),
    name,
    subresource,
    caller,
    admit: true,
    createAbsent: !type.patch,
    apart: true,
    next: (current) => nextObject(request, current),
  });
  if (explanation) return await explained(explanation, async () => (await work).object);
  const result = await work;
  const source = result.removed ? { object: result.object } : written(api, served, result.object, caller.dryRun);
  return await respondObject(api, scope, result.created ? 201 : 200, accepted, served, source);
}

async function nextObject(request: PatchRequest, current: Obj | undefined): Promise<Obj> {
  const { api, scope, type, options, caller } = request, served = scope.served!;
  if (!type.patch) return await applied(request, current);
  if (!current) throw api.store(served.resource).missing(scope.info.name);
  const obj = patched(request, type.patch, toServed(api, served, current));
  settleNamespace(obj, served.resource, scope.info.namespace);
  checkName(obj, scope.info.name);
  return await transformed(api, scope, toStored(api, served, obj), current, options, caller);
}

/** The next state of a subresource that has a kind of its own. */
function nextPart(request: PatchRequest, current: Obj): Obj {
  const { api, scope, type, options } = request;
  if (!type.patch) return appliedPart(request, current);
  return api.fields.update(current, patched(request, type.patch, current), fieldWrite(scope, options));
}
