/** What garbage collection asks of every object, read from the stored bytes without decoding the object. */
import { sameBytes } from "../../../schema/values/bytes.ts";
import type { Entry } from "../../cache/mod.ts";

/** Whether there is anything to do for an object. */
export interface OwnerFacts {
  readonly uid: string;
  /** It names owners. */
  readonly owned: boolean;
  /** Its deletion was asked for. */
  readonly deleting: boolean;
}

/** Field numbers of the envelope, of every kind, and of its metadata. */
const RAW = 2, METADATA = 1, UID = 5, DELETION = 9, OWNERS = 13;

const text = new TextDecoder();

/** Facts of an entry; undefined for one that cannot be read. */
export function ownerFacts(entry: Entry): OwnerFacts | undefined {
  const { stored } = entry;
  const fromBytes = isProtobuf(stored) ? scan(stored) : undefined;
  if (fromBytes) return fromBytes;
  try {
    const { metadata: m } = entry.peek();
    return { uid: m.uid ?? "", owned: !!m.ownerReferences?.length, deleting: !!m.deletionTimestamp };
  } catch {
    return undefined;
  }
}

const isProtobuf = (b: Uint8Array): boolean => b[0] === 0x6b && b[1] === 0x38 && b[2] === 0x73 && b[3] === 0;

/** Walks the fields of a message: `see` gets the number and bounds of each length-delimited one. False when damaged. */
function walk(bytes: Uint8Array, from: number, to: number, see: (field: number, from: number, to: number) => void) {
  let at = from;
  const varint = () => {
    let value = 0, scale = 1;
    for (;;) {
      const byte = bytes[at++]!;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80 || at > to) return value;
      scale *= 128;
    }
  };
  while (at < to) {
    const tag = varint();
    const wire = tag % 8;
    if (wire === 0) varint();
    else if (wire === 1) at += 8;
    else if (wire === 5) at += 4;
    else if (wire === 2) {
      const length = varint();
      if (at + length > to) return false;
      see((tag - wire) / 8, at, at + length);
      at += length;
    } else return false;
  }
  return at === to;
}

/** Whether two states of an object name the same owners, as far as their bytes tell; false where they do not tell. */
export function sameOwnerBytes(a: Entry, b: Entry): boolean {
  const [x, y] = [a.stored, b.stored];
  if (!isProtobuf(x) || !isProtobuf(y)) return false;
  const [of, other] = [ownerParts(x), ownerParts(y)];
  return of !== undefined && other !== undefined && of.length === other.length &&
    of.every((part, i) => sameBytes(part, other[i]!));
}

function ownerParts(bytes: Uint8Array): Uint8Array[] | undefined {
  const parts: Uint8Array[] = [];
  return scan(bytes, (from, to) => parts.push(bytes.subarray(from, to))) && parts;
}

function scan(bytes: Uint8Array, owner?: (from: number, to: number) => void): OwnerFacts | undefined {
  const facts = { uid: "", owned: false, deleting: false };
  const inMetadata = (field: number, from: number, to: number) => {
    if (field === UID) facts.uid = text.decode(bytes.subarray(from, to));
    else if (field === OWNERS) {
      facts.owned = true;
      owner?.(from, to);
    } else if (field === DELETION) facts.deleting = to > from; // a time that is null is an empty message
  };
  let whole = true;
  const nested = (wanted: number, see: (f: number, from: number, to: number) => void) =>
  (
    field: number,
    from: number,
    to: number,
  ) => {
    if (field === wanted) whole = walk(bytes, from, to, see) && whole;
  };
  whole = walk(bytes, 4, bytes.length, nested(RAW, nested(METADATA, inMetadata))) && whole;
  return whole && facts.uid !== "" ? facts : undefined;
}
