/** What is done for one object of the graph of owners and dependants. */
import type { ObjectMeta } from "../../../schema/model/types.ts";
import { isNotFound } from "../../../schema/status.ts";
import type { Resource } from "../../catalog/types.ts";
import type { Caller } from "../../registry/context.ts";
import { isStored } from "../../registry/registries.ts";
import { isConflict } from "../caller.ts";
import type { ControllerContext } from "../types.ts";
import type { ExtensionResources } from "./extension_resources.ts";
import { type CollectedObjects, type Found, StoredObjects } from "./objects.ts";
import { type Dependant, OwnerGraph, type OwnerReference, type Place } from "./owner_graph.ts";

/** The finalizer by which an owner waits until its dependants are let go. */
export const ORPHAN = "orphan";
/** The finalizer by which an owner waits until its dependants are gone. */
export const FOREGROUND = "foregroundDeletion";

/** Wait after somebody else was faster (ms). */
const SOON_MS = 10;

/** How an owner stands: `unknown` when its kind is not served, or cannot own such a dependant. */
type OwnerState = "here" | "waiting" | "absent" | "unknown";

/** See the top of the file. */
export class Collection {
  readonly graph = new OwnerGraph();
  /** Objects in deletion that wait for their dependants to go, or to be let go. */
  readonly waiting = new Map<string, Place>();
  readonly #unknown = new Set<string>();
  /** Resources of this server's own store by version and kind, as long as its catalog stays. */
  readonly #kinds = new Map<string, Resource | undefined>();
  #generation = -1;

  constructor(
    readonly ctx: ControllerContext,
    readonly caller: Caller,
    readonly extensions: ExtensionResources | undefined,
    readonly ready: () => boolean,
    readonly add: (uid: string) => void,
  ) {}

  /** Objects that have an owner of a kind that was not served; asked for once. */
  takeUnknown(): string[] {
    const out = [...this.#unknown];
    this.#unknown.clear();
    return out;
  }

  /** Does what is to be done for an object now; a number asks to come back after so many ms. @throws StatusError */
  async settle(uid: string): Promise<number | void> {
    const place = this.waiting.get(uid) ?? this.graph.node(uid);
    if (!place) return;
    const objects = this.#objects(place);
    try {
      const found = await objects?.find(place.namespace, place.name);
      if (!objects || found?.metadata.uid !== uid) return this.#forget(uid);
      return await this.#settle(objects, place, found);
    } catch (e) {
      if (isConflict(e)) return SOON_MS;
      if (!isNotFound(e)) throw e;
    }
  }

  /** Nothing is known of a resource's objects any more: nobody waits for them. */
  forgetAll(resourceId: string): void {
    for (const { uid, ...place } of [...this.waiting.values()]) {
      if (place.resourceId === resourceId) this.waiting.delete(uid);
    }
    for (const node of [...this.graph.nodes()]) {
      if (node.resourceId !== resourceId) continue;
      this.graph.delete(node.uid);
      this.wake(node.owners);
    }
  }

  /** Owners that wait for dependants may have one less. */
  wake(owners: readonly OwnerReference[]): void {
    for (const { uid } of owners) if (this.waiting.has(uid)) this.add(uid);
  }

  #forget(uid: string): void {
    this.graph.delete(uid);
    this.waiting.delete(uid);
  }

  #objects({ resourceId }: Place): CollectedObjects | undefined {
    const store = this.ctx.registries.byId(resourceId);
    return store ? new StoredObjects(this.ctx, store, this.caller) : this.extensions?.byId(resourceId);
  }

  async #settle(objects: CollectedObjects, place: Place, found: Found): Promise<number | void> {
    const { deletionTimestamp, finalizers = [] } = found.metadata;
    if (deletionTimestamp) {
      if (finalizers.includes(ORPHAN)) return await this.#orphan(objects, place);
      if (finalizers.includes(FOREGROUND)) return await this.#foreground(objects, place);
      return;
    }
    const node = this.graph.node(place.uid);
    if (node) return await this.#collect(objects, node, found);
  }

  /** Dependants lose their reference, then the owner may go. */
  async #orphan(objects: CollectedObjects, owner: Place): Promise<void> {
    this.#mustBeReady();
    for (const d of [...this.graph.dependants(owner.uid)]) {
      await this.#editOwners(d, (refs) => refs.filter((r) => r.uid !== owner.uid));
    }
    await dropFinalizer(objects, owner, ORPHAN);
  }

  /** Dependants are deleted; the owner goes once none is left that blocks it. */
  async #foreground(objects: CollectedObjects, owner: Place): Promise<void> {
    this.#mustBeReady();
    const dependants: Dependant[] = [];
    for (const d of [...this.graph.dependants(owner.uid)]) if (await this.#exists(d)) dependants.push(d);
    const blocks = (d: Dependant) => d.owners.some((r) => r.uid === owner.uid && r.blockOwnerDeletion);
    if (!dependants.some(blocks)) return await dropFinalizer(objects, owner, FOREGROUND);
    for (const d of dependants) if (!this.waiting.has(d.uid)) this.add(d.uid);
  }

  #mustBeReady(): void {
    if (!this.ready()) throw new Error("not all objects are known yet");
  }

  async #exists(d: Dependant): Promise<boolean> {
    const found = await this.#objects(d)?.find(d.namespace, d.name);
    const there = found?.metadata.uid === d.uid;
    if (!there) this.graph.delete(d.uid);
    return there;
  }

  async #collect(objects: CollectedObjects, node: Dependant, found: Found): Promise<void> {
    const states = new Map<OwnerReference, OwnerState>();
    for (const ref of node.owners) states.set(ref, await this.#stateOf(ref, node));
    const all = [...states.values()];
    if (all.includes("unknown")) this.#unknown.add(node.uid);
    if (all.includes("here") || all.includes("unknown")) {
      const gone = new Set(
        node.owners.filter((r) => states.get(r) !== "here" && states.get(r) !== "unknown").map((r) => r.uid),
      );
      if (gone.size > 0) await this.#editOwners(node, (refs) => refs.filter((r) => !gone.has(r.uid)));
      return;
    }
    const waited = all.includes("waiting") && this.graph.dependants(node.uid).size > 0;
    if (waited) await this.#breakCycle(node);
    const propagationPolicy = waited ? "Foreground" : ownPolicy(found.metadata);
    // Owners may have been given to it meanwhile: then the version has moved.
    const resourceVersion = propagationPolicy === "Foreground" ? {} : { resourceVersion: found.version };
    const { uid, resourceId, namespace, name } = node;
    const say = this.ctx.verbose("garbage_collector", 2);
    say?.(`deletes ${resourceId} ${namespace}/${name}`, { propagationPolicy });
    await objects.remove(node, { propagationPolicy, preconditions: { uid, ...resourceVersion } });
  }

  /** An object whose own dependants are waiting for theirs must not block anybody: they may be its owners. */
  async #breakCycle(node: Dependant): Promise<void> {
    const circular = [...this.graph.dependants(node.uid)].some((d) => this.waiting.has(d.uid));
    if (circular) await this.#editOwners(node, (refs) => refs.map((r) => ({ ...r, blockOwnerDeletion: false })));
  }

  async #stateOf(ref: OwnerReference, dependant: Place): Promise<OwnerState> {
    const owners = this.#ofKind(ref.apiVersion, ref.kind);
    if (!owners || owners.namespaced && dependant.namespace === "") return "unknown";
    const found = await owners.certain(owners.namespaced ? dependant.namespace : "", ref.name, ref.uid);
    if (!found) return "absent";
    const { deletionTimestamp, finalizers } = found.metadata;
    return deletionTimestamp && finalizers?.includes(FOREGROUND) ? "waiting" : "here";
  }

  #ofKind(apiVersion: string, kind: string): CollectedObjects | undefined {
    const { catalog, registries } = this.ctx;
    if (this.#generation !== catalog.generation) this.#kinds.clear();
    this.#generation = catalog.generation;
    const key = `${apiVersion}/${kind}`;
    const [group, version] = apiVersion.includes("/") ? apiVersion.split("/") as [string, string] : ["", apiVersion];
    if (!this.#kinds.has(key)) {
      const resource = (catalog.byKind(group, kind, version) ?? catalog.byKind(group, kind))?.resource;
      this.#kinds.set(key, resource && isStored(resource) ? resource : undefined);
    }
    const resource = this.#kinds.get(key);
    if (!resource) return this.extensions?.byKind(group, kind);
    return new StoredObjects(this.ctx, registries.store(resource), this.caller);
  }

  async #editOwners(d: Place, edit: (refs: readonly OwnerReference[]) => OwnerReference[]): Promise<void> {
    await this.#objects(d)?.edit(d, ({ ownerReferences: refs = [] }) => {
      const next = edit(refs);
      return JSON.stringify(next) === JSON.stringify(refs) ? undefined : { ownerReferences: next };
    });
  }
}

async function dropFinalizer(objects: CollectedObjects, place: Place, name: string): Promise<void> {
  await objects.edit(place, ({ finalizers = [] }) => ({ finalizers: finalizers.filter((f) => f !== name) }));
}

/** The policy that an object's finalizers ask for. */
function ownPolicy({ finalizers = [] }: ObjectMeta): string {
  return finalizers.includes(ORPHAN) ? "Orphan" : finalizers.includes(FOREGROUND) ? "Foreground" : "Background";
}
