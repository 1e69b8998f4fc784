/**
 * Garbage collection of dependants by owner references: in the background, in the foreground with owners that wait for
 * dependants that block them, and orphaning (specification, "Object deletion").
 *
 * One graph of who is owned by whom follows the watch caches, and watches of extension servers. Work is by uid: an object that is being deleted settles its
 * dependants, any other one that names owners asks whether one of them is still there. An owner in another namespace
 * than its dependant's counts as absent; one of a kind that nobody serves is left alone until somebody does.
 */
import type { ObjectMeta } from "../../../schema/model/types.ts";
import type { Entry } from "../../cache/mod.ts";
import type { Resource } from "../../catalog/types.ts";
import { controllerCaller, controllerUser } from "../caller.ts";
import { FollowedResources } from "../followed.ts";
import { type WorkQueue, workQueue } from "../queue.ts";
import type { Controller, ControllerContext } from "../types.ts";
import { Collection, FOREGROUND, ORPHAN } from "./collection.ts";
import { FollowedExtensions } from "./extension_follow.ts";
import { ExtensionResources } from "./extension_resources.ts";
import { ownerFacts, sameOwnerBytes } from "./owner_facts.ts";
import { type Dependant, type Place, sameOwners } from "./owner_graph.ts";

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
    const ctx = this.#ctx, user = controllerUser(ctx, "generic-garbage-collector");
    const resources = ctx.extensions && new ExtensionResources(ctx.extensions, {
      reach: ctx.extensions.reach,
      user,
      metaGroup: ctx.product.local("meta.k8s.io"),
    });
    const followed = resources && new FollowedExtensions(ctx, resources, {
      changed: (objects, metadata, deleted) => this.#heard(objects.resourceId, metadata, deleted),
      relisted: ({ resourceId, of }, uids) => this.#listedAnew(resourceId, of.kind, ({ uid }) => uids.has(uid)),
      left: (resourceId) => this.#collection.forgetAll(resourceId),
    });
    const collection = this.#collection = new Collection(
      ctx,
      controllerCaller(user, signal),
      resources,
      () => this.#followed.ready && followed?.ready !== false,
      (uid) => queue.add(uid),
    );
    const queue = this.#queue = workQueue(ctx, "garbage-collector", {
      workers: WORKERS,
      onError: (uid, e) => ctx.log("warn", `the object with uid ${uid} cannot be collected yet`, e),
      work: (uid) => collection.settle(uid),
    });
    this.#followed.start(signal);
    const stop = ctx.catalog.onChange(() => this.#kindsChanged());
    const stopExtensions = ctx.extensions?.discovery.onChange(() => {
      resources!.refresh();
      followed!.refresh();
      this.#kindsChanged();
    });
    signal.addEventListener("abort", () => {
      stop();
      stopExtensions?.();
    }, { once: true });
    resources?.refresh();
    followed?.start(signal);
    queue.start(signal);
  }

  /** Kinds may have come: what waits for an owner of such a kind is looked at again. */
  #kindsChanged(): void {
    for (const uid of this.#collection.takeUnknown()) this.#queue.add(uid);
  }

  #see(resourceId: string, entry: Entry, deleted: boolean, previous: Entry | undefined): void {
    const facts = ownerFacts(entry);
    if (!facts || facts.uid === "") return;
    const { uid } = facts, { namespace, name } = entry, place = { uid, resourceId, namespace, name };
    if (deleted) return this.#gone(uid);
    this.#deleting(place, facts.deleting ? entry.peek().metadata : undefined);
    const { graph } = this.#collection;
    if (!facts.owned && !graph.node(uid)) return;
    // Most changes leave the owners as they were: that is told without decoding the object.
    if (graph.node(uid) && previous && sameOwnerBytes(entry, previous)) return;
    this.#owned(place, facts.owned ? entry.peek().metadata : {}, previous === undefined);
  }

  /** The same of an extension server's object. */
  #heard(resourceId: string, metadata: ObjectMeta, deleted: boolean): void {
    const { uid, name, namespace = "" } = metadata;
    if (!uid || !name) return;
    if (deleted) return this.#gone(uid);
    const place = { uid, resourceId, namespace, name };
    this.#deleting(place, metadata.deletionTimestamp ? metadata : undefined);
    this.#owned(place, metadata, false);
  }

  /** @param metadata of an object whose deletion was asked for */
  #deleting(place: Place, metadata: ObjectMeta | undefined): void {
    const { waiting } = this.#collection;
    if (!metadata?.finalizers?.some((f) => f === ORPHAN || f === FOREGROUND)) return void waiting.delete(place.uid);
    waiting.set(place.uid, place);
    this.#queue.add(place.uid);
  }

  /** @param anyway whether the object is looked at even where its owners are as they were */
  #owned(place: Place, { ownerReferences = [] }: ObjectMeta, anyway: boolean): void {
    const { graph } = this.#collection, { uid } = place, old = graph.node(uid);
    if (!old && ownerReferences.length === 0) return;
    if (old && !anyway && sameOwners(old.owners, ownerReferences)) return;
    if (ownerReferences.length > 0) graph.set({ ...place, owners: ownerReferences });
    else graph.delete(uid);
    if (old) this.#collection.wake(old.owners);
    if (ownerReferences.length > 0) this.#queue.add(uid);
  }

  #loadedAnew({ id, storageKind: { kind } }: Resource): void {
    const cache = this.#ctx.registries.byId(id)?.cache;
    if (!cache?.ready) return;
    this.#listedAnew(id, kind, ({ uid, namespace, name }) => cache.get(namespace, name)?.uid === uid);
  }

  /** Objects may have gone while nobody told: their dependants, and owners that wait for them, are looked at again. */
  #listedAnew(id: string, kind: string, there: (node: Dependant) => boolean): void {
    for (const node of this.#collection.graph.nodes()) {
      if (node.resourceId === id && !there(node)) this.#gone(node.uid);
      else if (node.owners.some((o) => o.kind === kind)) this.#queue.add(node.uid);
    }
  }

  #gone(uid: string): void {
    const { graph, waiting } = this.#collection;
    waiting.delete(uid);
    const old = graph.delete(uid);
    for (const dependant of graph.dependants(uid)) this.#queue.add(dependant.uid);
    if (old) this.#collection.wake(old.owners);
  }
}
