/** Events about pods and the node, sent to the API server as it has time. */
import type { Event, ObjectReference, Pod } from "../../schema/api/core_v1.ts";
import type { LogLine } from "../../schema/log/log.ts";
import type { Product } from "../../schema/product.ts";
import { dnsSubdomain } from "../../schema/values/names.ts";
import { type RandomBytes, uuid } from "../../schema/values/random.ts";
import { nowTime } from "../../schema/values/time.ts";
import type { ApiClient } from "../client/mod.ts";
import type { Api, Clock, Events } from "../types.ts";
import { correlator } from "./correlate.ts";
import { deliver } from "./deliver.ts";

/** Events that wait; more are dropped. */
const MAX_WAITING = 1000;
const TIMEOUT_MS = 30_000;
const DEFAULT_BURST = 100;

/** What events are sent with. */
export interface EventOptions {
  readonly product: Product;
  readonly nodeName: string;
  /** Of the node's object; undefined while it is not known. */
  nodeUid(): string | undefined;
  /** Requests a second; 0: no limit. */
  readonly eventQps: number;
  /** At once after a quiet time; 0: 100. */
  readonly eventBurst: number;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: LogLine;
}

/** Events that are on their way. */
export interface EventQueue extends Events {
  /** Sends what is told, until the signal ends it. */
  run(signal: AbortSignal): Promise<void>;
}

/** Who says so. */
export const eventSource = (product: Product): string => product.dialect === "orch" ? "orchlet" : "kubelet";

/** @param client without: nobody hears of them (a node of its own) */
export function openEvents(client: Pick<ApiClient, "paced"> | undefined, options: EventOptions): EventQueue {
  const pacing = { qps: options.eventQps, burst: options.eventBurst || DEFAULT_BURST, timeoutMs: TIMEOUT_MS };
  return new WaitingEvents(client?.paced(pacing), options);
}

class WaitingEvents implements EventQueue {
  readonly #api: Api | undefined;
  readonly #options: EventOptions;
  readonly #component: string;
  readonly #correlated = correlator();
  readonly #waiting: Event[] = [];
  #wake = () => {};
  #count = 0;

  constructor(api: Api | undefined, options: EventOptions) {
    this.#api = api;
    this.#options = options;
    this.#component = eventSource(options.product);
  }

  pod({ metadata }: Pod, type: "Normal" | "Warning", reason: string, message: string, fieldPath?: string): void {
    const about = {
      kind: "Pod",
      namespace: metadata?.namespace ?? "",
      name: metadata?.name ?? "",
      uid: metadata?.uid ?? "",
      apiVersion: "v1",
      ...(metadata?.resourceVersion ? { resourceVersion: metadata.resourceVersion } : {}),
      ...(fieldPath ? { fieldPath } : {}),
    };
    this.#tell(about, type, reason, message);
  }

  node(type: "Normal" | "Warning", reason: string, message: string): void {
    const uid = this.#options.nodeUid();
    const about = { kind: "Node", name: this.#options.nodeName, ...(uid ? { uid } : {}), apiVersion: "v1" };
    this.#tell(about, type, reason, message);
  }

  #tell(about: ObjectReference, type: "Normal" | "Warning", reason: string, message: string): void {
    if (!this.#api) return;
    const { clock, log, random, nodeName } = this.#options;
    if (this.#waiting.length >= MAX_WAITING) return log("warn", `an event is dropped: ${reason} of ${about.name}`);
    const now = clock.now(), time = nowTime(now);
    this.#waiting.push({
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: nameOf(about.name ?? "", now, this.#count++, random), namespace: about.namespace || "default" },
      involvedObject: about,
      reason,
      message,
      source: { component: this.#component, host: nodeName },
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
      type,
      reportingComponent: this.#component,
      reportingInstance: nodeName,
    });
    this.#wake();
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options, api = this.#api;
    signal.addEventListener("abort", () => this.#wake(), { once: true });
    while (!signal.aborted) {
      const event = this.#waiting.shift();
      if (!event) {
        await this.#more(signal);
        continue;
      }
      const outcome = this.#correlated.next(event, clock.ticks());
      if (outcome && api) await deliver({ api, clock, log }, outcome, signal);
    }
  }

  async #more(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (signal.aborted || this.#waiting.length > 0) resolve();
    });
  }
}

/** A name that no other event has. */
function nameOf(about: string, now: number, count: number, random: RandomBytes): string {
  const nanos = BigInt(Math.floor(now)) * 1_000_000n + BigInt(count % 1_000_000);
  const name = `${about}.${nanos.toString(16)}`;
  return dnsSubdomain(name).length === 0 ? name : uuid(random);
}
