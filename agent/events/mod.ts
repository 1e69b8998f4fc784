/** Events about pods and the node, sent to the API server as it has time. */
import type { Event, ObjectReference, Pod } from "../../schema/api/core_v1.ts";
import type { LogLine } from "../../schema/log/log.ts";
import type { Product } from "../../schema/product.ts";
import { isDns1123Subdomain } from "../../schema/values/names.ts";
import { type RandomBytes, uuid } from "../../schema/values/random.ts";
import { nowTime } from "../../schema/values/time.ts";
import type { ApiClient } from "../client/mod.ts";
import { ApiError, type Clock, type Events } from "../types.ts";
import { correlator, type Outcome } from "./correlate.ts";

/** Events that wait; more are dropped. */
const MAX_WAITING = 1000;
/** So often an event is tried, and the pause between, ms. */
const TRIES = 12;
const PAUSE_MS = 10_000;
const TIMEOUT_MS = 30_000;
const DEFAULT_BURST = 100;
const MERGE = "application/strategic-merge-patch+json";

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
export function openEvents(client: Pick<ApiClient, "paced"> | undefined, o: EventOptions): EventQueue {
  const { clock, log, nodeName, random } = o;
  const pacing = { qps: o.eventQps, burst: o.eventBurst || DEFAULT_BURST, timeoutMs: TIMEOUT_MS };
  const api = client?.paced(pacing);
  const component = eventSource(o.product);
  const correlated = correlator();
  const waiting: Event[] = [];
  let wake = () => {};
  let count = 0;

  const tell = (about: ObjectReference, type: string, reason: string, message: string) => {
    if (!api) return;
    if (waiting.length >= MAX_WAITING) return log("warn", `an event is dropped: ${reason} of ${about.name}`);
    const now = clock.now(), time = nowTime(now);
    waiting.push({
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: nameOf(about.name ?? "", now, count++, random), namespace: about.namespace || "default" },
      involvedObject: about,
      reason,
      message,
      source: { component, host: nodeName },
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
      type,
      reportingComponent: component,
      reportingInstance: nodeName,
    });
    wake();
  };

  const send = async ({ event, again }: Outcome, signal: AbortSignal): Promise<void> => {
    const path = `/api/v1/namespaces/${event.metadata.namespace}/events`;
    if (again) {
      const { count, lastTimestamp, message } = event;
      const body = { count, lastTimestamp, message };
      try {
        return await api!.request("PATCH", `${path}/${event.metadata.name}`, { body, patch: MERGE, signal });
      } catch (e) {
        // Events do not last as long as what they tell of.
        if (!(e instanceof ApiError) || e.code !== 404) throw e;
      }
    }
    await api!.request("POST", path, { body: event, signal });
  };

  const deliver = async (outcome: Outcome, signal: AbortSignal): Promise<void> => {
    for (let tries = 1; !signal.aborted; tries++) {
      try {
        return await send(outcome, signal);
      } catch (e) {
        const { reason, involvedObject: { name } } = outcome.event;
        if (signal.aborted) return;
        if (e instanceof ApiError || tries === TRIES) {
          return log("warn", `an event is not taken: ${reason} of ${name}`, e instanceof Error ? e.message : e);
        }
        await clock.wait(PAUSE_MS, signal);
      }
    }
  };

  return {
    pod: ({ metadata }: Pod, type, reason, message, fieldPath) =>
      tell(
        {
          kind: "Pod",
          namespace: metadata?.namespace ?? "",
          name: metadata?.name ?? "",
          uid: metadata?.uid ?? "",
          apiVersion: "v1",
          ...(metadata?.resourceVersion ? { resourceVersion: metadata.resourceVersion } : {}),
          ...(fieldPath ? { fieldPath } : {}),
        },
        type,
        reason,
        message,
      ),
    node: (type, reason, message) => {
      const uid = o.nodeUid();
      const about = { kind: "Node", name: nodeName, ...(uid ? { uid } : {}), apiVersion: "v1" };
      tell(about, type, reason, message);
    },
    async run(signal) {
      signal.addEventListener("abort", () => wake(), { once: true });
      while (!signal.aborted) {
        const event = waiting.shift();
        if (!event) {
          await new Promise<void>((resolve) => {
            wake = resolve;
            if (signal.aborted || waiting.length > 0) resolve();
          });
          continue;
        }
        const outcome = correlated.next(event, clock.ticks());
        if (outcome) await deliver(outcome, signal);
      }
    },
  };
}

/** A name that no other event has. */
function nameOf(about: string, now: number, count: number, random: RandomBytes): string {
  const nanos = BigInt(Math.floor(now)) * 1_000_000n + BigInt(count % 1_000_000);
  const name = `${about}.${nanos.toString(16)}`;
  return isDns1123Subdomain(name).length === 0 ? name : uuid(random);
}
