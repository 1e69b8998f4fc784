/** What documents say in words of the members that every object has: clients show it beside the fields of custom kinds. */
import type { JsonMap } from "../../schema/model/types.ts";

/** `apiVersion` and `kind`, as they stand in the schema of a kind. */
export const TYPE_MEMBERS: Readonly<Record<"apiVersion" | "kind", JsonMap>> = {
  apiVersion: {
    type: "string",
    description: "APIVersion defines the group and version of the API in which the object is written",
  },
  kind: { type: "string", description: "Kind names the type of the object; it cannot be changed" },
};

/** Of a kind's `metadata`. */
export const METADATA = "Standard object's metadata: what every object of the API has";

const MEMBERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "meta.v1.ObjectMeta": {
    annotations: "Annotations are values for tools, by name; nothing selects by them",
    creationTimestamp: "CreationTimestamp is a timestamp of the server's clock: when the object was created",
    deletionGracePeriodSeconds: "Seconds that the object has to end by itself once it is deleted",
    deletionTimestamp: "DeletionTimestamp is when the object is gone at the latest; set when somebody deletes it",
    finalizers: "Finalizers keep a deleted object until each of them has been taken out",
    generateName: "Beginning of a name that the server completes, where the object states none",
    generation: "Number of the desired state; it grows with each change of that",
    labels: "Labels are names and values by which objects are selected",
    managedFields: "ManagedFields tells who set which fields, for server-side apply",
    name: "Name of the object, unique in its namespace; it cannot be changed",
    namespace: "Namespace in which the name is unique; empty for objects of the whole cluster",
    ownerReferences: "Objects that this one depends on: it is collected when all of them are gone",
    resourceVersion: "Version of the object as stored; opaque to clients, and tells whether it has changed",
    uid: "Id of this object among all that ever were, given by the server",
  },
};

/** What is said of a member of a message (`meta.v1.ObjectMeta`); nothing of most. */
export function described(message: string, member: string): JsonMap {
  const description = MEMBERS[message]?.[member];
  return description === undefined ? {} : { description };
}
