/**
 * How the store lies in a Deno KV database.
 *
 * | key | value |
 * |---|---|
 * | `["head"]` | format, newest revision, newest log number, compacted revision, checksum (40 bytes) |
 * | `["log", n]` | a log value: the records of one group of commits, packed, at most {@linkcode LOG_BYTES} |
 * | `["blob", id, i]` | the i-th piece of a value too long for a log value |
 * | `["intent", id]` | pieces of blobs are being written ahead of the commit that will name them |
 * | `["gone", id]` | pieces of blobs that nothing names any more are to be deleted |
 * | `["meta", name]` | facts about the store as a whole |
 * | `["lease", name]` | who does what only one may do, where no lock files can be had |
 *
 * The log is the data: a record holds the value, and an index in memory (made anew at start from one pass over the log) says
 * where each key's versions lie. Every write is one atomic that checks `head`, adds log values under the next numbers and
 * sets `head`; log numbers and revisions are dense. SQLite commits it with one fsync of its write-ahead log, so a commit that was
 * acknowledged is on the disk, whole, and one that was not is there whole or not at all. Several commits that arrive while
 * an atomic is in flight share the next one, and so one fsync.
 *
 * Compaction moves the records that still stand from the oldest log values to new ones and deletes the old, in small atomics.
 */
import { crc32 } from "node:zlib";
import { type Revision, StorageError } from "../backend.ts";

/** The format this code writes. A store of a newer one is refused. */
export const FORMAT = 1;
/** Most bytes of a log value: 15 pages of 4 KiB less SQLite's own bytes, under Deno KV's bound of 65,536. */
export const LOG_BYTES = 60_000;
/** A longer value becomes a blob. */
export const INLINE_BYTES = 32_768;
/** Longest key: it lies in one log value with a value that is no blob. */
export const KEY_BYTES = 24 << 10;
/** Bytes of one piece of a blob. */
export const PIECE_BYTES = 60_000;
/** Most bytes of one atomic; Deno KV's bound is 819,200 with keys. */
export const ATOMIC_BYTES = 700_000;
/** Most mutations of one atomic; Deno KV's bound is 1,000. */
export const ATOMIC_MUTATIONS = 900;

/** Keys of the database. */
export const KEYS = {
  head: ["head"] as Deno.KvKey,
  log: (seq: number): Deno.KvKey => ["log", seq],
  piece: (id: string, i: number): Deno.KvKey => ["blob", id, i],
  intent: (id: string): Deno.KvKey => ["intent", id],
  gone: (id: string): Deno.KvKey => ["gone", id],
  meta: (name: string): Deno.KvKey => ["meta", name],
  lease: (name: string): Deno.KvKey => ["lease", name],
} as const;

/** What `["head"]` says. */
export interface Head {
  readonly revision: Revision;
  /** Number of the newest log value; 0: none. */
  readonly seq: number;
  readonly compacted: Revision;
}

/** An empty store: revision 1, so that no list has revision 0. */
export const EMPTY: Head = { revision: 1, seq: 0, compacted: 1 };

const HEAD_BYTES = 40;

/** The bytes of a head. */
export function encodeHead(head: Head): Uint8Array {
  const out = new Uint8Array(HEAD_BYTES);
  const view = new DataView(out.buffer);
  [FORMAT, head.revision, head.seq, head.compacted].forEach((n, i) => view.setFloat64(i * 8, n));
  view.setUint32(32, crc32(out.subarray(0, 32)));
  return out;
}

/** @throws StorageError `format` when it is of a newer format, `corrupt` when damaged. */
export function decodeHead(value: unknown): Head {
  if (!(value instanceof Uint8Array) || value.length < HEAD_BYTES) {
    throw new StorageError("corrupt", "the store's head record is damaged");
  }
  const view = new DataView(value.buffer, value.byteOffset, value.byteLength);
  const format = view.getFloat64(0);
  if (view.getUint32(32) !== crc32(value.subarray(0, 32))) {
    throw new StorageError("corrupt", "the store's head record is damaged (checksum)");
  }
  if (format > FORMAT) {
    throw new StorageError("format", `the store has format ${format}, this program knows formats up to ${FORMAT}`);
  }
  return { revision: view.getFloat64(8), seq: view.getFloat64(16), compacted: view.getFloat64(24) };
}

/** What a row takes on disk, about: rows over ~1,000 bytes spill to whole pages. */
export function rowBytes(value: number): number {
  return value <= 950 ? value + 140 : Math.ceil(value / 4096) * 4096 + 640;
}
