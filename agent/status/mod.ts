/** Statuses of pods on their way to the API server. */
import { Registry } from "prom-client";
import type { Pod, PodStatus } from "../../schema/api/core_v1.ts";
import type { LogLine } from "../../schema/log/log.ts";
import type { Product } from "../../schema/product.ts";
import { nowTime } from "../../schema/values/time.ts";
import { type Api, type Clock, isNotFound, type StatusSink } from "../types.ts";
import { isTerminal } from "../pods/spec.ts";
import { isStatic } from "../sources/annotations.ts";
import { canonical, following, merged, sameOwn } from "./merge.ts";
import { statusTimes } from "./metrics.ts";
import { statusPatch } from "./patch.ts";

/** What statuses need of the agent. */
export interface StatusParts {
  readonly api: Api;
  readonly product: Product;
  readonly clock: Clock;
  readonly log: LogLine;
  /** A pod as its source has it now; undefined: it is gone from there. */
  seen(uid: string): Pod | undefined;
  /** What stands at the API server for a static pod. */
  mirror(pod: Pod): Pod | undefined;
  /** Absent: nobody reads figures. */
  readonly metrics?: Registry;
}

/** Pause between two looks at all, ms: what was not sent is tried again, what others changed is set right. */
const LOOK_MS = 10_000;

/** The newest status of a pod. */
interface Entry {
  pod: Pod;
  status: PodStatus;
  /** Raised with each status that differs. */
  version: number;
  /** When it first differed from what was sent, ticks. */
  since: number;
  /** The version that the API server has, of an object of that uid: a mirror may be made anew. */
  sent: { uid: string; version: number } | undefined;
  ended: boolean;
}

/** Keeps one status a pod, and sends what is new of it. */
export class StatusManager implements StatusSink {
  /** By uid. */
  readonly #entries = new Map<string, Entry>();
  readonly #took: (ms: number) => void;
  #wake = new AbortController();
  #all = false;

  constructor(readonly parts: StatusParts) {
    this.#took = statusTimes(parts.metrics ?? new Registry());
  }

  set(pod: Pod, status: PodStatus): void {
    const uid = pod.metadata!.uid!;
    const known = this.#entries.get(uid);
    const old = known?.status ??
      canonical((isStatic(pod, this.parts.product) ? this.parts.mirror(pod) : pod)?.status ?? {});
    const next = canonical(following(old, status));
    if (!known) {
      const since = this.parts.clock.ticks();
      this.#entries.set(uid, { pod, status: next, version: 1, since, sent: undefined, ended: false });
    } else {
      known.pod = pod;
      if (sameOwn(known.status, next)) return;
      known.status = next;
      this.#raise(known);
    }
    this.#wake.abort();
  }

  ended(pod: Pod): void {
    const { status } = this.#entries.get(pod.metadata!.uid!) ?? {};
    const last = status ?? pod.status ?? {};
    // Whatever was said before, nothing of it runs any more.
    this.set(pod, isTerminal(last.phase) || isStatic(pod, this.parts.product) ? last : { ...last, phase: "Failed" });
    const entry = this.#entries.get(pod.metadata!.uid!)!;
    if (entry.ended) return;
    entry.ended = true;
    this.#raise(entry);
    this.#wake.abort();
  }

  #raise(entry: Entry): void {
    if (entry.sent?.version === entry.version) entry.since = this.parts.clock.ticks();
    entry.version++;
  }

  /** The newest status of a pod, sent or not. */
  get(uid: string): PodStatus | undefined {
    return this.#entries.get(uid)?.status;
  }

  /** Looks at all soon: a mirror came, or the API server is there again. */
  look(): void {
    this.#all = true;
    this.#wake.abort();
  }

  /** Sends until the signal ends it. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.parts;
    const end = () => this.#wake.abort();
    signal.addEventListener("abort", end, { once: true });
    let due = clock.ticks() + LOOK_MS;
    while (!signal.aborted) {
      this.#wake = new AbortController();
      const all = this.#all || clock.ticks() >= due;
      this.#all = false;
      if (all) due = clock.ticks() + LOOK_MS;
      for (const [uid, entry] of [...this.#entries]) {
        if (!signal.aborted && this.#needs(uid, entry, all)) await this.#send(uid, entry, signal);
        if (all && !this.parts.seen(uid)) this.#entries.delete(uid);
      }
      await clock.wait(Math.max(0, due - clock.ticks()), this.#wake.signal);
    }
  }

  #needs(uid: string, { pod, status, version, sent, ended }: Entry, all: boolean): boolean {
    const seen = this.parts.seen(uid);
    if (!seen) return false;
    if (!all) return sent?.version !== version;
    const there = isStatic(pod, this.parts.product) ? this.parts.mirror(seen) : seen;
    if (sent?.version !== version || ended && !!seen.metadata?.deletionTimestamp) return true;
    return !!there && (there.metadata!.uid !== sent.uid || !sameOwn(canonical(there.status ?? {}), status));
  }

  async #send(uid: string, entry: Entry, signal: AbortSignal): Promise<void> {
    const { namespace, name } = entry.pod.metadata!;
    try {
      if (!await this.#sync(uid, entry, signal)) this.#entries.delete(uid);
    } catch (e) {
      if (signal.aborted) return;
      const err = (e as Error).message;
      this.parts.log("error", "Failed to update status for pod", { pod: `${namespace}/${name}`, uid, err });
    }
  }

  /** False: nothing more is to be said of the pod. */
  async #sync(uid: string, entry: Entry, signal: AbortSignal): Promise<boolean> {
    const { api, clock } = this.parts;
    const { namespace, name } = entry.pod.metadata!;
    const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
    const ofMirror = isStatic(entry.pod, this.parts.product);
    const { version, status, ended } = entry;
    try {
      let there = await api.request<Pod>("GET", path, { signal });
      const thereUid = there.metadata!.uid!;
      // Of a mirror of another pod nothing is said: it will be made anew.
      if (ofMirror ? this.parts.mirror(entry.pod)?.metadata?.uid !== thereUid : thereUid !== uid) return ofMirror;
      const old = canonical(there.status ?? {});
      const patch = statusPatch(old, canonical(merged(old, status, nowTime(clock.now()))));
      if (patch) {
        const body = { metadata: { uid: thereUid }, status: patch };
        there = await api.request<Pod>("PATCH", `${path}/status`, { patch: STRATEGIC, body, signal });
      }
      if (entry.sent?.version !== version) this.#took(clock.ticks() - entry.since);
      entry.sent = { uid: thereUid, version };
      if (ofMirror || !ended || !there.metadata!.deletionTimestamp) return true;
      const preconditions = { uid };
      await api.request("DELETE", path, { body: { gracePeriodSeconds: 0, preconditions }, signal });
      return false;
    } catch (e) {
      if (isNotFound(e)) return ofMirror;
      // A conflict may be with another's write as well as with another pod: the next look tells.
      throw e;
    }
  }
}

const STRATEGIC = "application/strategic-merge-patch+json";
