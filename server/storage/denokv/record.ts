/**
 * Log records and log values as bytes.
 *
 * Log value: `"L"`, format, u16 0, u32 count of records, f64 its number, u32 checksum of these 16 bytes, records.
 * Record: u32 length of what follows the checksum, u32 checksum, u8 kind, u8 flags, u16 length of the key, f64 revision,
 * f64 expiry (0: none), key, payload.
 */
import { crc32 } from "node:zlib";
import { type Revision, StorageError } from "../backend.ts";
import { FORMAT, LOG_BYTES } from "./layout.ts";

/** `put`: payload is the value. `blob`: payload is a {@linkcode BlobRef}. `free`: payload is numbers of deleted log values. */
export const KIND = { put: 1, delete: 2, blob: 3, free: 4 } as const;
/** Flag: the record stood in an older log value before. */
const MOVED = 1;

const LOG_HEADER = 20;
const RECORD_HEADER = 28;
const MAGIC = 0x4c;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Where a long value lies. */
export interface BlobRef {
  readonly id: string;
  readonly length: number;
  readonly crc: number;
}

/** A record. `payload` is a view into the log value. */
export interface LogRecord {
  readonly kind: number;
  readonly moved: boolean;
  readonly revision: Revision;
  /** ms since the epoch; 0: never. */
  readonly expiresAt: number;
  readonly key: string;
  readonly payload: Uint8Array;
  /** Place in the log value. */
  readonly offset: number;
  readonly length: number;
}

/** A record to be written. */
export interface NewRecord {
  readonly kind: number;
  readonly revision: Revision;
  readonly expiresAt: number;
  readonly key: string;
  readonly payload: Uint8Array;
  readonly moved?: boolean;
}

const NONE = new Uint8Array(0);

/** Bytes that a record takes, at most (a UTF-16 unit is at most 3 bytes). */
export function recordBytes(key: string, payload: number): number {
  return RECORD_HEADER + key.length * 3 + payload;
}

/** Fills one log value. */
export class LogWriter {
  #bytes: Uint8Array;
  #view: DataView;
  #at = LOG_HEADER;
  count = 0;

  constructor(readonly seq: number, size = LOG_BYTES) {
    this.#bytes = new Uint8Array(size);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Whether a record of at most that many bytes fits. */
  fits(bytes: number): boolean {
    return this.#at + bytes <= this.#bytes.length;
  }

  /** Adds a record; says where it lies. */
  add(record: NewRecord): { offset: number; length: number } {
    const offset = this.#at;
    const view = this.#view;
    const start = offset + 8;
    const keyBytes = encoder.encodeInto(record.key, this.#bytes.subarray(offset + RECORD_HEADER)).written;
    view.setUint8(start, record.kind);
    view.setUint8(start + 1, record.moved ? MOVED : 0);
    view.setUint16(start + 2, keyBytes);
    view.setFloat64(start + 4, record.revision);
    view.setFloat64(start + 12, record.expiresAt);
    const end = offset + RECORD_HEADER + keyBytes + record.payload.length;
    this.#bytes.set(record.payload, end - record.payload.length);
    view.setUint32(offset, end - start);
    view.setUint32(offset + 4, crc32(this.#bytes.subarray(start, end)));
    this.#at = end;
    this.count++;
    return { offset, length: end - offset };
  }

  /** The log value. The writer is done. */
  finish(): Uint8Array {
    const view = this.#view;
    view.setUint8(0, MAGIC);
    view.setUint8(1, FORMAT);
    view.setUint32(4, this.count);
    view.setFloat64(8, this.seq);
    view.setUint32(16, crc32(this.#bytes.subarray(0, 16)));
    return this.#bytes.slice(0, this.#at);
  }
}

/**
 * The records of a log value, checked.
 * @throws StorageError `corrupt`, with the key where it can still be read
 */
export function* readLog(bytes: Uint8Array, seq: number): Generator<LogRecord> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (
    bytes.length < LOG_HEADER || view.getUint8(0) !== MAGIC || view.getUint32(16) !== crc32(bytes.subarray(0, 16)) ||
    view.getFloat64(8) !== seq
  ) throw damaged(seq, 0, "its header");
  const count = view.getUint32(4);
  let offset = LOG_HEADER;
  for (let i = 0; i < count; i++) {
    const record = readRecord(bytes, seq, offset);
    yield record;
    offset += record.length;
  }
  if (offset !== bytes.length) throw damaged(seq, offset, "its end");
}

/** One record, checked. `expected`: the key that it should have, which then need not be made. @throws StorageError `corrupt` */
export function readRecord(bytes: Uint8Array, seq: number, offset: number, expected?: string): LogRecord {
  if (offset + RECORD_HEADER > bytes.length) throw damaged(seq, offset, "a record's length");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = offset + 8;
  const end = start + view.getUint32(offset);
  const keyStart = offset + RECORD_HEADER;
  const keyEnd = keyStart + view.getUint16(start + 2);
  if (end > bytes.length || keyEnd > end) throw damaged(seq, offset, "a record's length");
  if (view.getUint32(offset + 4) !== crc32(bytes.subarray(start, end))) {
    const key = new TextDecoder().decode(bytes.subarray(keyStart, keyEnd));
    throw damaged(seq, offset, `the record of key ${JSON.stringify(key)}`);
  }
  return {
    kind: view.getUint8(start),
    moved: (view.getUint8(start + 1) & MOVED) !== 0,
    revision: view.getFloat64(start + 4),
    expiresAt: view.getFloat64(start + 12),
    key: expected !== undefined && isAscii(bytes, keyStart, keyEnd, expected)
      ? expected
      : decoder.decode(bytes.subarray(keyStart, keyEnd)),
    payload: bytes.subarray(keyEnd, end),
    offset,
    length: end - offset,
  };
}

/** Whether the text stands there, in ASCII. */
function isAscii(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  if (end - start !== text.length) return false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127 || bytes[start + i] !== code) return false;
  }
  return true;
}

function damaged(seq: number, offset: number, what: string): StorageError {
  return new StorageError("corrupt", `log value ${seq} of the store is damaged at byte ${offset}: ${what}`);
}

/** A blob's place as a record's payload. */
export function encodeBlobRef(ref: BlobRef): Uint8Array {
  const id = encoder.encode(ref.id);
  const out = new Uint8Array(8 + id.length);
  const view = new DataView(out.buffer);
  view.setUint32(0, ref.length);
  view.setUint32(4, ref.crc);
  out.set(id, 8);
  return out;
}

/** See {@linkcode encodeBlobRef}. */
export function decodeBlobRef(payload: Uint8Array): BlobRef {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  return { length: view.getUint32(0), crc: view.getUint32(4), id: decoder.decode(payload.subarray(8)) };
}

/** The record that says which log values are gone. */
export function freeRecord(seqs: readonly number[], revision: Revision): NewRecord {
  const payload = new Uint8Array(new Float64Array(seqs).buffer);
  return { kind: KIND.free, revision, expiresAt: 0, key: "", payload, moved: true };
}

/** Numbers of a `free` record. */
export function freedSeqs(payload: Uint8Array): number[] {
  return [...new Float64Array(payload.slice().buffer)];
}

/** A deletion. */
export function deleteRecord(key: string, revision: Revision): NewRecord {
  return { kind: KIND.delete, revision, expiresAt: 0, key, payload: NONE };
}
