/** Values too long for a log value: pieces under their own keys, named by a record. */
import { Buffer } from "node:buffer";
import { crc32 } from "node:zlib";
import { StorageError } from "../backend.ts";
import { ATOMIC_BYTES, ATOMIC_MUTATIONS, KEYS, PIECE_BYTES } from "./layout.ts";
import type { KvStore } from "./kv.ts";
import { type BlobRef, decodeBlobRef, encodeBlobRef, KIND, type LogRecord } from "./record.ts";

/** Bytes that the key of a piece takes of an atomic, at most. */
const KEY_BYTES = 80;

/** A long value made ready to be written. */
export interface Blob {
  readonly ref: BlobRef;
  readonly payload: Uint8Array;
  readonly pieces: readonly Uint8Array[];
}

/** Cuts a value in pieces. `id` is unique for ever. */
export function makeBlob(id: string, value: Uint8Array): Blob {
  const ref = { id, length: value.length, crc: crc32(value) };
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < value.length; at += PIECE_BYTES) pieces.push(value.subarray(at, at + PIECE_BYTES));
  return { ref, payload: encodeBlobRef(ref), pieces };
}

/** Keys of all pieces. */
export function pieceKeys({ id, length }: BlobRef): Deno.KvKey[] {
  return Array.from({ length: Math.ceil(length / PIECE_BYTES) }, (_, i) => KEYS.piece(id, i));
}

/** Blobs that one note names: 40 kB of names. */
const NOTED = 500;
/** Pieces deleted in one atomic: 5 to 10 ms, for which commits wait. */
const GONE_AT_ONCE = 50;

/** Keys of the notes of {@linkcode writeAhead}: the commit deletes them. */
export function notesOf(blobs: readonly Blob[]): Deno.KvKey[] {
  return blobs.filter((_, i) => i % NOTED === 0).map(({ ref }) => KEYS.intent(ref.id));
}

/** Notes of blobs that nothing names any more: {@linkcode removeGone} is to follow. */
export function goneNotes(refs: readonly BlobRef[]): [Deno.KvKey, Uint8Array][] {
  const notes: [Deno.KvKey, Uint8Array][] = [];
  for (let i = 0; i < refs.length; i += NOTED) {
    notes.push([KEYS.gone(refs[i]!.id), encodeNote(refs.slice(i, i + NOTED).map(encodeBlobRef))]);
  }
  return notes;
}

/** Writes pieces ahead of the commit that will name them, with notes that let a later start remove them. @throws StorageError */
export async function writeAhead(store: KvStore, blobs: readonly Blob[]): Promise<void> {
  for (let i = 0; i < blobs.length; i += NOTED) {
    const some = blobs.slice(i, i + NOTED);
    await store.atomic((atomic) => atomic.set(KEYS.intent(some[0]!.ref.id), encodeNote(some.map((b) => b.payload))));
    await writePieces(store, some);
  }
}

async function writePieces(store: KvStore, blobs: readonly Blob[]): Promise<void> {
  const rows = blobs.flatMap((b) => pieceKeys(b.ref).map((key, i) => [key, b.pieces[i]!] as const));
  while (rows.length > 0) {
    let bytes = 0;
    let n = 0;
    while (n < Math.min(rows.length, ATOMIC_MUTATIONS) && bytes < ATOMIC_BYTES - PIECE_BYTES) {
      bytes += rows[n++]![1].length + KEY_BYTES;
    }
    const some = rows.splice(0, n);
    await store.atomic((atomic) => {
      for (const [key, piece] of some) atomic.set(key, piece);
    });
  }
}

/** Removes what was written ahead and never named, and the notes of it. @throws StorageError */
export async function removeAhead(
  store: KvStore,
  refs: readonly BlobRef[],
  notes: readonly Deno.KvKey[],
): Promise<void> {
  const keys = refs.flatMap(pieceKeys);
  for (let i = 0; i < keys.length; i += GONE_AT_ONCE) {
    await store.atomic((atomic) => {
      for (const key of keys.slice(i, i + GONE_AT_ONCE)) atomic.delete(key);
    });
  }
  await store.atomic((atomic) => {
    for (const note of notes) atomic.delete(note);
  });
}

/** Removes blobs that were written ahead by processes that ended before their commit. For the sole process only. */
export async function removeOrphans(store: KvStore): Promise<void> {
  await removeNoted(store, "intent");
  await removeGone(store);
}

/** Removes blobs that nothing names any more, whoever has cleaned. @throws StorageError */
export async function removeGone(store: KvStore): Promise<void> {
  await removeNoted(store, "gone");
}

async function removeNoted(store: KvStore, prefix: "intent" | "gone"): Promise<void> {
  for (const { key, value } of await Array.fromAsync(store.kv.list<Uint8Array>({ prefix: [prefix] }))) {
    await removeAhead(store, decodeNote(value), [key]);
  }
}

function encodeNote(payloads: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(payloads.flatMap((payload) => [Uint8Array.of(payload.length), payload]));
}

function decodeNote(note: Uint8Array): BlobRef[] {
  const refs: BlobRef[] = [];
  for (let at = 0; at < note.length; at += note[at]! + 1) {
    refs.push(decodeBlobRef(note.subarray(at + 1, at + 1 + note[at]!)));
  }
  return refs;
}

/** A record's value, a copy; undefined when pieces are gone. @throws StorageError `corrupt` */
export async function readBlob(store: KvStore, record: LogRecord): Promise<Uint8Array | undefined> {
  if (record.kind !== KIND.blob) return record.payload.slice();
  const ref = decodeBlobRef(record.payload);
  const out = new Uint8Array(ref.length);
  let at = 0;
  for (const piece of await store.bytes(pieceKeys(ref))) {
    if (!piece) return undefined;
    if (at + piece.length <= ref.length) out.set(piece, at);
    at += piece.length;
  }
  if (at !== ref.length || crc32(out) !== ref.crc) {
    throw new StorageError("corrupt", `the value of key ${JSON.stringify(record.key)} is damaged`);
  }
  return out;
}
