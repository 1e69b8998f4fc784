/**
 * Garbage collection of dependants by owner references: in the background, in the foreground with owners that wait for
 * dependants that block them, and orphaning (specification, "Object deletion").
 *
 * One graph of who is owned by whom follows the watch caches. Work is by uid: an object that is being deleted settles its
 * dependants, any other one that names owners asks whether one of them is still there. An owner in another namespace
 * than its dependant's counts as absent; one of a kind that nobody serves is left alone until somebody does.
 */
import type { Entry } from "../cache/mod.ts";
import type { Resource } from "../catalog/types.ts";
import { Collection, FOREGROUND, ORPHAN } from "./collection.ts";
import { FollowedResources } from "./followed.ts";
import { ownerFacts, sameOwnerBytes } from "./owner_facts.ts";
import { type OwnerReference, sameOwners } from "./owner_graph.ts";
import { type WorkQueue, workQueue } from "./queue.ts";
import type { Controller, ControllerContext } from "./types.ts";

/** Objects worked on at the same time. */
const WORKERS = 32;
/** Objects of these come and go by time alone. */
const NOT_COLLECTED = new Set(["events", "events.events.k8s.io"]);

/** Makes the controller; undefined with `--enable-garbage-collector=false`. */
export function garbageCollector(ctx: ControllerContext): Controller | undefined {
  return ctx.options.enableGarbageCollector ? new GarbageCollector(ctx) : undefined;
}

class GarbageCollector implements Controller {
  readonly #ctx: ControllerContext;
  readonly #followed: FollowedResources;
  #collection!: Collection;
  #queue!: WorkQueue;

  constructor(ctx: ControllerContext) {
    this.#ctx = ctx;
    this.#followed = new FollowedResources(
      ctx,
      (resource) => !NOT_COLLECTED.has(resource.id),
      ({ id }) => (entry, deleted, previous) => this.#see(id, entry, deleted, previous),
      (resource) => this.#loadedAnew(resource),
    );
  }

  start(signal: AbortSignal): void {
    const ctx = this.#ctx;
    const collection = this.#collection = new Collection(
      ctx,
      signal,
      () => this.#followed.ready,
      (uid) => queue.add(uid),
    );
    const queue = this.#queue = workQueue(ctx, "garbage-collector", {
      workers: WORKERS,
      onError: (uid, e) => ctx.log("warn", `the object with uid ${uid} cannot be collected yet`, e),
      work: (uid) => collection.settle(uid),
    });
    this.#followed.start(signal);
    const stop = ctx.catalog.onChange(() => this.#catalogChanged());
    signal.addEventListener("abort", stop, { once: true });
    queue.start(signal);
  }

  /** Kinds may have come: what waits for an owner of such a kind is looked at again. */
  #catalogChanged(): void {
    for (const uid of this.#collection.takeUnknown()) this.#queue.add(uid);
  }

  #see(resourceId: string, entry: Entry, deleted: boolean, previous: Entry | undefined): void {
    const facts = ownerFacts(entry);
    if (!facts || facts.uid === "") return;
    const { uid } = facts;
    if (deleted) return this.#gone(uid);
    const { namespace, name } = entry;
    if (facts.deleting && hasPropagation(entry)) {
      this.#collection.waiting.set(uid, { uid, resourceId, namespace, name });
      this.#queue.add(uid);
    } else this.#collection.waiting.delete(uid);
    const { graph } = this.#collection;
    if (!facts.owned && !graph.node(uid)) return;
    const old = graph.node(uid);
    // Most changes leave the owners as they were: that is told without decoding the object.
    if (old && previous && sameOwnerBytes(entry, previous)) return;
    const owners = facts.owned ? (entry.peek().metadata.ownerReferences ?? []) as unknown as OwnerReference[] : [];
    if (old && previous && sameOwners(old.owners, owners)) return;
    if (owners.length > 0) graph.set({ uid, resourceId, namespace, name, owners });
    else graph.delete(uid);
    if (old) this.#wakeOwners(old.owners);
    if (owners.length > 0) this.#queue.add(uid);
  }

  /** Objects may have gone while nobody told: their dependants, and owners that wait for them, are looked at again. */
  #loadedAnew({ id, storageKind: { kind } }: Resource): void {
    const cache = this.#ctx.registries.byId(id)?.cache;
    if (!cache?.ready) return;
    for (const { uid, resourceId, namespace, name, owners } of this.#collection.graph.nodes()) {
      if (resourceId === id && cache.get(namespace, name)?.uid !== uid) this.#gone(uid);
      else if (owners.some((o) => o.kind === kind)) this.#queue.add(uid);
    }
  }

  #gone(uid: string): void {
    const { graph, waiting } = this.#collection;
    waiting.delete(uid);
    const old = graph.delete(uid);
    for (const dependant of graph.dependants(uid)) this.#queue.add(dependant.uid);
    if (old) this.#wakeOwners(old.owners);
  }

  /** Owners that wait for dependants may have one less. */
  #wakeOwners(owners: readonly OwnerReference[]): void {
    for (const { uid } of owners) if (this.#collection.waiting.has(uid)) this.#queue.add(uid);
  }
}

function hasPropagation(entry: Entry): boolean {
  const finalizers = entry.peek().metadata.finalizers ?? [];
  return finalizers.includes(ORPHAN) || finalizers.includes(FOREGROUND);
}
