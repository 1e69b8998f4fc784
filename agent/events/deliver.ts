/** Sends an event to the API server, however often that takes. */
import type { LogLine } from "../../schema/log/log.ts";
import { type Api, ApiError, type Clock, isNotFound } from "../types.ts";
import type { Outcome } from "./correlate.ts";

/** So often an event is tried, and the pause between, ms. */
const TRIES = 12;
const PAUSE_MS = 10_000;
const MERGE = "application/strategic-merge-patch+json";

/** What it works with. */
export interface DeliveryParts {
  readonly api: Api;
  readonly clock: Clock;
  readonly log: LogLine;
}

/** Over when it is taken, refused, tried often enough, or the signal ends it. Never rejects. */
export async function deliver(
  { api, clock, log }: DeliveryParts,
  outcome: Outcome,
  signal: AbortSignal,
): Promise<void> {
  for (let tries = 1; !signal.aborted; tries++) {
    try {
      return await send(api, outcome, signal);
    } catch (e) {
      const { reason, involvedObject: { name } } = outcome.event;
      if (signal.aborted) return;
      if (e instanceof ApiError || tries === TRIES) {
        return log("warn", `an event is not taken: ${reason} of ${name}`, e instanceof Error ? e.message : e);
      }
      await clock.wait(PAUSE_MS, signal);
    }
  }
}

async function send(api: Api, { event, again }: Outcome, signal: AbortSignal): Promise<void> {
  const path = `/api/v1/namespaces/${event.metadata.namespace}/events`;
  if (again) {
    const { count, lastTimestamp, message } = event;
    const body = { count, lastTimestamp, message };
    try {
      return await api.request("PATCH", `${path}/${event.metadata.name}`, { body, patch: MERGE, signal });
    } catch (e) {
      // Events do not last as long as what they tell of.
      if (!isNotFound(e)) throw e;
    }
  }
  await api.request("POST", path, { body: event, signal });
}
