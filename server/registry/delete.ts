/** Deletion in two phases: finalization, then removal (specification, "Object deletion"). */
import type { Obj, ObjectMeta } from "../../schema/model/types.ts";
import { graceMs } from "../../schema/values/grace.ts";
import { nowTime } from "../../schema/values/time.ts";
import { conflict, type GroupResource, internal, type Status } from "../../schema/status.ts";
import type { Entry } from "../cache/mod.ts";
import type { Caller } from "./context.ts";
import type { Store } from "./store.ts";
import { sameObject } from "./same.ts";
import { versioned } from "./versioned.ts";
import { type DeleteOptions, returnsDeleted } from "./strategy.ts";

const ORPHAN = "orphan";
const FOREGROUND = "foregroundDeletion";
const TRIES = 64;

/** How a deletion ended. `object` is the last state, or the object as it now waits for its end. */
export interface Deleted {
  /** The object is gone. */
  readonly removed: boolean;
  readonly object: Obj;
  /** The body of the answer. */
  readonly answer: Obj | Status;
}

/** What the next step is for an object whose deletion is asked for. */
type Step =
  | { readonly kind: "remove" }
  | { readonly kind: "mark"; readonly next: Obj; readonly thenRemove: boolean }
  | { readonly kind: "pending" };

/**
 * Deletes an object, or starts its deletion.
 * @throws StatusError what its kind says against it, and as {@linkcode deleteSelected}
 */
export function deleteObject(...args: Parameters<typeof deleteSelected>): Promise<Deleted> {
  const [store, , name] = args;
  store.strategy.authorizeDelete?.(store.gr, name);
  return deleteSelected(...args);
}

/**
 * The same for one of a collection that is deleted: its kind is not asked whether it may be, as on the public server.
 * @param admit runs on the object before anything is changed, with the options as the kind completes them; what only waits
 * for its end is not deleted again
 * @throws StatusError 404, 409 when a precondition fails, what `admit` throws
 */
export async function deleteSelected(
  store: Store,
  namespace: string,
  name: string,
  options: DeleteOptions,
  caller: Caller,
  admit: (obj: Obj, options: DeleteOptions) => void | Promise<void> = () => {},
): Promise<Deleted> {
  warnOfDeletion(store, options, caller);
  return await deleteCurrent(
    store,
    namespace,
    name,
    (entry) => deleteOnce(store, entry, { ...options }, caller, admit),
  );
}

/** Deletes an object as it is now, again where it has changed meanwhile. `once`: undefined when it has. @throws StatusError 404, what `once` throws */
export async function deleteCurrent<T>(
  store: Store,
  namespace: string,
  name: string,
  once: (entry: Entry) => Promise<T | undefined>,
): Promise<T> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const done = await once(await store.current(namespace, name));
    if (done) return done;
  }
  throw internal(`deletion of ${name} was overtaken too often`);
}

/** The resource's warning of a deletion that says nothing about dependants, told whether or not there is anything to delete. */
export function warnOfDeletion(store: Store, options: DeleteOptions, caller: Pick<Caller, "warn">): void {
  const text = store.strategy.deleteWarning;
  if (text && options.propagationPolicy === undefined && options.orphanDependents === undefined) caller.warn(text);
}

async function deleteOnce(
  store: Store,
  entry: Entry,
  options: DeleteOptions,
  caller: Caller,
  admit: (obj: Obj, options: DeleteOptions) => void | Promise<void>,
): Promise<Deleted | undefined> {
  const { conversions } = store.strategy;
  const obj = conversions ? await conversions.view(entry.object(), caller.version, caller.signal) : entry.object();
  checkPreconditions(store, obj, options);
  if (OWN_PRECONDITIONS.has(store.resource.id)) {
    options.preconditions = { uid: obj.metadata.uid!, ...options.preconditions };
  }
  const step = nextStep(store, obj, options);
  if (step.kind === "pending") return answer(store, caller, "pending", obj);
  await admit(obj, options);
  if (step.kind === "remove") return await removeEntry(store, entry, obj, caller);
  const marked = await mark(store, entry, step.next, caller);
  if (!marked) return undefined;
  if (!step.thenRemove) return answer(store, caller, "marked", marked);
  const now = store.cache.get(entry.namespace, entry.name);
  // Another server may have removed it by now, and made another one of its name.
  return now?.uid === entry.uid
    ? await removeEntry(store, now, marked, caller)
    : answer(store, caller, "removed", marked);
}

async function removeEntry(store: Store, entry: Entry, obj: Obj, caller: Caller): Promise<Deleted | undefined> {
  if (caller.dryRun) return answer(store, caller, "removed", obj);
  const done = await store.remove(entry, obj, caller.span);
  if (done === "gone") throw store.missing(entry.name);
  return done === "changed" ? undefined : answer(store, caller, "removed", versioned(obj, done));
}

async function mark(store: Store, entry: Entry, next: Obj, caller: Caller): Promise<Obj | undefined> {
  if (caller.dryRun || sameObject(next, entry.peek())) return next;
  return await store.replace(entry, next, caller.signal, caller.span);
}

/** @throws StatusError 409 for another object or version than the options name */
export function checkPreconditions(store: Store, obj: Obj, options: DeleteOptions): void {
  const { uid, resourceVersion } = options.preconditions ?? {};
  const { metadata: m } = obj;
  const of = namedInConflict(store);
  if (uid !== undefined && uid !== m.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${m.uid}). ` +
      "The object might have been deleted and then recreated";
    throw conflict(of, m.name!, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== m.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in ` +
      `record (${m.resourceVersion}). The object might have been modified`;
    throw conflict(of, m.name!, why);
  }
}

/** These look at their preconditions themselves, and hold their deletion to the object that they have found. */
const OWN_PRECONDITIONS: ReadonlySet<string> = new Set([
  "namespaces",
  "customresourcedefinitions.apiextensions.k8s.io",
]);

/** A failed precondition names the kind as it is stored, not the resource, but for those above. */
function namedInConflict({ gr, resource }: Store): GroupResource {
  if (OWN_PRECONDITIONS.has(resource.id)) return gr;
  const { group, kind } = resource.storageKind;
  return { group, resource: kind };
}

/** Decides; pure but for the copy that it makes of the object. */
function nextStep(store: Store, obj: Obj, options: DeleteOptions): Step {
  if ((options.gracePeriodSeconds ?? 0) < 0) options.gracePeriodSeconds = 1;
  const now = store.ctx.rules.now();
  const graceful = gracefulStep(store, obj, options, now);
  if (graceful === "pending" || store.strategy.underway?.(obj)) return { kind: "pending" };
  const finalizers = propagationFinalizers(store, obj, options);
  const waiting = finalizers.length > 0 || !(store.strategy.mayRemove?.(obj) ?? true);
  if (!graceful && !waiting) return { kind: "remove" };
  const next: Obj = { ...obj, metadata: { ...obj.metadata } };
  if (finalizers.length > 0) next.metadata.finalizers = finalizers;
  else delete next.metadata.finalizers;
  if (graceful) markGraceful(next, graceful);
  else markNow(next, now);
  store.strategy.onMarkDeleted?.(next, obj);
  return { kind: "mark", next, thenRemove: !waiting && graceful !== undefined && graceful.seconds === 0 };
}

interface Grace {
  readonly seconds: number;
  readonly at: string;
  /** The deletion is only now asked for. */
  readonly first: boolean;
}

function gracefulStep(store: Store, obj: Obj, options: DeleteOptions, now: number): Grace | "pending" | undefined {
  const { grace } = store.strategy;
  if (!grace) return undefined;
  const m = obj.metadata;
  if (!m.deletionTimestamp) {
    const seconds = grace(obj, options);
    if (seconds === undefined) return undefined;
    options.gracePeriodSeconds = seconds;
    return { seconds, at: nowTime(now + graceMs(seconds)), first: true };
  }
  const left = m.deletionGracePeriodSeconds ?? 0;
  if (left === 0) return undefined;
  const asked = options.gracePeriodSeconds;
  if (asked === undefined || asked >= left) return "pending";
  const at = Date.parse(m.deletionTimestamp) - graceMs(left) + graceMs(asked);
  if (at >= now) return { seconds: asked, at: nowTime(at), first: false };
  return { seconds: asked === 0 ? 0 : 1, at: nowTime(now), first: false };
}

function markGraceful(obj: Obj, grace: Grace): void {
  const m = obj.metadata;
  m.deletionTimestamp = grace.at;
  m.deletionGracePeriodSeconds = grace.seconds;
  if (grace.first) raiseGeneration(m);
}

function markNow(obj: Obj, now: number): void {
  const m = obj.metadata;
  if (!m.deletionTimestamp) raiseGeneration(m);
  if (!m.deletionTimestamp || Date.parse(m.deletionTimestamp) > now) m.deletionTimestamp = nowTime(now);
  m.deletionGracePeriodSeconds = 0;
}

/** Of kinds that count none it is what a client gave, up to 64 bits: what can not be counted on from stays. */
function raiseGeneration(m: ObjectMeta): void {
  if (m.generation && m.generation < Number.MAX_SAFE_INTEGER) m.generation++;
}

/** Finalizers after the options and the kind have had their say about dependants. */
function propagationFinalizers(store: Store, obj: Obj, options: DeleteOptions): string[] {
  const own = obj.metadata.finalizers ?? [];
  if (!store.ctx.garbageCollection) return own;
  const policy = propagation(store, own, options);
  const others = own.filter((f) => f !== ORPHAN && f !== FOREGROUND);
  if (policy === "Orphan") return keepOrder(own, [...others, ORPHAN]);
  if (policy === "Foreground") return keepOrder(own, [...others, FOREGROUND]);
  return others;
}

/** The old list when it has the same members, in whatever order and number. */
function keepOrder(old: readonly string[], next: string[]): string[] {
  return new Set(old).symmetricDifference(new Set(next)).size === 0 ? [...old] : next;
}

function propagation(store: Store, finalizers: readonly string[], options: DeleteOptions): string {
  const kind = store.strategy.garbage ?? "background";
  if (kind === "none") return "None";
  if (options.orphanDependents !== undefined) {
    return options.orphanDependents ? "Orphan" : store.strategy.waits ? "Foreground" : "Background";
  }
  if (options.propagationPolicy !== undefined) return options.propagationPolicy;
  if (finalizers.includes(ORPHAN)) return "Orphan";
  if (finalizers.includes(FOREGROUND)) return "Foreground";
  return kind === "orphan" ? "Orphan" : "Background";
}

/** What came of a deletion: nothing yet, a mark on the object, its end. */
type Outcome = "pending" | "marked" | "removed";

function answer(store: Store, caller: Caller, outcome: Outcome, object: Obj): Deleted {
  const removed = outcome === "removed";
  if (outcome === "marked" || returnsDeleted(store.strategy, caller.version)) {
    return { removed, object, answer: object };
  }
  const { gr } = store;
  const details = {
    name: object.metadata.name!,
    ...(gr.group ? { group: gr.group } : {}),
    kind: gr.resource,
    uid: object.metadata.uid!,
  };
  return { removed, object, answer: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details } };
}
