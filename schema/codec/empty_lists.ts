/**
 * Empty lists at rest. Bytes of Protobuf do not tell an empty list from an absent one, so that a member that is always
 * written reads as null once its object is stored (facts README, "JSON facts").
 */
import type { Field, Json, JsonMap, Message } from "../model/types.ts";

/** A member to look at: a list that is always written, or one that leads to such a list. */
interface Step {
  readonly name: string;
  readonly list: boolean;
  /** Undefined: nothing below it. */
  readonly below: Message | undefined;
  readonly many: "list" | "map" | undefined;
}

const PLANS = new WeakMap<Message, readonly Step[]>();

/** Writes null for each empty list that its message always writes, in place. */
export function emptyListsToNull(message: Message, object: JsonMap): void {
  for (const step of planOf(message)) {
    const value = object[step.name];
    if (value === undefined || value === null) continue;
    if (step.list && (value as Json[]).length === 0) object[step.name] = null;
    else if (step.below) eachBelow(step, value, step.below);
  }
}

function eachBelow(step: Step, value: Json, message: Message): void {
  if (step.many === undefined) emptyListsToNull(message, value as JsonMap);
  else for (const item of Object.values(value as JsonMap)) if (item) emptyListsToNull(message, item as JsonMap);
}

function planOf(message: Message): readonly Step[] {
  let plan = PLANS.get(message);
  if (!plan) PLANS.set(message, plan = message.json.flatMap(stepOf));
  return plan;
}

function stepOf(f: Field): Step[] {
  const list = isWrittenList(f), type = messageOf(f);
  const below = type && leadsToList(type, new Set()) ? type : undefined;
  if (!list && !below) return [];
  return [{ name: f.name, list, below, many: f.repeated ? "list" : f.map ? "map" : undefined }];
}

const isWrittenList = (f: Field): boolean => !!f.repeated && !f.omitempty && !f.omitzero;
const messageOf = (f: Field): Message | undefined => typeof f.type === "string" || f.type.wrapper ? undefined : f.type;

function leadsToList(message: Message, seen: Set<Message>): boolean {
  if (seen.has(message)) return false;
  seen.add(message);
  return message.json.some((f) => {
    const type = messageOf(f);
    return isWrittenList(f) || (type !== undefined && leadsToList(type, seen));
  });
}
