/** The object of a kind in which nothing is set: what a new object is compared with. */
import type { Field, Json, JsonMap, Message, Wrapper } from "../model/types.ts";

const EMPTY = new WeakMap<Message, JsonMap>();
const ZERO_WRAPPER: Partial<Record<Wrapper, Json>> = {
  quantity: "0",
  duration: "0s",
  intOrString: 0,
  schemaOrBool: false,
};

/** The members that the JSON form always writes, with their zero values; shared, not to be changed. */
export function emptyOf(message: Message): JsonMap {
  let out = EMPTY.get(message);
  if (!out) {
    out = {};
    EMPTY.set(message, out);
    for (const field of message.json) {
      const v = zero(field);
      if (v !== undefined) out[field.name] = v;
    }
  }
  return out;
}

/** The zero value as the JSON form writes it; undefined when it writes none (facts, "JSON facts" 1 to 3). */
function zero(field: Field): Json | undefined {
  const embedded = typeof field.type !== "string" && !field.pointer && !field.repeated && !field.map;
  if (field.omitzero || (field.omitempty && !embedded)) return undefined;
  if (embedded) return zeroMessage(field.type as Message);
  if (field.pointer || field.repeated || field.map) return null;
  if (field.type === "bytes" || field.type === "any") return null;
  if (field.type === "string") return "";
  return field.type === "bool" ? false : 0;
}

function zeroMessage(message: Message): Json {
  if (!message.wrapper) return emptyOf(message);
  return ZERO_WRAPPER[message.wrapper] ?? null;
}

/** {@linkcode emptyOf} with `apiVersion` and `kind`. */
export function emptyObject(apiVersion: string, kind: string, message: Message): JsonMap {
  return { apiVersion, kind, ...emptyOf(message) };
}
