/** What documents say in words. */
import type { JsonMap } from "../../schema/model/types.ts";
import { wordOf } from "../../schema/words/mod.ts";

/** `apiVersion` and `kind`, as they stand in the schema of a kind. */
export const TYPE_MEMBERS: Readonly<Record<"apiVersion" | "kind", JsonMap>> = {
  apiVersion: {
    type: "string",
    description: "APIVersion defines the group and version of the API in which the object is written.",
  },
  kind: { type: "string", description: "Kind names the type of the object; it cannot be changed." },
};

/** What is said of a message (`meta.v1.ObjectMeta`), or of a member of it; nothing of some. */
export function described(message: string, member?: string): JsonMap {
  const description = wordOf(message, member);
  return description === undefined ? {} : { description };
}

/** What is said of query parameters, by name: of those that a document tells once. */
export const PARAMETERS: Readonly<Record<string, string>> = {
  allowWatchBookmarks: "Ask a watch for bookmarks: events that tell nothing but the version it has come to.",
  continue: "Token of a list that was cut by limit: go on from there, in the version of its first part.",
  fieldManager: "Name under which the fields of this write are owned.",
  fieldSelector: "Narrows the list of returned objects by the values of their fields; default all.",
  force: "Take fields over that other managers own; for apply only.",
  gracePeriodSeconds: "Seconds that the object has to end by itself; 0 for at once, default that of the kind.",
  labelSelector: "Narrows the list of returned objects by their labels; default all.",
  limit: "Most objects in one answer; the rest can be had by continue.",
  orphanDependents: "Deprecated for propagationPolicy: whether objects that depend on this one stay.",
  pretty: "Output for human readers.",
  propagationPolicy: "What becomes of objects that depend on this one: Orphan, Background or Foreground.",
  resourceVersion: "Version that the answer is to be of, or to be not older than.",
  resourceVersionMatch: "How resourceVersion counts: Exact or NotOlderThan.",
  sendInitialEvents: "Begin a watch with the objects that are there, and a bookmark after them.",
  timeoutSeconds: "Seconds after which the call ends, whatever it has come to.",
  watch: "Watch for changes to the described resources, as a stream of events; begin after resourceVersion.",
};
