/** Messages of D-Bus. */
import { DbusFormatError, decodeValues, encodeValues, type Value, type Variant } from "./values.ts";

/** What kinds there are. */
export const MESSAGE = { call: 1, answer: 2, error: 3, signal: 4 } as const;

/** A message. */
export interface Message {
  /** See {@linkcode MESSAGE}. */
  readonly type: number;
  /** Given by who sends it, not 0. */
  readonly serial: number;
  readonly path?: string;
  readonly interface?: string;
  readonly member?: string;
  readonly errorName?: string;
  /** What it answers. */
  readonly replySerial?: number;
  readonly destination?: string;
  readonly sender?: string;
  /** Types of the values in its body. */
  readonly signature?: string;
  readonly body?: readonly Value[];
}

/** Fields of headers: their numbers, members and types. */
const FIELDS: readonly (readonly [no: number, member: keyof Message, signature: string])[] = [
  [1, "path", "o"],
  [2, "interface", "s"],
  [3, "member", "s"],
  [4, "errorName", "s"],
  [5, "replySerial", "u"],
  [6, "destination", "s"],
  [7, "sender", "s"],
  [8, "signature", "g"],
];
const HEADER = "yyyyuua(yv)";
const LITTLE = "l".charCodeAt(0), BIG = "B".charCodeAt(0), VERSION = 1;
/** What must be there to know how long a message is, bytes. */
const FIRST = 16;
/** Longest message that is read, bytes. */
const LONGEST = 1024 * 1024;

const whole = (length: number): number => Math.ceil(length / 8) * 8;

/** Its bytes. */
export function encodeMessage(message: Message): Uint8Array {
  const { type, serial, signature = "", body = [] } = message;
  const values = encodeValues(signature, body);
  const fields = FIELDS.flatMap(([no, member, of]): Value[] => {
    const value = message[member] as Value | undefined;
    return value === undefined || value === "" ? [] : [[no, { signature: of, value }]];
  });
  const header = encodeValues(HEADER, [LITTLE, type, 0, VERSION, values.length, serial, fields]);
  const bytes = new Uint8Array(whole(header.length) + values.length);
  bytes.set(header);
  bytes.set(values, whole(header.length));
  return bytes;
}

/** How long the message is that begins these bytes; undefined: there are too few to know. @throws DbusFormatError: it is too long, or none */
export function messageLength(bytes: Uint8Array): number | undefined {
  if (bytes.length < FIRST) return undefined;
  const little = isLittle(bytes), view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = whole(FIRST + view.getUint32(12, little)) + view.getUint32(4, little);
  if (length > LONGEST) throw new DbusFormatError(`a message has ${length} bytes`);
  return length;
}

/** A message of its bytes. @throws DbusFormatError */
export function decodeMessage(bytes: Uint8Array): Message {
  const little = isLittle(bytes);
  const [, type, , , length, serial, fields] = decodeValues(HEADER, bytes, little);
  const given = (fields as (readonly [number, Variant])[]).flatMap(([no, { value }]) => {
    const member = FIELDS.find((field) => field[0] === no)?.[1];
    return member === undefined ? [] : [[member, value]];
  });
  const head: Partial<Message> = Object.fromEntries(given);
  const body = bytes.subarray(bytes.length - (length as number));
  return {
    ...head,
    type: type as number,
    serial: serial as number,
    body: decodeValues(head.signature ?? "", body, little),
  };
}

function isLittle([first]: Uint8Array): boolean {
  if (first !== LITTLE && first !== BIG) throw new DbusFormatError("no message");
  return first === LITTLE;
}
