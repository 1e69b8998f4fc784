/** The audit log file: appended to, rotated by size, old parts removed by number and age. */
import { dirname } from "node:path";
import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { LineWriter } from "../audit/types.ts";

/** Bounds of the file and its old parts; 0 is none. */
export interface LogFileLimits {
  /** Bytes at which the file is rotated. */
  readonly bytes: number;
  /** Old parts kept. */
  readonly backups: number;
  /** How long they are kept, ms. */
  readonly age: number;
  /** Compress them. */
  readonly gzip: boolean;
}

const UTF8 = new TextEncoder();
const PRIVATE = 0o600;
const STAMP = /^(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3})$/;

/** See the top of the file. Old parts are called after the time of their rotation: `audit-2026-01-02T03-04-05.678.log`. */
export class LogFile implements LineWriter {
  readonly #path: string;
  readonly #limits: LogFileLimits;
  readonly #now: () => number;
  readonly #failed: (e: unknown) => void;
  #file: Deno.FsFile;
  #size: number;
  #tidying: Promise<void> = Promise.resolve();

  /** @throws Error when the file cannot be opened for writing */
  constructor(path: string, limits: LogFileLimits, now: () => number, failed: (e: unknown) => void) {
    this.#path = path;
    this.#limits = limits;
    this.#now = now;
    this.#failed = failed;
    Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    this.#file = this.#open();
    this.#size = this.#file.statSync().size;
    this.#tidy();
  }

  /** Writes to the system at once. @throws Error when it cannot, or when the text alone is more than a file may hold */
  write(text: string): void {
    const bytes = UTF8.encode(text);
    const { bytes: most } = this.#limits;
    if (most > 0 && bytes.length > most) throw new Error(`${bytes.length} bytes are more than a file may have`);
    if (most > 0 && this.#size + bytes.length > most) this.#rotate();
    this.#append(bytes);
    this.#size += bytes.length;
  }

  /** All of a text or nothing: what comes next is not to stand behind a part of it. */
  #append(bytes: Uint8Array): void {
    let at = 0;
    try {
      while (at < bytes.length) at += this.#file.writeSync(bytes.subarray(at));
    } catch (e) {
      if (at > 0) this.#file.truncateSync(this.#file.statSync().size - at);
      throw e;
    }
  }

  /** Resolves when old parts are as they should be, too. */
  async close(): Promise<void> {
    this.#file.close();
    await this.#tidying;
  }

  #open(): Deno.FsFile {
    return Deno.openSync(this.#path, { append: true, create: true, mode: PRIVATE });
  }

  #rotate(): void {
    try {
      Deno.renameSync(this.#path, freeName(this.#path, this.#now()));
    } catch (e) {
      // Taken away by somebody, or by a rotation that could not open the next file.
      if (!(e instanceof Deno.errors.NotFound)) throw e;
      Deno.mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    }
    const file = this.#open();
    this.#file.close();
    this.#file = file;
    this.#size = 0;
    this.#tidy();
  }

  #tidy(): void {
    this.#tidying = this.#tidying.then(() => tidied(this.#path, this.#limits, this.#now())).catch((e) => {
      // Where the files have gone there is nothing to tidy; who writes will tell.
      if (!(e instanceof Deno.errors.NotFound)) this.#failed(e);
    });
  }
}

/** `audit` and `.log`. */
function partsOf(path: string): { stem: string; end: string } {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot < 0 ? { stem: name, end: "" } : { stem: name.slice(0, dot), end: name.slice(dot) };
}

/** Where a part goes that is rotated at a time: one of the same moment keeps its name, and the next takes a later one. */
function freeName(path: string, now: number): string {
  const directory = dirname(path), { stem, end } = partsOf(path);
  const taken = new Set(Deno.readDirSync(directory).map(({ name }) => name));
  for (let at = now;; at++) {
    const name = `${stem}-${new Date(at).toISOString().slice(0, -1).replaceAll(":", "-")}${end}`;
    if (!taken.has(name) && !taken.has(`${name}.gz`)) return `${directory}/${name}`;
  }
}

/** Removes old parts that are too many or too old, and compresses the others. */
async function tidied(path: string, limits: LogFileLimits, now: number): Promise<void> {
  const directory = dirname(path), { stem, end } = partsOf(path);
  // A part has two files where its compression was broken off: it counts once, and is compressed anew.
  const parts = new Map<number, string[]>();
  for await (const { name, isFile } of Deno.readDir(directory)) {
    const at = isFile ? rotatedAt(name, stem, end) : undefined;
    if (at !== undefined) parts.set(at, [...parts.get(at) ?? [], `${directory}/${name}`]);
  }
  const newest = [...parts].sort(([a], [b]) => b - a);
  const isOld = (at: number, i: number) =>
    limits.backups > 0 && i >= limits.backups || limits.age > 0 && now - at > limits.age;
  // These first: they make room for what is compressed.
  const old = newest.filter(([at], i) => isOld(at, i)).flatMap(([, files]) => files);
  for (const file of old) await Deno.remove(file);
  if (!limits.gzip) return;
  const kept = newest.filter(([at], i) => !isOld(at, i)).flatMap(([, files]) => files);
  for (const file of kept) if (!file.endsWith(".gz")) await zipped(file);
}

/** When a part was rotated; undefined for another file. */
function rotatedAt(name: string, stem: string, end: string): number | undefined {
  const bare = name.endsWith(".gz") ? name.slice(0, -3) : name;
  if (!bare.startsWith(`${stem}-`) || !bare.endsWith(end)) return undefined;
  const [, day, hour, minute, second] = STAMP.exec(bare.slice(stem.length + 1, bare.length - end.length)) ?? [];
  const at = Date.parse(`${day}${hour}:${minute}:${second}Z`);
  return Number.isNaN(at) ? undefined : at;
}

async function zipped(file: string): Promise<void> {
  await pipeline(createReadStream(file), createGzip(), createWriteStream(`${file}.gz`, { mode: PRIVATE }));
  await Deno.remove(file);
}
