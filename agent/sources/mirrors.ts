/** Mirror pods: what the API server shows of pods that do not come from it. */
import type { Pod } from "../../schema/api/core_v1.ts";
import type { LogLine } from "../../schema/log/log.ts";
import type { Product } from "../../schema/product.ts";
import { type Api, ApiError, type Clock, hasCode } from "../types.ts";
import { HASH, MIRROR } from "./annotations.ts";

/** What mirrors need of the agent. */
export interface MirrorParts {
  readonly api: Api;
  readonly product: Product;
  readonly clock: Clock;
  readonly log: LogLine;
  readonly nodeName: string;
  /** The uid of this node's object; undefined: it is not there, or is being deleted. */
  nodeUid(): string | undefined;
  /** Whether all sources have said what they have: until then no mirror is one too many. */
  complete(): boolean;
  /** Whether anything of a static pod still runs, though its manifest has gone. */
  runs(namespace: string, name: string): boolean;
  /** Told that a mirror is there which was not: it has no status yet. */
  came(): void;
}

/** Pause between two looks at all, ms. */
const LOOK_MS = 10_000;
/** Before something that was refused is tried again, whatever comes, ms. */
const AGAIN_MS = 5_000;

/** Keeps one mirror a static pod. */
export class Mirrors {
  #statics: readonly Pod[] = [];
  #mirrors: readonly Pod[] = [];
  #look = new AbortController();
  /** By uid: when what was refused is tried again, ticks. */
  readonly #later = new Map<string, number>();

  constructor(readonly parts: MirrorParts) {}

  /** All static pods, and all mirrors that the API server has of this node. */
  take(statics: readonly Pod[], mirrors: readonly Pod[]): void {
    const known = new Set(this.#mirrors.map((m) => m.metadata!.uid));
    this.#statics = statics;
    this.#mirrors = mirrors;
    this.look();
    if (mirrors.some((m) => !known.has(m.metadata!.uid))) this.parts.came();
  }

  /** Looks at all again soon: a node came, or a pod ended. */
  look(): void {
    this.#look.abort();
  }

  /** The mirror of a static pod, if it is there and of this very pod. */
  of(pod: Pod): Pod | undefined {
    const mirror = this.#mirrors.find((m) => sameName(m, pod));
    return mirror && this.#stands(mirror, pod) ? mirror : undefined;
  }

  /** Makes and removes mirrors until the signal ends it. */
  async run(signal: AbortSignal): Promise<void> {
    const end = () => this.look();
    signal.addEventListener("abort", end, { once: true });
    while (!signal.aborted) {
      this.#look = new AbortController();
      for (const [uid, at] of this.#later) if (this.parts.clock.ticks() >= at) this.#later.delete(uid);
      for (const pod of this.#statics) if (!signal.aborted) await this.#try(pod, () => this.#keep(pod, signal));
      for (const mirror of this.#mirrors) {
        if (!signal.aborted && this.#left(mirror)) await this.#try(mirror, () => this.#remove(mirror, signal));
      }
      await this.parts.clock.wait(LOOK_MS, this.#look.signal);
    }
  }

  /** One that is refused is not tried again with each change of another pod. */
  async #try(pod: Pod, work: () => Promise<unknown>): Promise<void> {
    const { namespace, name, uid = "" } = pod.metadata!;
    if (this.#later.has(uid)) return;
    try {
      await work();
    } catch (e) {
      if (e instanceof ApiError) this.#later.set(uid, this.parts.clock.ticks() + AGAIN_MS);
      this.parts.log("error", "Failed to reconcile a mirror pod", { pod: `${namespace}/${name}`, err: text(e) });
    }
  }

  async #keep(pod: Pod, signal: AbortSignal): Promise<void> {
    const mirror = this.#mirrors.find((m) => sameName(m, pod));
    if (mirror) {
      if (!mirror.metadata!.deletionTimestamp && this.#stands(mirror, pod)) return;
      if (!await this.#remove(mirror, signal)) return;
    }
    const uid = this.parts.nodeUid();
    if (uid) await this.#create(pod, uid, signal);
  }

  async #create(pod: Pod, nodeUid: string, signal: AbortSignal): Promise<void> {
    const { api, product, nodeName } = this.parts;
    const metadata = {
      ...pod.metadata,
      annotations: { ...pod.metadata!.annotations, [product.local(MIRROR)]: this.#hash(pod) },
      ownerReferences: [{ apiVersion: "v1", kind: "Node", name: nodeName, uid: nodeUid, controller: true }],
    };
    delete metadata.uid;
    try {
      await api.request("POST", pathOf(pod, ""), { body: { ...pod, metadata }, signal });
    } catch (e) {
      if (!(e instanceof ApiError && e.reason === "AlreadyExists")) throw e;
      const there = await api.request<Pod>("GET", pathOf(pod), { signal });
      if (!this.#stands(there, pod)) throw e;
    }
  }

  /** True: it is gone; false: it was gone, or is another one. */
  async #remove(mirror: Pod, signal: AbortSignal): Promise<boolean> {
    const body = { gracePeriodSeconds: 0, preconditions: { uid: mirror.metadata!.uid } };
    try {
      await this.parts.api.request("DELETE", pathOf(mirror), { body, signal });
      return true;
    } catch (e) {
      if (hasCode(e, 404, 409)) return false;
      throw e;
    }
  }

  /** Nothing is left that it stands for. */
  #left(mirror: Pod): boolean {
    const { namespace, name } = mirror.metadata!;
    return this.parts.complete() && !this.#statics.some((pod) => sameName(mirror, pod)) &&
      !this.parts.runs(namespace!, name!);
  }

  #stands(mirror: Pod, pod: Pod): boolean {
    return mirror.metadata!.annotations?.[this.parts.product.local(MIRROR)] === this.#hash(pod);
  }

  #hash(pod: Pod): string {
    return pod.metadata!.annotations![this.parts.product.local(HASH)]!;
  }
}

const text = (e: unknown): string => (e as Error).message;
const sameName = (a: Pod, b: Pod): boolean =>
  a.metadata!.name === b.metadata!.name && a.metadata!.namespace === b.metadata!.namespace;

function pathOf({ metadata }: Pod, name = `/${metadata!.name}`): string {
  return `/api/v1/namespaces/${metadata!.namespace}/pods${name}`;
}
