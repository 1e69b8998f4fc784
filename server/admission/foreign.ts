/** What is put right after objects were changed by what administrators wrote: webhooks, mutating policies. */
import type { ObjectMeta } from "../../schema/model/types.ts";
import { ownersOnce } from "../registry/owners_once.ts";
import { settleNamespace } from "../registry/settle_namespace.ts";
import { keepManaged } from "./policies/managed.ts";
import type { Attributes } from "./types.ts";

const OWNERS =
  "metadata.ownerReferences: an owner stands there twice after admission and counts once; send each owner once";
/** What an object's metadata said before. */
export type Before = Pick<ObjectMeta, "managedFields">;

/** What is kept of an object, to be given to {@linkcode settleForeign}. */
export function beforeForeign(a: Attributes): Before {
  const managedFields = a.object?.metadata?.managedFields;
  return managedFields ? { managedFields } : {};
}

/**
 * Bad entries of managed fields are taken back, owners named twice count once, each with a warning; the namespace is that of
 * the request, or none. @throws StatusError 400 for another namespace
 */
export function settleForeign(a: Attributes, before: Before): void {
  const meta = a.object?.metadata;
  if (!meta || a.operation === "CONNECT") return;
  keepManaged(a, before.managedFields);
  const twice = ownersOnce(meta);
  if (twice.size > 0) a.warn(`${OWNERS}; UIDs: ${[...twice].join(", ")}`);
  settleNamespace(a.object!, a.resource, a.namespace);
}
