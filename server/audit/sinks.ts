/** Where audit events go: lines of a log, and a webhook; cut to size, or not. */
import type { PostJson } from "../authentication/webhook_client.ts";
import { AuditEvent, eventListText, legacyLine } from "./event.ts";
import type { LineWriter } from "./types.ts";
import { pause } from "../pause.ts";

/** Takes events. */
export interface AuditSink {
  /** False when one could not be stored. Never throws, never rejects. */
  process(events: readonly AuditEvent[]): boolean | Promise<boolean>;
  /** The server stops: what is under way has little time left. */
  hurry?(): void;
  /** Resolves when all that was taken is stored, or given up. */
  close(): Promise<void> | void;
}

/** Hears of events that are lost. */
export type Lost = (plugin: string, why: unknown, events: readonly AuditEvent[]) => void;

/** One line for each event. */
export function logSink(out: LineWriter, format: string, apiVersion: string, lost: Lost): AuditSink {
  const line = format === "legacy"
    ? (e: AuditEvent) => `${legacyLine(e.data)}\n`
    : (e: AuditEvent) => `${e.text(apiVersion)}\n`;
  const write = (event: AuditEvent): boolean => {
    try {
      out.write(line(event));
      return true;
    } catch (error) {
      lost("log", error, [event]);
      return false;
    }
  };
  return { process: (events) => events.map(write).every(Boolean), close: () => out.close() };
}

/** How a webhook is tried again. Times in ms. */
export interface WebhookRetry {
  readonly firstWait: number;
  readonly timeout: number;
  random(): number;
}

const ATTEMPTS = 5;
const FACTOR = 1.5;
const JITTER = 0.2;
/** What all attempts may take once the server stops, ms. */
const LAST_MS = 3_000;

/** Lists of events by POST, each tried five times. Once it closes nothing is waited for between attempts. */
export function webhookSink(post: PostJson, apiVersion: string, retry: WebhookRetry, lost: Lost): AuditSink {
  const closing = new AbortController(), end = new AbortController();
  let last: ReturnType<typeof setTimeout> | undefined;
  const going = new Set<Promise<boolean>>();
  const attempt = async (body: string): Promise<unknown> => {
    const signal = AbortSignal.any([AbortSignal.timeout(retry.timeout), end.signal]);
    try {
      const { status } = await post(body, signal);
      return status >= 200 && status < 300 ? undefined : new Error(`the webhook answered ${status}`);
    } catch (error) {
      return error ?? new Error("the webhook cannot be reached");
    }
  };
  const deliver = async (events: readonly AuditEvent[]): Promise<boolean> => {
    const body = eventListText(events, apiVersion);
    let wait = retry.firstWait, failure: unknown;
    for (let i = 0; i < ATTEMPTS; i++) {
      if (i > 0) {
        await pause(wait * (1 + JITTER * retry.random()), closing.signal);
        wait *= FACTOR;
      }
      const stopping = closing.signal.aborted;
      failure = await attempt(body);
      if (failure === undefined) return true;
      if (stopping) break;
    }
    lost("webhook", failure, events);
    return false;
  };
  const hurry = () => {
    closing.abort();
    last ??= setTimeout(() => end.abort(new Error("the server stops")), LAST_MS);
  };
  return {
    hurry,
    process: (events) => {
      const work = deliver(events).finally(() => going.delete(work));
      going.add(work);
      return work;
    },
    close: async () => {
      hurry();
      await Promise.all(going);
      clearTimeout(last);
      post.close?.();
    },
  };
}

/** Bytes of an event, and of a batch of them. */
export interface Sizes {
  readonly event: number;
  readonly batch: number;
}

const UTF8 = new TextEncoder();

/** Events that are too large lose their objects, then are lost themselves; batches that are too large are split. */
export function truncating(to: AuditSink, sizes: Sizes, apiVersion: string, mark: string, lost: Lost): AuditSink {
  const sizeOf = (e: AuditEvent): number => UTF8.encode(e.text(apiVersion)).length + 1;
  const fitting = (event: AuditEvent): { event: AuditEvent; size: number } => {
    const size = sizeOf(event);
    if (size <= sizes.event) return { event, size };
    const { requestObject: _request, responseObject: _response, ...data } = event.data;
    const cut = new AuditEvent({ ...data, annotations: new Map([...data.annotations, [mark, "true"]]) });
    return { event: cut, size: sizeOf(cut) };
  };
  return {
    process: (events) => {
      const batches: AuditEvent[][] = [], gone: AuditEvent[] = [];
      let room = 0;
      for (const { event, size } of events.map(fitting)) {
        if (size > sizes.event) gone.push(event);
        else {
          if (size > room) {
            batches.push([]);
            room = sizes.batch;
          }
          room -= size;
          batches.at(-1)!.push(event);
        }
      }
      if (gone.length > 0) lost("truncate", "an event is too large even without its objects", gone);
      return allOf(batches.map((batch) => to.process(batch)));
    },
    hurry: () => to.hurry?.(),
    close: () => to.close(),
  };
}

/** True when all are; a promise only where one of them is. */
function allOf(results: readonly (boolean | Promise<boolean>)[]): boolean | Promise<boolean> {
  return results.some((r) => r instanceof Promise)
    ? Promise.all(results).then((all) => all.every(Boolean))
    : results.every(Boolean);
}

/** Whatever becomes of events, the request goes on (mode `blocking`). */
export function forgiving(to: AuditSink): AuditSink {
  return {
    process: (events) => {
      const result = to.process(events);
      return result instanceof Promise ? result.then(() => true) : true;
    },
    close: () => to.close(),
  };
}

/** All of them get every event. */
export function union(sinks: readonly AuditSink[]): AuditSink {
  if (sinks.length === 1) return sinks[0]!;
  return {
    process: (events) => allOf(sinks.map((sink) => sink.process(events))),
    close: async () => void await Promise.all(sinks.map((sink) => sink.close())),
  };
}
