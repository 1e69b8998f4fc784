/** ConfigMaps and Secrets that pods of this node refer to: each is followed by itself while a pod has use for it. */
import type { ConfigMap, Secret } from "../../schema/api/core_v1.ts";
import { type Api, ApiError, type Clock, type PodRef } from "../types.ts";

type Kind = "configmap" | "secret";
type Followed = ConfigMap | Secret;

/** Longest wait for the first answer, ms. */
const FIRST_ANSWER = 5_000;
/** An object that nobody asked for in so long is no longer followed, ms; it is again when somebody does. */
const IDLE = 5 * 60_000;

class Item {
  readonly pods = new Set<string>();
  object: Followed | undefined;
  #run: { readonly abort: AbortController; readonly known: Promise<void> } | undefined;
  #asked = 0;
  #final = false;

  constructor(readonly api: Api, readonly clock: Clock, readonly path: string, readonly name: string) {}

  /** True once the server has said what there is. */
  async known(): Promise<boolean> {
    this.#asked = this.clock.now();
    if (this.#final) return true;
    const { abort, known } = this.#run ??= this.#follow();
    const end = new AbortController();
    const time = this.clock.wait(FIRST_ANSWER, AbortSignal.any([end.signal, abort.signal])).then(() => false);
    const answered = await Promise.race([known.then(() => true), time]);
    end.abort();
    return answered;
  }

  /** What cannot change need not be followed. */
  settle(): void {
    this.stop();
    this.#final = true;
  }

  stop(): void {
    this.#run?.abort.abort();
    this.#run = undefined;
  }

  #follow() {
    const abort = new AbortController();
    const known = Promise.withResolvers<void>();
    const take = (object: Followed | undefined) => {
      if (abort.signal.aborted) return;
      this.object = object;
      known.resolve();
    };
    const to = {
      replace: ([object]: readonly Followed[]) => take(object),
      changed: (type: string, object: Followed) => take(type === "DELETED" ? undefined : object),
    };
    this.api.follow<Followed>(this.path, { fieldSelector: `metadata.name=${this.name}` }, to, abort.signal)
      .catch(() => this.stop());
    void this.#rest(abort);
    return { abort, known: known.promise };
  }

  async #rest(abort: AbortController): Promise<void> {
    while (!abort.signal.aborted) {
      await this.clock.wait(IDLE, abort.signal);
      if (!abort.signal.aborted && this.clock.now() - this.#asked >= IDLE) this.stop();
    }
  }
}

/** See the top of the file. A pod holds what was asked for it until {@linkcode ReferencedObjects.release}. */
export class ReferencedObjects {
  readonly #items = new Map<string, Item>();

  /** @param api undefined: the agent has no server */
  constructor(readonly api: Api | undefined, readonly clock: Clock) {}

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
      item.stop();
      this.#items.delete(key);
    }
  }

  /** Follows nothing any more. */
  close(): void {
    for (const item of this.#items.values()) item.stop();
    this.#items.clear();
  }

  /** How many objects are held. */
  get size(): number {
    return this.#items.size;
  }

  async #get(kind: Kind, pod: PodRef, name: string): Promise<Followed> {
    if (!this.api) throw new Error("not supported due to running kubelet in standalone mode");
    const path = `/api/v1/namespaces/${encodeURIComponent(pod.namespace)}/${kind}s`;
    const key = `${path}/${name}`;
    let item = this.#items.get(key);
    if (!item) this.#items.set(key, item = new Item(this.api, this.clock, path, name));
    item.pods.add(pod.uid);
    if (!await item.known()) throw new Error(`failed to sync ${kind} cache: timed out waiting for the condition`);
    const { object } = item;
    if (!object) throw new ApiError(404, "NotFound", `${kind} ${JSON.stringify(name)} not found`);
    if (object.immutable) item.settle();
    return object;
  }
}

/** Whether a reference leads nowhere because there is no such object. */
export const isNotFound = (e: unknown): boolean => e instanceof ApiError && e.code === 404;
