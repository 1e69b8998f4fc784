/** Reads every byte of a store on Deno KV and tells what is wrong with it. */
import type { Revision } from "../backend.ts";
import { FILLING, notWhole } from "../filling.ts";
import { readBlob } from "./blob.ts";
import { refuseForeign } from "./foreign.ts";
import { KvStore, mustBeThere, openKv, patiently } from "./kv.ts";
import { decodeHead, type Head, KEYS } from "./layout.ts";
import { logFrom } from "./load.ts";
import { decodeBlobRef, KIND, type LogRecord, readLog } from "./record.ts";
import { ALONE, enter, locksOf, type Sharing } from "./sharing.ts";

/** What a store holds, and what is wrong with it. */
export interface Verdict {
  readonly logs: number;
  readonly records: number;
  readonly bytes: number;
  /** One line each; empty when all is well. */
  readonly problems: readonly string[];
}

/** Verifies the store at `path`; it may be in use. @throws StorageError when it cannot be read at all */
export async function verifyDenoKv(path: string): Promise<Verdict> {
  await mustBeThere(path, "verify");
  await refuseForeign(path);
  const work = async (sharing: Sharing) => {
    const kv = await patiently(`open the store ${path}`, Math.random, () => openKv(path));
    try {
      return await new Verification(new KvStore(kv, Math.random)).run();
    } finally {
      kv.close();
      await sharing.close();
    }
  };
  return /^https?:|^:memory:$/.test(path) ? await work(ALONE) : await enter(await locksOf(path), work);
}

class Verification {
  readonly #problems: string[] = [];
  readonly #blobs = new Set<string>();
  readonly #revisions = new Set<Revision>();
  #logs = 0;
  #records = 0;
  #bytes = 0;

  constructor(readonly store: KvStore) {}

  async run(): Promise<Verdict> {
    // In this order: what is committed meanwhile moves the head on with it, and is not looked at.
    const newest = await this.#newest();
    const head = await this.#head();
    const { value: filling } = await this.store.get(KEYS.meta(FILLING));
    if (filling instanceof Uint8Array) this.#say(notWhole(filling));
    let last = 0;
    for await (const [seq, value] of logFrom(this.store, 0, head?.seq ?? newest)) {
      last = seq;
      this.#logs++;
      this.#bytes += value.length;
      await this.#log(seq, value);
    }
    last = Math.max(last, newest);
    if (head && last !== head.seq) this.#say(`the newest log value is ${last}, the head says ${head.seq}`);
    await this.#strays(last);
    // Of what is damaged the rest of its log value cannot be read: it is told already.
    if (head && this.#problems.length === 0) await this.#gaps(head);
    return { logs: this.#logs, records: this.#records, bytes: this.#bytes, problems: this.#problems };
  }

  #say(problem: unknown): void {
    this.#problems.push(problem instanceof Error ? problem.message : String(problem));
  }

  async #newest(): Promise<number> {
    for await (const { key } of this.store.kv.list({ prefix: ["log"] }, { limit: 1, reverse: true })) {
      return key[1] as number;
    }
    return 0;
  }

  async #head(): Promise<Head | undefined> {
    const { value, versionstamp } = await this.store.get(KEYS.head);
    if (versionstamp === null) return void this.#say("the store has no head record");
    try {
      return decodeHead(value);
    } catch (error) {
      return void this.#say(error);
    }
  }

  async #log(seq: number, bytes: Uint8Array): Promise<void> {
    const records: LogRecord[] = [];
    try {
      for (const record of readLog(bytes, seq)) records.push(record);
    } catch (error) {
      this.#say(error);
    }
    this.#records += records.length;
    this.#note(records);
    for (const record of records) if (record.kind === KIND.blob) await this.#blob(record);
  }

  #note(records: Iterable<LogRecord>): void {
    for (const { kind, revision } of records) if (kind !== KIND.free) this.#revisions.add(revision);
  }

  /** Each revision after what is compacted has its record: without one a log value is lost. What was moved meanwhile lies after the head's. */
  async #gaps({ seq, revision }: Head): Promise<void> {
    for await (const [at, bytes] of logFrom(this.store, seq + 1, await this.#newest())) this.#note(readLog(bytes, at));
    const { compacted = revision } = await this.#head() ?? {};
    let lost = 0;
    for (let one = compacted + 1; one <= revision; one++) if (!this.#revisions.has(one)) lost++;
    if (lost > 0) this.#say(`${lost} of the ${revision - compacted} newest changes are lost`);
  }

  async #blob(record: LogRecord): Promise<void> {
    const { id, length } = decodeBlobRef(record.payload);
    if (this.#blobs.has(id)) return;
    this.#blobs.add(id);
    this.#bytes += length;
    try {
      if (await readBlob(this.store, record)) return;
      this.#say(`the value of key ${JSON.stringify(record.key)}, revision ${record.revision}, is lost`);
    } catch (error) {
      this.#say(error);
    }
  }

  /** Pieces that nothing names take space. Those being written or deleted are named by a note, those written meanwhile in log values after `last`. */
  async #strays(last: number): Promise<void> {
    const strays = new Set<string>();
    for await (const { key } of this.store.kv.list({ prefix: ["blob"] })) {
      if (!this.#blobs.has(key[1] as string)) strays.add(key[1] as string);
    }
    if (strays.size === 0 || await this.#noted()) return;
    for await (const [seq, bytes] of logFrom(this.store, last + 1, await this.#newest())) {
      for (const record of readLog(bytes, seq)) {
        if (record.kind === KIND.blob) strays.delete(decodeBlobRef(record.payload).id);
      }
    }
    const there = (await this.store.bytes([...strays].map((id) => KEYS.piece(id, 0)))).filter((piece) => piece).length;
    if (there > 0) this.#say(`${there} long values are named by no record`);
  }

  async #noted(): Promise<boolean> {
    for (const prefix of ["intent", "gone"]) {
      for await (const _ of this.store.kv.list({ prefix: [prefix] }, { limit: 1 })) return true;
    }
    return false;
  }
}
