/**
 * Gives space back: records that still stand are moved from old log values to new ones, and the old ones deleted.
 *
 * A deletion's record must outlive every record of an older version of its key on disk, or a later start would bring the key back.
 * Log values are therefore taken oldest first; only those without anything dead are passed over. Past one that has to
 * stay for now, deletions are moved on and not dropped.
 */
import { pause } from "../../pause.ts";
import { type Revision, RevisionError } from "../backend.ts";
import { goneNotes, removeGone } from "./blob.ts";
import type { Core } from "./core.ts";
import { KEYS, LOG_BYTES, rowBytes } from "./layout.ts";
import {
  type BlobRef,
  decodeBlobRef,
  freeRecord,
  KIND,
  type LogRecord,
  LogWriter,
  readLog,
  recordBytes,
} from "./record.ts";
import type { Segment } from "./segments.ts";
import type { State } from "./state.ts";
import { putHead } from "./writer.ts";

/** Cleaning starts when the disk holds more than so many times what stands, and ends below the second. */
const START = 1.35;
const END = 1.15;
/** Not worth while below, bytes. */
const SLACK = 512 << 10;
/** Bytes moved and log values deleted in one atomic: 2 to 5 ms, so that commits are not held up. */
const STEP_BYTES = LOG_BYTES - 4_000;
const STEP_LOGS = 16;
/** Long values dropped in one step, where one log value alone does not drop more. */
const STEP_BLOBS = 200;
/** Versions dropped from the index at a time: about 2 ms. */
const DROP = 2_000;
/** A log value below is merged with its neighbours. */
const SMALL = LOG_BYTES / 2;
/** Pause between steps, as a multiple of what the step took, and at least so many ms. */
const PAUSE = 1.5;
const PAUSE_MIN = 5;

/** What becomes of one old log value. */
interface Plan {
  readonly move: LogRecord[];
  /** Long values that go: there may be more pieces of them than one atomic takes, so these follow it. */
  readonly drop: BlobRef[];
}

/** One way through the log, from its oldest value. */
interface Pass {
  /** Log values before this number are done with. */
  from: number;
  /** None of those holds anything dead. */
  sealed: boolean;
  /** Taken at the start: what dies during the pass waits for the next one, or `sealed` would not be true. */
  readonly below: Revision;
}

/** See the top of the file. */
export class Cleaner {
  #running: Promise<void> | undefined;
  #again = false;
  #due = false;

  /** @param allowed runs a step if this process may clean now; undefined if not */
  constructor(
    readonly core: Core,
    readonly allowed: (step: () => Promise<boolean | undefined>) => Promise<boolean | undefined>,
  ) {}

  /** See Backend.compact. Space is given back in the background: {@linkcode settled}. */
  async compact(below: Revision): Promise<void> {
    await this.core.lane.run(async () => {
      const { core } = this;
      core.open();
      if (!core.sole) await core.catchUp();
      const { state } = core;
      if (below > state.revision) throw new RevisionError("future", below, state.revision);
      while (below > core.state.compacted && !(await this.#setCompacted(below))) await core.catchUp();
    });
    await this.forget();
    this.start();
  }

  /** See Backend.countFrom. */
  async countFrom(revision: Revision): Promise<void> {
    await this.core.lane.run(async () => {
      const { core } = this;
      core.open();
      if (!core.sole) await core.catchUp();
      while (revision > core.state.revision && !(await this.#setCompacted(revision, revision))) await core.catchUp();
      core.hub.publish([], core.state.revision);
    });
  }

  async #setCompacted(compacted: Revision, revision: Revision = this.core.state.revision): Promise<boolean> {
    const { core, core: { state } } = this, head = { revision, seq: state.seq, compacted };
    const stamp = await putHead(core, head, () => {});
    if (stamp === undefined) return false;
    core.stamp = stamp;
    state.settle(head);
    return true;
  }

  /** Drops from the index what compaction allows, a little at a time. */
  async forget(): Promise<void> {
    const { state } = this.core;
    const below = state.compacted;
    while (!state.index.compact(below, DROP)) {
      await pause(0);
      if (this.core.closed) return;
    }
    if (below <= state.forgotten) return;
    state.forgotten = below;
    this.#due = true;
  }

  /** What was compacted since the last pass has been looked at by nobody here: this process might not clean then. */
  get due(): boolean {
    return this.#due;
  }

  /** Cleans in the background if there is enough to gain. */
  start(): void {
    this.#again = true;
    this.#running ??= this.#run().finally(() => this.#running = undefined);
  }

  /** Resolves when no cleaning is under way. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#again && !this.core.closed) {
      this.#again = this.#due = false;
      if (!wasteful(this.core.state, START)) continue;
      // A failing disk or a busy one: the next compaction tries again.
      if (!(await this.#pass().catch(() => true))) this.#due = true;
    }
  }

  /** False when this process might not clean, or not to the end. */
  async #pass(): Promise<boolean> {
    const pass = { from: 0, sealed: true, below: this.core.state.forgotten };
    for (;;) {
      if (this.core.closed || !wasteful(this.core.state, END)) return true;
      const started = performance.now();
      const going = await this.allowed(() => this.#step(pass));
      if (!going) return going !== undefined;
      await pause(Math.max(PAUSE_MIN, (performance.now() - started) * PAUSE));
    }
  }

  /** One atomic. False when there is nothing (more) to be done; undefined when it cannot be done now. */
  async #step(pass: Pass): Promise<boolean | undefined> {
    const { core } = this;
    const { state, sole } = core;
    const batch = candidates(state, pass);
    if (batch.length === 0) return false;
    const read = await Promise.all(batch.map((segment) => this.#bytes(segment)));
    // That waits for us, who would wait for its lane.
    if (core.reloading) return undefined;
    const going = await core.lane.run(async () => {
      // Alone when it began and no more: another process may be reading the log now, and would miss what is moved.
      if (core.closed || sole && !core.sole) return undefined;
      if (!core.sole) await core.catchUp();
      if (core.state !== state) return undefined;
      return await this.#rewrite(state, batch, read, pass);
    });
    // Nobody reads them any more, and commits need not wait for it.
    if (!core.closed) await removeGone(core.store);
    return going;
  }

  async #bytes(segment: Segment): Promise<Uint8Array | undefined> {
    return this.core.state.cache.get(segment.seq) ?? (await this.core.store.bytes([KEYS.log(segment.seq)]))[0];
  }

  async #rewrite(
    state: State,
    batch: readonly Segment[],
    read: readonly (Uint8Array | undefined)[],
    pass: Pass,
  ): Promise<boolean> {
    const taken: Segment[] = [];
    const move: LogRecord[] = [];
    const drop: BlobRef[] = [];
    let bytes = 0;
    for (const [i, segment] of batch.entries()) {
      const plan = state.segments.get(segment.seq) === segment && planFor(state, segment, read[i], pass.sealed);
      if (plan) {
        const more = plan.move.reduce((sum, r) => sum + recordBytes(r.key, r.payload.length), 0);
        const full = bytes + more > STEP_BYTES || drop.length + plan.drop.length > STEP_BLOBS;
        if (full && taken.length > 0) break;
        taken.push(segment);
        move.push(...plan.move);
        drop.push(...plan.drop);
        bytes += more;
      } else if (state.segments.get(segment.seq) === segment) pass.sealed = false;
      pass.from = segment.seq + 1;
    }
    if (taken.length > 0 && !(await this.#put(state, taken, move, drop))) pass.sealed = false;
    return true;
  }

  async #put(state: State, taken: Segment[], move: LogRecord[], drop: readonly BlobRef[]): Promise<boolean> {
    const { core } = this;
    const logs = pack(state, taken, move).map((log) => ({ seq: log.seq, bytes: log.finish() }));
    const before = taken.reduce((sum, s) => sum + rowBytes(s.bytes), drop.reduce((sum, ref) => sum + ref.length, 0));
    const after = logs.reduce((sum, log) => sum + rowBytes(log.bytes.length), 0);
    if (after >= before) return false;
    const head = { revision: state.revision, seq: state.seq + logs.length, compacted: state.compacted };
    const stamp = await putHead(core, head, (atomic) => {
      for (const { seq } of taken) atomic.delete(KEYS.log(seq));
      for (const [key, note] of goneNotes(drop)) atomic.set(key, note);
      for (const log of logs) atomic.set(KEYS.log(log.seq), log.bytes);
    }, [logs[0]!.seq, logs[0]!.bytes]);
    if (stamp === undefined) return false;
    core.stamp = stamp;
    for (const log of logs) state.apply(log.seq, log.bytes);
    return true;
  }
}

function wasteful(state: State, times: number): boolean {
  return state.segments.disk > state.segments.live * times + SLACK;
}

/** Old log values with something dead, or small, from a number on. */
function candidates(state: State, { from, below }: Pass): Segment[] {
  const out: Segment[] = [];
  let bytes = 0;
  for (const segment of state.segments) {
    if (segment.last > below) break;
    if (segment.seq < from || (segment.live === segment.total && segment.pure && segment.bytes >= SMALL)) continue;
    out.push(segment);
    bytes += segment.live;
    if (out.length >= STEP_LOGS || bytes > STEP_BYTES) break;
  }
  return out;
}

/** Undefined when the log value has to stay: it holds history of a key that is deleted since. */
function planFor(state: State, segment: Segment, bytes: Uint8Array | undefined, sealed: boolean): Plan | undefined {
  const plan: Plan = { move: [], drop: [] };
  if (!bytes) return plan;
  for (const record of readLog(bytes, segment.seq)) {
    if (record.kind === KIND.free) continue;
    if (record.kind === KIND.delete) {
      if (!sealed || state.index.newest(record.key)?.revision === record.revision) plan.move.push(record);
      continue;
    }
    const stands = state.index.standing(record.key, record.revision, (w) => w.segment === segment);
    if (stands === "deleted since") return undefined;
    if (stands === "yes") plan.move.push(record);
    else if (record.kind === KIND.blob && stands === "no") plan.drop.push(decodeBlobRef(record.payload));
  }
  return plan;
}

/** New log values with the records, and the record of what is gone. */
function pack(state: State, taken: readonly Segment[], move: readonly LogRecord[]): LogWriter[] {
  const logs: LogWriter[] = [];
  const gone = freeRecord(taken.map((s) => s.seq), state.revision);
  for (const record of [gone, ...move]) {
    let log = logs.at(-1);
    if (!log?.fits(recordBytes(record.key, record.payload.length))) {
      logs.push(log = new LogWriter(state.seq + logs.length + 1));
    }
    log.add({ ...record, moved: true });
  }
  return logs;
}
