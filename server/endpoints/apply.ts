/** Apply: a PATCH that says what a manager wants an object to be (specification, "Patch types"). */
import { DecodeError, decodeObject } from "../../schema/codec/mod.ts";
import type { Applied } from "../../schema/merge/managed.ts";
import type { Json, JsonMap, Kind, ManagedFieldsEntry, Obj } from "../../schema/model/types.ts";
import { badRequest, conflict } from "../../schema/status.ts";
import type { RequestScope } from "../request.ts";
import { settleNamespace } from "../registry/settle_namespace.ts";
import type { Api } from "./api.ts";
import { checkName, withMetadata } from "./call.ts";
import { fieldWrite } from "./create.ts";
import { reportStrict, strictText, withDefaults } from "./decode.ts";
import type { PatchRequest } from "./patch_request.ts";
import { configurationOf, objectOf } from "./patch_types.ts";
import { toServed, toStored, withConversions } from "./shape.ts";
import { admit } from "./update.ts";

/** What the manager wants, merged into the live object, or a new one. @throws StatusError 400, 409, 422 */
export async function applied(request: PatchRequest, current: Obj | undefined): Promise<Obj> {
  const { api, scope, kind, options, caller, parsed } = request;
  const served = scope.served!;
  const tree = checkApplied(kind, parsed.tree);
  if (!current) refuseUid(api, scope, tree);
  const live = current && toServed(api, served, current);
  const merging = () => api.fields.apply(live, tree, options.force === true, fieldWrite(scope, options));
  const merged = await withConversions(served, () => scope.signal, merging);
  reportTwice(request);
  checkPlace(scope, tree);
  const obj = current && isAsItWas(kind, merged)
    ? ownedBy(current, merged.managedFields)
    : toStored(api, served, withDefaults(api, kind, withMetadata(applicable(kind, merged.object).object), true));
  settleNamespace(obj, served.resource, scope.info.namespace);
  checkName(obj, scope.info.name);
  await admit(api, scope, obj, current, caller);
  return obj;
}

/** The same for a subresource that has a kind of its own. */
export function appliedPart(request: PatchRequest, current: Obj): Obj {
  const { api, scope, kind, options, parsed } = request;
  const tree = checkApplied(kind, parsed.tree);
  const merged = api.fields.apply(current, tree, options.force === true, fieldWrite(scope, options));
  reportTwice(request);
  checkPlace(scope, tree);
  return withDefaults(api, kind, withMetadata(applicable(kind, merged.object).object));
}

/** What the configuration says twice, when it can be applied, wherever the object is. @throws StatusError 400 at level Strict */
function reportTwice({ scope, options, parsed: { duplicates } }: PatchRequest): void {
  const strict = options.fieldValidation === "Strict" && duplicates.length > 0;
  if (strict) throw badRequest(`error strict decoding patch: error converting YAML to JSON: ${strictText(duplicates)}`);
  reportStrict(scope, duplicates, options.fieldValidation);
}

function ownedBy(object: Obj, entries: ManagedFieldsEntry[] | undefined): Obj {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata: entries ? { ...metadata, managedFields: entries } : metadata };
}

/** Whether the object stays as it is stored: nothing of the request's version is filled in then, or put in other order. */
const isAsItWas = ({ custom }: Kind, { changed }: Applied): boolean => !changed && !custom?.converter;

/** @throws StatusError 409 when what is to be created names the uid of something that was there before */
function refuseUid(api: Api, scope: RequestScope, tree: JsonMap): void {
  const uid = metadataOf(tree)["uid"];
  if (!uid) return;
  const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
  throw conflict(api.store(scope.served!.resource).gr, scope.info.name, why);
}

/** Values are looked at closely once nobody else holds them. @throws StatusError 400, 422 */
function applicable(kind: Kind, merged: JsonMap) {
  try {
    return decodeObject(kind, merged, { strict: false, wrap: true });
  } catch (e) {
    if (e instanceof DecodeError) throw badRequest(e.message);
    throw e;
  }
}

/** @throws StatusError 400 for a body that is no configuration of this object */
function checkApplied(kind: Kind, body: Json): JsonMap {
  const tree = configurationOf(body);
  if (tree["apiVersion"] !== kind.apiVersion || tree["kind"] !== kind.kind) {
    const [said, name] = [tree["apiVersion"], tree["kind"]].map((v) => typeof v === "string" ? v : "");
    throw badRequest(`invalid object type: ${said!.includes("/") ? said : `/${said}`}, Kind=${name}`);
  }
  const { managedFields } = metadataOf(tree);
  if (managedFields !== undefined && managedFields !== null) throw badRequest("metadata.managedFields must be nil");
  return tree;
}

/** An object without metadata has given up all of it: the tree itself stays as the client wrote it. */
const metadataOf = ({ metadata }: JsonMap): JsonMap =>
  metadata === undefined || metadata === null ? {} : objectOf(metadata);

/** Conflicts are told before it. @throws StatusError 400 when the configuration is of an object elsewhere */
function checkPlace(scope: RequestScope, tree: JsonMap): void {
  // Looked at on a copy: what is applied stays as the client wrote it.
  const as = { metadata: { ...metadataOf(tree) } } as unknown as Obj;
  as.metadata.name ||= scope.info.name;
  settleNamespace(as, scope.served!.resource, scope.info.namespace);
  checkName(as, scope.info.name);
}
