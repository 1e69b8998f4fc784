/** What is done for one object of the graph of owners and dependants. */
import type { Obj } from "../../schema/model/types.ts";
import type { Entry } from "../cache/mod.ts";
import type { ServedResource } from "../catalog/types.ts";
import type { Caller } from "../registry/context.ts";
import { isStored } from "../registry/registries.ts";
import type { Store } from "../registry/store.ts";
import { AS_CONTROLLER, controllerCaller, controllerUser, deleteAs, isConflict, isNotFound } from "./caller.ts";
import { type Dependant, OwnerGraph, type OwnerReference, type Place } from "./owner_graph.ts";
import type { ControllerContext } from "./types.ts";

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
  readonly #kinds = new Map<string, ServedResource | undefined>();
  #generation = -1;
  readonly #caller: Caller;

  constructor(
    readonly ctx: ControllerContext,
    signal: AbortSignal,
    readonly ready: () => boolean,
    readonly add: (uid: string) => void,
  ) {
    this.#caller = controllerCaller(controllerUser(ctx, "generic-garbage-collector"), signal);
  }

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
    const store = this.ctx.registries.byId(place.resourceId);
    const entry = store?.cache.get(place.namespace, place.name);
    if (!store || !entry || entry.uid !== uid) return this.#forget(uid);
    try {
      return await this.#settle(store, entry, entry.peek());
    } catch (e) {
      if (isConflict(e)) return SOON_MS;
      if (!isNotFound(e)) throw e;
    }
  }

  #forget(uid: string): void {
    this.graph.delete(uid);
    this.waiting.delete(uid);
  }

  async #settle(store: Store, entry: Entry, obj: Obj): Promise<number | void> {
    const finalizers = obj.metadata.finalizers ?? [];
    if (obj.metadata.deletionTimestamp) {
      if (finalizers.includes(ORPHAN)) return await this.#orphan(store, entry);
      if (finalizers.includes(FOREGROUND)) return await this.#foreground(store, entry);
      return;
    }
    const node = this.graph.node(entry.uid);
    if (node) return await this.#collect(store, entry, obj, node);
  }

  /** Dependants lose their reference, then the owner may go. */
  async #orphan(store: Store, owner: Entry): Promise<void> {
    this.#mustBeReady();
    const { uid } = owner;
    for (const d of [...this.graph.dependants(uid)]) {
      await this.#editOwners(d, (refs) => refs.filter((r) => r.uid !== uid));
    }
    await this.#dropFinalizer(store, owner, ORPHAN);
  }

  /** Dependants are deleted; the owner goes once none is left that blocks it. */
  async #foreground(store: Store, owner: Entry): Promise<void> {
    this.#mustBeReady();
    const dependants = [...this.graph.dependants(owner.uid)].filter((d) => this.#exists(d));
    const blocks = (d: Dependant) => d.owners.some((r) => r.uid === owner.uid && r.blockOwnerDeletion);
    if (!dependants.some(blocks)) return await this.#dropFinalizer(store, owner, FOREGROUND);
    for (const d of dependants) if (!this.waiting.has(d.uid)) this.add(d.uid);
  }

  #mustBeReady(): void {
    if (!this.ready()) throw new Error("not all objects are known yet");
  }

  #exists(d: Dependant): boolean {
    const there = this.ctx.registries.byId(d.resourceId)?.cache.get(d.namespace, d.name)?.uid === d.uid;
    if (!there) this.graph.delete(d.uid);
    return there;
  }

  async #collect(store: Store, entry: Entry, obj: Obj, node: Dependant): Promise<void> {
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
    const policy = waited ? "Foreground" : ownPolicy(obj);
    await this.#delete(store, entry, obj, policy);
  }

  /** An object whose own dependants are waiting for theirs must not block anybody: they may be its owners. */
  async #breakCycle(node: Dependant): Promise<void> {
    const circular = [...this.graph.dependants(node.uid)].some((d) => this.waiting.has(d.uid));
    if (circular) await this.#editOwners(node, (refs) => refs.map((r) => ({ ...r, blockOwnerDeletion: false })));
  }

  async #delete(store: Store, entry: Entry, obj: Obj, propagationPolicy: string): Promise<void> {
    const current = store.cache.get(entry.namespace, entry.name);
    if (!current || current.uid !== entry.uid) return;
    // Owners may have been given to it meanwhile: then the version has moved.
    const resourceVersion = propagationPolicy === "Foreground" ? undefined : String(entry.revision);
    const preconditions = { uid: obj.metadata.uid!, ...(resourceVersion ? { resourceVersion } : {}) };
    const say = this.ctx.verbose("garbage_collector", 2);
    say?.(`deletes ${store.resource.id} ${entry.namespace}/${entry.name}`, { propagationPolicy });
    await deleteAs(this.ctx, this.#caller, store, entry.namespace, entry.name, { propagationPolicy, preconditions });
  }

  async #stateOf(ref: OwnerReference, dependant: Place): Promise<OwnerState> {
    const served = this.#served(ref.apiVersion, ref.kind);
    if (!served || !isStored(served.resource)) return "unknown";
    const { resource } = served;
    if (resource.namespaced && dependant.namespace === "") return "unknown";
    const store = this.ctx.registries.store(resource);
    const find = () => store.cache.get(resource.namespaced ? dependant.namespace : "", ref.name);
    const cached = find();
    if (cached?.uid !== ref.uid) await store.fresh(this.#caller.signal);
    const entry = find();
    if (entry?.uid !== ref.uid) return "absent";
    const m = entry.peek().metadata;
    return m.deletionTimestamp && m.finalizers?.includes(FOREGROUND) ? "waiting" : "here";
  }

  #served(apiVersion: string, kind: string): ServedResource | undefined {
    const { catalog } = this.ctx;
    if (this.#generation !== catalog.generation) this.#kinds.clear();
    this.#generation = catalog.generation;
    const key = `${apiVersion}/${kind}`;
    if (!this.#kinds.has(key)) {
      const [group, version] = apiVersion.includes("/") ? apiVersion.split("/") as [string, string] : ["", apiVersion];
      this.#kinds.set(key, catalog.byKind(group, kind, version) ?? catalog.byKind(group, kind));
    }
    return this.#kinds.get(key);
  }

  async #editOwners(d: Place, edit: (refs: readonly OwnerReference[]) => OwnerReference[]): Promise<void> {
    await this.#edit(d, (obj) => {
      const refs = (obj.metadata.ownerReferences ?? []) as unknown as OwnerReference[];
      const next = edit(refs);
      if (JSON.stringify(next) === JSON.stringify(refs)) return undefined;
      const { ownerReferences: _, ...metadata } = obj.metadata;
      return { ...obj, metadata: next.length > 0 ? { ...metadata, ownerReferences: next } : metadata } as Obj;
    });
  }

  async #dropFinalizer(store: Store, entry: Entry, name: string): Promise<void> {
    const place = { resourceId: store.resource.id, uid: entry.uid, namespace: entry.namespace, name: entry.name };
    await this.#edit(place, (obj) => {
      const finalizers = obj.metadata.finalizers?.filter((f) => f !== name) ?? [];
      const { finalizers: _, ...metadata } = obj.metadata;
      return { ...obj, metadata: finalizers.length > 0 ? { ...metadata, finalizers } : metadata } as Obj;
    });
  }

  /** Changes an object if it is still the same one; one that is gone is fine. */
  async #edit(place: Place, change: (obj: Obj) => Obj | undefined): Promise<void> {
    try {
      await this.ctx.registries.live.update(
        place.resourceId,
        place.namespace,
        place.name,
        (obj) => obj.metadata.uid === place.uid ? change(obj) : undefined,
        AS_CONTROLLER,
      );
    } catch (e) {
      if (!isNotFound(e)) throw e;
    }
  }
}

/** The policy that an object's finalizers ask for. */
function ownPolicy(obj: Obj): string {
  const finalizers = obj.metadata.finalizers ?? [];
  return finalizers.includes(ORPHAN) ? "Orphan" : finalizers.includes(FOREGROUND) ? "Foreground" : "Background";
}
