/**
 * All stores of a server as one file: taken while they are in use, each of one revision; put into empty stores of any
 * backend, however many. Which store a key was in is not told: where it goes is told by the options at its return.
 *
 * File: a line of JSON (`{"archive":1,"revision":…}`), then records: u32 length of what follows the checksum, u32 CRC-32,
 * u8 kind, u16 length of the key, f64 revision, f64 expiry (0: none), key, value. The last record is of kind `end` and has the
 * number of the others: a file that was cut short is found.
 */
import { crc32 } from "node:zlib";
import { concat } from "../../schema/values/bytes.ts";
import { StorageError } from "./backend.ts";
import { Filling } from "./filling.ts";
import { unreadableReason } from "./unreadable.ts";
import { endsOf, type Part, type Whole } from "./whole.ts";

const FORMAT = 1;
const KIND = { object: 1, fact: 2, end: 3 } as const;
const HEAD = 27;
/**
 * Revisions after that of the archive which its store is not to give again: clients may have seen some of them, of what was written
 * after it was taken.
 */
const SEEN = 1_000_000_000;
/** A longer record is damage: a value has at most 3 MiB, a key some hundred bytes. */
const MAX_RECORD = 5 << 20;

const encoder = new TextEncoder();

/** What was taken or put back. */
export interface ArchiveReport {
  /** The revision of the main store that the archive is of. */
  readonly revision: number;
  readonly objects: number;
}

interface Item {
  readonly kind: number;
  readonly key: string;
  readonly revision: number;
  readonly expiresAt: number;
  readonly value: Uint8Array;
}

/**
 * Writes an archive of what stands now. Writes to the stores go on meanwhile.
 * @param facts facts about the store that go with its objects, by name (`writeMeta`)
 * @throws StorageError
 */
export async function backup(
  whole: Whole,
  facts: ReadonlyMap<string, Uint8Array>,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<ArchiveReport & { readonly strays: ReadonlyMap<Part, number> }> {
  const moment = await whole.moment();
  const { main } = whole;
  const revision = moment.get(main)!;
  let objects = 0;
  await write(encoder.encode(`${JSON.stringify({ archive: FORMAT, revision })}\n`));
  for (const [key, value] of facts) await write(encode({ kind: KIND.fact, key, revision: 0, expiresAt: 0, value }));
  const { strays } = await whole.everything(moment, async (items, part) => {
    const ends = await endsOf(items, part, moment);
    for (const [i, { key, revision, value }] of items.entries()) {
      const reason = unreadableReason(value);
      if (reason !== undefined) throw new StorageError("corrupt", reason);
      await write(encode({ kind: KIND.object, key, revision, expiresAt: ends[i] ?? 0, value }));
      objects++;
    }
  });
  const count = encoder.encode(String(objects));
  await write(encode({ kind: KIND.end, key: "", revision, expiresAt: 0, value: count }));
  return { revision, objects, strays };
}

/**
 * Puts an archive into empty stores. Objects get new revisions, in the order of the archive; later ones than before, where the store
 * counts them itself.
 * The archive is read twice: nothing is written when it is damaged, or has keys that the server of the stores would not find.
 * @param root what the server's keys begin with, `--store-prefix`; empty: with anything
 * @throws StorageError `corrupt` for a damaged archive, `format` for one of a newer format, of another root or something else
 */
export async function restore(
  whole: Whole,
  read: () => AsyncIterable<Uint8Array>,
  root = "",
): Promise<ArchiveReport> {
  const filling = await Filling.of(whole, "restore");
  const report = await examine(read(), (key) => mustBeUnder(root, key));
  await whole.main.backend.countFrom?.(report.revision + SEEN);
  for await (const { kind, key, value, expiresAt } of items(read())) {
    if (kind === KIND.fact) { for (const { backend } of whole.parts) await backend.writeMeta(key, value); }
    if (kind === KIND.object) await filling.put({ key, value, ...expiresAt > 0 && { expiresAt } });
  }
  await filling.end();
  return report;
}

function mustBeUnder(root: string, key: string): void {
  if (root === "" || key.startsWith(`${root}/`)) return;
  throw new StorageError("format", `the archive is of another --store-prefix than ${root}: it holds ${key}`);
}

/** Reads an archive through, with a look at each object's key. @throws StorageError when it is damaged or cut short; what `look` throws */
export async function examine(
  chunks: AsyncIterable<Uint8Array>,
  look: (key: string) => void = () => {},
): Promise<ArchiveReport> {
  let objects = 0;
  let end: Item | undefined;
  for await (const item of items(chunks)) {
    if (end) throw damaged("something follows its end");
    if (item.kind === KIND.object) {
      look(item.key);
      objects++;
    }
    if (item.kind === KIND.end) end = item;
  }
  if (!end) throw damaged("it is cut short");
  if (Number(new TextDecoder().decode(end.value)) !== objects) throw damaged("records are missing");
  return { revision: end.revision, objects };
}

function encode({ kind, key, revision, expiresAt, value }: Item): Uint8Array {
  const name = encoder.encode(key);
  const out = new Uint8Array(HEAD + name.length + value.length);
  const view = new DataView(out.buffer);
  view.setUint8(8, kind);
  view.setUint16(9, name.length);
  view.setFloat64(11, revision);
  view.setFloat64(19, expiresAt);
  out.set(name, HEAD);
  out.set(value, HEAD + name.length);
  view.setUint32(0, out.length - 8);
  view.setUint32(4, crc32(out.subarray(8)));
  return out;
}

async function* items(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Item> {
  const source = new Source(chunks);
  const line = await source.line();
  header(line);
  for (let n = 1;; n++) {
    const head = await source.take(8);
    if (head.length === 0) return;
    const length = head.length === 8 ? new DataView(head.buffer, head.byteOffset).getUint32(0) : 0;
    if (length < HEAD - 8 || length > MAX_RECORD) throw damaged(`record ${n}`);
    const body = await source.take(length);
    if (body.length < length) throw damaged("it is cut short");
    if (crc32(body) !== new DataView(head.buffer, head.byteOffset).getUint32(4)) throw damaged(`record ${n}`);
    yield decode(body, n);
  }
}

function header(line: string): void {
  let format: unknown;
  try {
    format = JSON.parse(line).archive;
  } catch { /* told below */ }
  if (typeof format !== "number") throw new StorageError("format", "this is no archive of a store");
  if (format > FORMAT) throw new StorageError("format", `the archive has format ${format}, known are up to ${FORMAT}`);
}

function decode(body: Uint8Array, n: number): Item {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const start = HEAD - 8;
  const end = start + view.getUint16(1);
  if (end > body.length) throw damaged(`record ${n}`);
  return {
    kind: view.getUint8(0),
    key: new TextDecoder().decode(body.subarray(start, end)),
    revision: view.getFloat64(3),
    expiresAt: view.getFloat64(11),
    value: body.slice(end),
  };
}

function damaged(what: string): StorageError {
  return new StorageError("corrupt", `the archive is damaged: ${what}`);
}

/** Bytes by number from chunks however cut. */
class Source {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #held: Uint8Array = new Uint8Array(0);

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** So many bytes; fewer at the end. */
  async take(n: number): Promise<Uint8Array> {
    while (this.#held.length < n && await this.#more());
    const out = this.#held.slice(0, n);
    this.#held = this.#held.subarray(n);
    return out;
  }

  async line(): Promise<string> {
    let end = -1;
    while ((end = this.#held.indexOf(10)) < 0 && this.#held.length < 4096 && await this.#more());
    if (end < 0) return "";
    return new TextDecoder().decode((await this.take(end + 1)).subarray(0, end));
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#chunks.next();
    if (done) return false;
    this.#held = concat([this.#held, value]);
    return true;
  }
}
