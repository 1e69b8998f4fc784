/** Descriptors for the merge tests: the built-in kinds, and small ones written by hand. */
import { MODULES } from "../../schema/api/index.ts";
import { MessageTable, shapeOf } from "../../schema/model/table.ts";
import type { Field, Message, Scalar } from "../../schema/model/types.ts";

const TABLE = new MessageTable(MODULES);

/** A built-in message by its id (`apps.v1.Deployment`). */
export function builtin(id: string): Message {
  const found = TABLE.get(id);
  if (!found) throw new Error(`no message ${id}`);
  return found;
}

/** A field of a hand-written message. */
export function field(name: string, type: Scalar | Message, more: Partial<Field> = {}): Field {
  return {
    name,
    number: 0,
    type,
    repeated: false,
    map: false,
    inline: false,
    pointer: false,
    required: false,
    optional: true,
    omitempty: true,
    omitzero: false,
    nullable: false,
    ...more,
  };
}

/** A list field. */
export const list = (name: string, type: Scalar | Message, more: Partial<Field> = {}): Field =>
  field(name, type, { repeated: true, ...more });
/** A map field. */
export const map = (name: string, type: Scalar | Message, more: Partial<Field> = {}): Field =>
  field(name, type, { map: true, ...more });

/** A hand-written message. */
export function message(id: string, fields: Field[], more: Partial<Message> = {}): Message {
  return { id, ...shapeOf(fields), ...more };
}
