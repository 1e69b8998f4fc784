/** The namespace of an object is that of its request. */
import type { Obj } from "../../schema/model/types.ts";
import { badRequest } from "../../schema/status.ts";
import type { Resource } from "../catalog/types.ts";

/**
 * Gives an object the namespace of the request, or none where its resource has none.
 * @throws StatusError 400 when it names another one
 */
export function settleNamespace({ metadata }: Obj, { namespaced }: Resource, namespace: string): void {
  const own = metadata.namespace ?? "", want = namespaced ? namespace : "";
  if (own === want) return;
  if (want === "") delete metadata.namespace;
  else if (own === "") metadata.namespace = want;
  else throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
}
