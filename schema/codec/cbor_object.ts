/** CBOR of objects: the members that hold bytes are byte strings there, which only the kind can tell. */
import type { Field, Json, JsonMap, Kind, Message, Obj } from "../model/types.ts";
import { type CborInput, encodeCbor } from "./cbor_write.ts";

/** An object's CBOR bytes. */
export function encodeCborObject(kind: Kind, object: Obj): Uint8Array<ArrayBuffer> {
  return encodeCbor(cborInput(kind.message, object as JsonMap));
}

/** The tree to hand to the CBOR writer: members of type bytes, base64 in the object, as bytes. Shares what holds none. */
export function cborInput(message: Message, object: JsonMap): CborInput {
  if (!holdsBytes(message)) return object;
  const out: { [key: string]: CborInput } = { ...object };
  for (const [name, turn] of turnersOf(message)) {
    const value = object[name];
    if (value !== undefined && value !== null) out[name] = turn(value);
  }
  return out;
}

type Turn = (value: Json) => CborInput;

const HOLDS = new WeakMap<Message, boolean>();
const TURNERS = new WeakMap<Message, readonly (readonly [string, Turn])[]>();

/** Whether bytes stand anywhere within a message. */
function holdsBytes(message: Message): boolean {
  let known = HOLDS.get(message);
  if (known === undefined) HOLDS.set(message, known = reachesBytes(message, new Set()));
  return known;
}

function reachesBytes(message: Message, seen: Set<Message>): boolean {
  if (message.wrapper || seen.has(message)) return false;
  seen.add(message);
  return message.json.some((f) => typeof f.type === "string" ? f.type === "bytes" : reachesBytes(f.type, seen));
}

function turnersOf(message: Message): readonly (readonly [string, Turn])[] {
  let turners = TURNERS.get(message);
  if (!turners) TURNERS.set(message, turners = message.json.flatMap((f) => turnerOf(f)));
  return turners;
}

function turnerOf(f: Field): (readonly [string, Turn])[] {
  const type = f.type;
  if (type === "bytes") return [[f.name, over(f, (v) => typeof v === "string" ? Uint8Array.fromBase64(v) : v)]];
  if (typeof type === "string" || !holdsBytes(type)) return [];
  return [[f.name, over(f, (v) => cborInput(type, v as JsonMap))]];
}

function over(f: Field, one: Turn): Turn {
  if (f.repeated) return (v) => (v as Json[]).map(one);
  if (!f.map) return one;
  return (v) => Object.fromEntries(Object.entries(v as JsonMap).map(([k, x]) => [k, one(x)]));
}
