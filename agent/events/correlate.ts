/** What becomes of an event beside those before it: counted with its equals, put together with similar ones, or left out. */
import type { Event, ObjectReference } from "../../schema/api/core_v1.ts";
import { Recent } from "./recent.ts";

/** Objects and messages remembered. */
const REMEMBERED = 4096;
/** From so many messages of one reason on, each within so long after the one before, ms, they become one event. */
const SIMILAR = 10;
const SIMILAR_MS = 600_000;
/** Events about one object at once, and how long it takes for one more, ms. */
const BURST = 25;
const REFILL_MS = 300_000;
const COMBINED = "(combined from similar events): ";

/** An event to send. */
export interface Outcome {
  readonly event: Event;
  /** It was sent before: only its count, time and message changed. */
  readonly again: boolean;
}

/** The events of one source, in the order in which they happen. */
export interface Correlator {
  /** Undefined: there are too many about this object. @param now ms */
  next(event: Event, now: number): Outcome | undefined;
}

interface Group {
  readonly messages: Set<string>;
  readonly last: number;
}

/** Of one source: that is not looked at. */
export function correlator(): Correlator {
  const groups = new Recent<Group>(REMEMBERED);
  const sent = new Recent<Event>(REMEMBERED);
  /** When each object's bucket is full again, ms. */
  const full = new Recent<number>(REMEMBERED);

  const combined = (event: Event, now: number): { event: Event; key: string } => {
    const { involvedObject: about, type, reason, message } = event;
    const key = JSON.stringify([...whole(about), type, reason]);
    const before = groups.get(key);
    const messages = before && now - before.last <= SIMILAR_MS ? before.messages : new Set<string>();
    messages.add(message ?? "");
    groups.set(key, { messages, last: now });
    if (messages.size < SIMILAR) {
      return { event, key: JSON.stringify([...whole(about), about.fieldPath, type, reason, message]) };
    }
    messages.delete(messages.values().next().value!);
    return { event: { ...event, message: COMBINED + message }, key };
  };

  const spam = ({ involvedObject, type }: Event, now: number): boolean => {
    const key = JSON.stringify([...whole(involvedObject), type]);
    const at = Math.max(full.get(key) ?? 0, now) + REFILL_MS;
    if (at - now > BURST * REFILL_MS) return true;
    full.set(key, at);
    return false;
  };

  return {
    next(one, now) {
      const { event, key } = combined(one, now);
      const before = sent.get(key);
      const counted = before
        ? {
          ...event,
          metadata: before.metadata,
          ...(before.firstTimestamp ? { firstTimestamp: before.firstTimestamp } : {}),
          count: before.count! + 1,
        }
        : event;
      sent.set(key, counted);
      return spam(counted, now) ? undefined : { event: counted, again: before !== undefined };
    },
  };
}

/** What names an object, whichever part of it is meant. */
const whole = ({ kind, namespace, name, uid, apiVersion }: ObjectReference) => [kind, namespace, name, uid, apiVersion];
