/** Reads a container's log file, and follows it while the container runs. */
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { concat } from "../../../schema/values/bytes.ts";
import { type Runtime, RuntimeError } from "../../runtime/types.ts";
import type { Clock } from "../../types.ts";
import type { Out } from "../answer.ts";
import { LineWriter } from "./lines.ts";
import type { LogOptions } from "./options.ts";
import { tailStart } from "./tail.ts";

/** What reading needs. */
export interface LogReader {
  readonly runtime: Pick<Runtime, "containerStatus">;
  readonly clock: Clock;
}

/** Bytes read at once. */
const CHUNK = 64 * 1024;
/** A longer line is not one: what the runtime writes is at most a quarter of it. */
const MAX_LINE = 1024 * 1024;
/** Pauses before a followed file is looked at again: the first, and the longest that it grows to, ms. */
const FIRST_PAUSE_MS = 25, LONGEST_PAUSE_MS = 400;
/** How often the runtime is asked, while nothing comes, whether the container runs, ms. */
const ASK_MS = 1_000;
const NEWLINE = 0x0a;

/** A file that is read on and on. */
class Tail {
  readonly #chunk = new Uint8Array(CHUNK);
  #rest: Uint8Array[] = [];
  #restLength = 0;

  constructor(readonly file: FileHandle, public at: number) {}

  /** Whole lines that are there now, with their newlines; undefined: none at the moment. */
  async lines(): Promise<Uint8Array[] | undefined> {
    const { bytesRead } = await this.file.read(this.#chunk, 0, CHUNK, this.at);
    if (bytesRead === 0) return undefined;
    this.at += bytesRead;
    const read = this.#chunk.slice(0, bytesRead), lines: Uint8Array[] = [];
    let from = 0;
    for (let end = read.indexOf(NEWLINE); end >= 0; end = read.indexOf(NEWLINE, from)) {
      lines.push(concat([...this.#rest, read.subarray(from, end + 1)]));
      this.#rest = [];
      this.#restLength = 0;
      from = end + 1;
    }
    if (from < bytesRead && this.#restLength < MAX_LINE) {
      this.#rest.push(read.subarray(from));
      this.#restLength += bytesRead - from;
    }
    return lines;
  }

  /** The begin of a line that has not ended, if there is one. */
  rest(): Uint8Array[] {
    return this.#restLength > 0 ? [concat(this.#rest)] : [];
  }
}

/**
 * Writes what is asked of a log. A file that was put in the place of the followed one (rotation) is read next.
 * @throws Error when the file cannot be read, or nobody reads any more
 */
export async function readLog(
  reader: LogReader,
  path: string,
  id: string,
  options: LogOptions,
  out: Out,
  signal: AbortSignal,
): Promise<void> {
  const { follow, tailLines } = options;
  const real = await realpath(path).catch((e) => {
    throw new Error(`failed to try resolving symlinks in path "${path}": ${e.message}`);
  });
  const writer = new LineWriter(options);
  let tail = new Tail(await opened(real), 0), newer: FileHandle | undefined;
  // Without following no more than these are wanted, whatever is written meanwhile.
  let left = tailLines === undefined || follow ? Infinity : tailLines;
  const give = async (lines: readonly Uint8Array[]) => {
    const parts: Uint8Array[] = [];
    for (const line of lines) {
      if (left <= 0 || writer.done) break;
      left--;
      parts.push(...writer.take(line));
    }
    await out.write(concat(parts));
  };
  const drain = async () => {
    for (let lines = await tail.lines(); lines; lines = await tail.lines()) {
      await give(lines);
      if (left <= 0 || writer.done) return;
    }
  };
  try {
    if (tailLines !== undefined) tail.at = await tailStart(tail.file, tailLines);
    await drain();
    if (!follow) return await give(tail.rest());
    const waits = new Waits(reader, id, signal);
    while (!writer.done && !signal.aborted) {
      const at = tail.at;
      const runs = await waits.next();
      await drain();
      newer = await replaced(real, tail.file);
      if (newer) {
        // What was written between the two looks.
        await drain();
        await tail.file.close();
        tail = new Tail(newer, 0);
        await drain();
      }
      if (tail.at !== at || newer) waits.came();
      else if (!runs) return;
    }
  } finally {
    for (const file of new Set([tail.file, newer])) await file?.close().catch(() => {});
  }
}

async function opened(path: string): Promise<FileHandle> {
  try {
    return await open(path);
  } catch (e) {
    throw new Error(`failed to open log file "${path}": ${(e as Error).message}`);
  }
}

/** The file that stands in the place of another one; undefined: there is none, or none yet. */
async function replaced(path: string, file: FileHandle): Promise<FileHandle | undefined> {
  try {
    const [there, here] = await Promise.all([stat(path), file.stat()]);
    return there.ino === here.ino && there.dev === here.dev ? undefined : await open(path);
  } catch {
    return undefined;
  }
}

/** Pauses between looks at a file. */
class Waits {
  readonly #reader: LogReader;
  readonly #id: string;
  readonly #signal: AbortSignal;
  #pause = FIRST_PAUSE_MS;
  /** Since then the container has not been asked for. */
  #askedAt = -Infinity;
  #runs = true;

  constructor(reader: LogReader, id: string, signal: AbortSignal) {
    this.#reader = reader;
    this.#id = id;
    this.#signal = signal;
  }

  /** Something was read. */
  came(): void {
    this.#pause = FIRST_PAUSE_MS;
  }

  /** Waits; whether the container ran before that: if not, all that it wrote is there. */
  async next(): Promise<boolean> {
    const { clock } = this.#reader;
    if (this.#runs && clock.ticks() - this.#askedAt >= ASK_MS) {
      this.#runs = await this.#running();
      this.#askedAt = clock.ticks();
    }
    if (!this.#runs) return false;
    await clock.wait(this.#pause, this.#signal);
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE_MS);
    return true;
  }

  /** A runtime that does not answer says nothing of its containers. */
  async #running(): Promise<boolean> {
    try {
      return (await this.#reader.runtime.containerStatus(this.#id)).state === "RUNNING";
    } catch (e) {
      return !(e instanceof RuntimeError && e.code === "NotFound");
    }
  }
}
