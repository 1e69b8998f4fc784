/** Messages of the built-in kinds, by id. They carry no dialect: one table serves all. */
import { MODULES } from "./modules.ts";
import { MessageTable } from "./model/table.ts";
import type { Message } from "./model/types.ts";

const MESSAGES = new MessageTable(MODULES);

/** The message of an id (`core.v1.PodSpec`), the same object each time; undefined when there is none. */
export function builtInMessage(id: string): Message | undefined {
  return MESSAGES.get(id);
}

/** Ids of all messages of a module (`core.v1`), in declared order. */
export function* messageIds(short: string): Iterable<string> {
  for (const name of MESSAGES.names(short)) yield `${short}.${name}`;
}
