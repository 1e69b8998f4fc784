/** Hearing of the objects of all stored resources, of those that come later too. One that is defined anew has a new cache. */
import type { ResourceCache } from "../cache/mod.ts";
import type { Resource } from "../catalog/types.ts";
import { follow, type Follower } from "./follow.ts";
import { storedResource, storedResources } from "./stored.ts";
import type { ControllerContext } from "./types.ts";

/** A cache that the catalog names is looked for again after so long (ms). */
const LATER_MS = 500;

/** See the top of the file. */
export class FollowedResources {
  /** By prefix of their keys. */
  readonly #caches = new Map<string, ResourceCache>();
  /** Prefixes of what was loaded before. */
  readonly #loaded = new Set<string>();
  #later: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly ctx: Pick<ControllerContext, "catalog" | "registries">,
    readonly wanted: (resource: Resource) => boolean,
    readonly follower: (resource: Resource) => Follower,
    /** Hears that a resource was loaded anew. */
    readonly anew: (resource: Resource) => void = () => {},
  ) {}

  /** Begins; ends when the signal aborts. */
  start(signal: AbortSignal): void {
    this.#followAll(signal);
    const stop = this.ctx.catalog.onChange(({ prefix }) => queueMicrotask(() => this.#changed(prefix, signal)));
    signal.addEventListener("abort", () => {
      stop();
      clearTimeout(this.#later);
    }, { once: true });
  }

  /** Whether all that is followed is loaded. */
  get ready(): boolean {
    this.#forgetClosed();
    for (const cache of this.#caches.values()) if (!cache.ready) return false;
    return true;
  }

  /** Caches of resources that are gone are let go. */
  #forgetClosed(): void {
    for (const prefix of this.#caches.keys()) this.#forgetIfClosed(prefix);
  }

  #forgetIfClosed(prefix: string): void {
    if (this.#caches.get(prefix)?.readiness.state === "closed") this.#caches.delete(prefix);
  }

  /** What is stored under a prefix came, went or changed; the others are as they were. */
  #changed(prefix: string, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#forgetIfClosed(prefix);
    const resource = storedResource(this.ctx.catalog, prefix);
    if (resource && this.wanted(resource) && !this.#follow(resource, signal)) this.#lookLater(signal);
  }

  #lookLater(signal: AbortSignal): void {
    clearTimeout(this.#later);
    this.#later = setTimeout(() => this.#followAll(signal), LATER_MS);
  }

  #followAll(signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#forgetClosed();
    const all = storedResources(this.ctx.catalog).filter(this.wanted).map((r) => this.#follow(r, signal));
    if (!all.every(Boolean)) this.#lookLater(signal);
  }

  #told(resource: Resource): void {
    if (this.#loaded.has(resource.prefix)) this.anew(resource);
    else this.#loaded.add(resource.prefix);
  }

  /** False when its cache is not made yet. */
  #follow(resource: Resource, signal: AbortSignal): boolean {
    const store = storeOf(() => this.ctx.registries.store(resource));
    if (!store) return false;
    if (this.#caches.get(resource.prefix) === store.cache) return true;
    this.#caches.set(resource.prefix, store.cache);
    follow(store, signal, this.follower(resource), () => this.#told(resource));
    return true;
  }
}

/** A value, or undefined where its making throws. */
function storeOf<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
