/** Values too long for a log value: pieces under their own keys, named by a record. */
import { crc32 } from "node:zlib";
import { StorageError } from "../backend.ts";
import { ATOMIC_BYTES, KEYS, PIECE_BYTES } from "./layout.ts";
import type { KvStore } from "./kv.ts";
import { type BlobRef, decodeBlobRef, encodeBlobRef, KIND, type LogRecord } from "./record.ts";

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

/** Writes pieces ahead of the commit that will name them, with a note that lets a later start remove them. */
export async function writeAhead(store: KvStore, blob: Blob): Promise<void> {
  const keys = pieceKeys(blob.ref);
  const step = Math.floor(ATOMIC_BYTES / PIECE_BYTES);
  for (let from = 0; from < keys.length; from += step) {
    await store.atomic((atomic) => {
      if (from === 0) atomic.set(KEYS.intent(blob.ref.id), blob.payload);
      for (let i = from; i < Math.min(keys.length, from + step); i++) atomic.set(keys[i]!, blob.pieces[i]!);
    });
  }
}

/** Removes what was written ahead and never named. */
export async function removeBlob(store: KvStore, ref: BlobRef): Promise<void> {
  const keys = pieceKeys(ref);
  await store.atomic((atomic) => {
    for (const key of keys) atomic.delete(key);
    atomic.delete(KEYS.intent(ref.id));
  });
}

/** Removes blobs that were written ahead by processes that ended before their commit. For the sole process only. */
export async function removeOrphans(store: KvStore): Promise<void> {
  const refs: BlobRef[] = [];
  for await (const { value } of store.kv.list<Uint8Array>({ prefix: ["intent"] })) refs.push(decodeBlobRef(value));
  for (const ref of refs) await removeBlob(store, ref);
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
