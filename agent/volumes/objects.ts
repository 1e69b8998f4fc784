/** ConfigMaps and Secrets that pods of this node refer to: each is known by itself while a pod has use for it. */
import type { ConfigMap, Node, Secret } from "../../schema/api/core_v1.ts";
import type { Product } from "../../schema/product.ts";
import { type Api, ApiError, type Clock, type PodRef } from "../types.ts";
import { type Followed, type ObjectSource, STRATEGIES } from "./object_sources.ts";

/** How they are known. */
export interface ObjectOptions {
  readonly configMapAndSecretChangeDetectionStrategy: keyof typeof STRATEGIES;
  /** How long what was read counts with the strategy `Cache`, ms; a minute without. */
  readonly ttl?: () => number;
}

const TTL = 60_000, TTL_ANNOTATION = "node.alpha.kubernetes.io/ttl";

/** How long the node's object says that what was read counts, ms. */
export function objectTtl(node: Node, product: Product): number {
  const seconds = node.metadata?.annotations?.[product.local(TTL_ANNOTATION)] ?? "";
  return /^\d{1,9}$/.test(seconds) ? Number(seconds) * 1000 : TTL;
}

interface Item {
  readonly pods: Set<string>;
  readonly source: ObjectSource;
}

/** See the top of the file. A pod holds what was asked for it until {@linkcode ReferencedObjects.release}. */
export class ReferencedObjects {
  readonly #items = new Map<string, Item>();

  /** @param api undefined: the agent has no server */
  constructor(
    readonly api: Api | undefined,
    readonly clock: Clock,
    readonly options: ObjectOptions = { configMapAndSecretChangeDetectionStrategy: "Watch" },
  ) {}

  /** @throws ApiError `NotFound`, and an Error when the server does not say */
  configMap(pod: PodRef, name: string): Promise<ConfigMap> {
    return this.#get("configmap", pod, name);
  }

  /** @throws ApiError `NotFound`, and an Error when the server does not say */
  secret(pod: PodRef, name: string): Promise<Secret> {
    return this.#get("secret", pod, name);
  }

  /** The pod is no more. */
  release(uid: string): void {
    for (const [key, item] of this.#items) {
      if (!item.pods.delete(uid) || item.pods.size > 0) continue;
      item.source.stop();
      this.#items.delete(key);
    }
  }

  /** Follows nothing any more. */
  close(): void {
    for (const item of this.#items.values()) item.source.stop();
    this.#items.clear();
  }

  /** How many objects are held. */
  get size(): number {
    return this.#items.size;
  }

  async #get(kind: "configmap" | "secret", pod: PodRef, name: string): Promise<Followed> {
    if (!this.api) throw new Error("not supported due to running kubelet in standalone mode");
    const path = `/api/v1/namespaces/${encodeURIComponent(pod.namespace)}/${kind}s`;
    const { pods, source } = this.#item(this.api, path, kind, name);
    if (!pods.has(pod.uid)) {
      pods.add(pod.uid);
      source.joined();
    }
    const object = await source.get();
    if (!object) throw new ApiError(404, "NotFound", `${kind} ${JSON.stringify(name)} not found`);
    return object;
  }

  #item(api: Api, path: string, kind: string, name: string): Item {
    const key = `${path}/${name}`, known = this.#items.get(key);
    if (known) return known;
    const { clock, options: { configMapAndSecretChangeDetectionStrategy: strategy, ttl = () => TTL } } = this;
    const item = { pods: new Set<string>(), source: new STRATEGIES[strategy]({ api, clock, path, name, kind, ttl }) };
    this.#items.set(key, item);
    return item;
  }
}
