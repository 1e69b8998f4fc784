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
  const description = MEMBERS[message]?.[member] ?? (member === "items" ? itemsOf(message) : undefined);
  return description === undefined ? {} : { description };
}

/** `core.v1.PriorityClassList`: `List of priority classes`. */
function itemsOf(message: string): string | undefined {
  const kind = /\.([A-Za-z0-9]+)List$/.exec(message)?.[1];
  if (kind === undefined) return undefined;
  const words = kind.replace(/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$2 ").split(" ");
  const text = words.map((w) => /^[A-Z]{2,}/.test(w) ? w : w.toLowerCase()).join(" ");
  if (text.endsWith("endpoints")) return `List of ${text}`;
  return `List of ${text.replace(/y$/, "ie").replace(/(s|x)$/, "$1e")}s`;
}

/** What is said of query parameters, by name: of those that a document tells once. */
export const PARAMETERS: Readonly<Record<string, string>> = {
  allowWatchBookmarks: "Ask a watch for bookmarks: events that tell nothing but the version it has come to",
  continue: "Token of a list that was cut by limit: go on from there, in the version of its first part",
  fieldManager: "Name under which the fields of this write are owned",
  fieldSelector: "Narrows the list of returned objects by the values of their fields; default all",
  force: "Take fields over that other managers own; for apply only",
  gracePeriodSeconds: "Seconds that the object has to end by itself; 0 for at once, default that of the kind",
  labelSelector: "Narrows the list of returned objects by their labels; default all",
  limit: "Most objects in one answer; the rest can be had by continue",
  orphanDependents: "Deprecated for propagationPolicy: whether objects that depend on this one stay",
  pretty: "Output for human readers",
  propagationPolicy: "What becomes of objects that depend on this one: Orphan, Background or Foreground",
  resourceVersion: "Version that the answer is to be of, or to be not older than",
  resourceVersionMatch: "How resourceVersion counts: Exact or NotOlderThan",
  sendInitialEvents: "Begin a watch with the objects that are there, and a bookmark after them",
  timeoutSeconds: "Seconds after which the call ends, whatever it has come to",
  watch: "Watch for changes to the described resources, as a stream of events; begin after resourceVersion",
};
