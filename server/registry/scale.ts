/** The `scale` subresource: replicas of an object, whatever its kind (specification, "Terminology": subresource). */
import { ErrorList } from "../../schema/rules/errors.ts";
import { parentOwners, type ReplicasPaths, scaleOwners } from "../../schema/merge/scale_owners.ts";
import type { Kind, Obj } from "../../schema/model/types.ts";
import { METADATA, validateManagedFields } from "../../schema/rules/object_meta.ts";
import { conflict, invalid } from "../../schema/status.ts";
import { formatSelector, selectorFromLabelSelector, selectorFromSet } from "../../schema/values/labels.ts";
import type { Answer, Call, SubresourceHandler } from "../endpoints/api.ts";
import { checkName } from "../endpoints/call.ts";
import { settleNamespace } from "./settle_namespace.ts";

const REPLICAS = ["f:spec", "f:replicas"] as const;

/** Handler for a resource whose replicas are `spec.replicas`; `plainSelector`: its selector is a plain map of labels. */
export function scaleHandler({ plainSelector }: { readonly plainSelector: boolean }): SubresourceHandler {
  return {
    async get(call) {
      const entry = await call.api.store(call.served.resource).current(call.namespace, call.name);
      return answer(call, scaleOf(call, entry.object(), plainSelector));
    },
    async update(call, next) {
      const object = await updateBehind(call, (current) => scaled(call, current, next, plainSelector));
      return answer(call, scaleOf(call, object, plainSelector));
    },
  };
}

const answer = (call: Call, object: Obj): Answer => ({ object: scaleAnswer(object), kind: scaleKind(call) });

/** A Scale as clients see it: its owners are those of the object behind it, and are shown there. */
export function scaleAnswer({ metadata: { managedFields: _, ...metadata }, ...rest }: Obj): Obj {
  return { ...rest, metadata };
}

/** @throws StatusError 400 for another name, 409 for another uid than that of the object behind */
export function checkScale(call: Call, scale: Obj, current: Obj): void {
  settleNamespace(scale, call.served.resource, call.namespace);
  checkName(scale, call.name);
  const { uid } = scale.metadata;
  if (!uid || uid === current.metadata.uid) return;
  const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${current.metadata.uid}`;
  const { group, name } = call.served.resource;
  // A PUT names the object that it expects, a patch makes another one of its Scale.
  const resource = call.scope.request.method === "PUT" ? name : `${name}/scale`;
  throw conflict({ group, resource }, call.name, why);
}
const scaleKind = (call: Call): Kind => call.subresource!.kind;

/** Updates the object behind a Scale; admission is the change's own affair, as it sees the Scale. @throws StatusError 404 */
export async function updateBehind(call: Call, change: (current: Obj) => Promise<Obj>): Promise<Obj> {
  const store = call.api.store(call.served.resource);
  const { object } = await store.update({
    namespace: call.namespace,
    name: call.name,
    subresource: "scale",
    caller: call.caller,
    admit: false,
    next: async (current) => {
      if (!current) throw store.missing(call.name);
      return await change(current);
    },
  });
  return object;
}

/** Metadata of the object behind, after a write of its Scale: the version that the Scale named, and who owns the replicas now. */
export function metadataBehind(call: Call, current: Obj, scale: Obj, at: ReplicasPaths): Obj["metadata"] {
  const { resourceVersion, managedFields } = scale.metadata;
  const owners = parentOwners(
    current.metadata.managedFields,
    managedFields,
    at,
    call.served.kind.apiVersion,
  );
  const metadata = { ...current.metadata, resourceVersion: resourceVersion || current.metadata.resourceVersion! };
  if (owners?.length) metadata.managedFields = owners;
  else delete metadata.managedFields;
  return metadata;
}

/** Metadata of the Scale of an object. */
export function scaleMetadata({ metadata }: Obj, at: ReplicasPaths): Obj["metadata"] {
  const { name, namespace, uid, resourceVersion, creationTimestamp, managedFields } = metadata;
  const owners = scaleOwners(managedFields, at);
  return {
    name: name!,
    ...(namespace ? { namespace } : {}),
    uid: uid!,
    resourceVersion: resourceVersion!,
    creationTimestamp: creationTimestamp!,
    ...(owners?.length ? { managedFields: owners } : {}),
  };
}

/** The object with the replicas that `next` makes of its Scale. */
async function scaled(call: Call, current: Obj, next: (scale: Obj) => Promise<Obj>, plain: boolean): Promise<Obj> {
  const store = call.api.store(call.served.resource);
  const before = scaleOf(call, current, plain);
  const scale = await next(before);
  checkScale(call, scale, current);
  await call.api.admission.admit(store.attributes("UPDATE", scale, before, call.caller, "scale"));
  check(call, scale);
  const metadata = metadataBehind(call, current, scale, paths(call));
  const parent = { ...current, metadata, spec: { ...current["spec"], replicas: scale["spec"]?.replicas ?? 0 } };
  const shown = [parent, current].map((o) => scaleAnswer(scaleOf(call, o, plain)));
  await call.api.admission.validate(store.attributes("UPDATE", shown[0], shown[1], call.caller, "scale"));
  return parent;
}

/** Of a Scale's metadata nothing is kept but who owns what: the rest may say anything. */
function check(call: Call, scale: Obj): void {
  const replicas = scale["spec"]?.replicas ?? 0, errors = new ErrorList();
  const { managedFields } = scale.metadata;
  if (managedFields) validateManagedFields(managedFields, METADATA.child("managedFields"), errors);
  if (replicas < 0) errors.invalid("spec.replicas", replicas, "must be greater than or equal to 0");
  if (!errors.empty) throw invalid(scaleKind(call).group, "Scale", call.name, errors.causes);
}

function paths(call: Call): ReplicasPaths {
  return new Map(call.served.resource.served.map((s) => [s.kind.apiVersion, REPLICAS]));
}

function scaleOf(call: Call, obj: Obj, plain: boolean): Obj {
  const selector = obj["spec"]?.selector;
  const terms = plain ? selectorFromSet(selector) : selectorFromLabelSelector(selector);
  const kind = scaleKind(call);
  const replicas = obj["spec"]?.replicas ?? 0;
  const text = terms ? formatSelector(terms) : "";
  return {
    kind: kind.kind,
    apiVersion: kind.apiVersion,
    metadata: scaleMetadata(obj, paths(call)),
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: obj["status"]?.replicas ?? 0, ...(text ? { selector: text } : {}) },
  };
}
