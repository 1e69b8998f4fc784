/**
 * The file of `store export` and `store import`: a store's objects as lines of JSON.
 *
 *     {"objects":1,"dialect":"kubernetes","revision":1234}
 *     {"object":{"apiVersion":"v1","kind":"ConfigMap","metadata":{…},"data":{…}}}
 *     {"object":{"apiVersion":"v1","kind":"Event",…},"expires":"2026-01-01T00:00:00Z"}
 *     {"key":"ranges/servicenodeports/30080","value":"<base64>"}
 *     {"end":3}
 *
 * The first line says the format, in whose names the objects are written, and of which revision they are; the last one how
 * many lines are between, so that a file that was cut short is found. Order does not matter. `key` is for what a store
 * holds beside objects: its place below the prefix, and its bytes.
 */
import { encodeJson, parseJson } from "../../../schema/codec/json.ts";
import { isMap } from "../../../schema/model/members.ts";
import type { Json, JsonMap } from "../../../schema/model/types.ts";
import { linesOf } from "../../../schema/values/lines.ts";
import { StorageError } from "../backend.ts";

const FORMAT = 1;
/** A longer line is no object: those have at most 3 MiB, and JSON may take twice as much. */
const MAX_LINE = 16 << 20;

/** The first line. */
export interface ObjectsHeader {
  readonly dialect: string;
  readonly revision: number;
}

/** A line between the first and the last. */
export type ObjectsLine =
  | { readonly object: JsonMap; /** ms since the epoch */ readonly expiresAt?: number }
  | { readonly key: string; readonly value: Uint8Array };

/** Writes a file. */
export class ObjectsWriter {
  #lines = 0;

  private constructor(readonly write: (bytes: Uint8Array) => Promise<void>) {}

  /** Writes the first line. */
  static async start(write: (bytes: Uint8Array) => Promise<void>, header: ObjectsHeader): Promise<ObjectsWriter> {
    const { dialect, revision } = header;
    await write(encodeJson({ objects: FORMAT, dialect, revision }));
    return new ObjectsWriter(write);
  }

  /** How many lines there are between the first one and here. */
  get lines(): number {
    return this.#lines;
  }

  /** Writes a line. */
  async put(line: ObjectsLine): Promise<void> {
    this.#lines++;
    await this.write(encodeJson(lineOf(line)));
  }

  /** Writes the last line. */
  async end(): Promise<void> {
    await this.write(encodeJson({ end: this.#lines }));
  }
}

function lineOf(line: ObjectsLine): JsonMap {
  if ("key" in line) return { key: line.key, value: line.value.toBase64() };
  const { object, expiresAt } = line;
  return { object, ...(expiresAt === undefined ? {} : { expires: new Date(expiresAt).toISOString() }) };
}

/** What comes of reading: the first line, then all others with their numbers. */
export interface ObjectsReading {
  readonly header: ObjectsHeader;
  readonly lines: AsyncIterable<readonly [line: ObjectsLine, number: number]>;
}

/**
 * Reads a file, however it is cut into chunks.
 * @throws StorageError `format` for another file or a newer one, `corrupt` for one that is cut short or has a line that is none
 */
export async function readObjects(chunks: AsyncIterable<Uint8Array>): Promise<ObjectsReading> {
  const texts = linesOf(chunks, MAX_LINE, () => damaged(`a line has more than ${MAX_LINE} bytes`));
  const first = await texts.next();
  const header = first.done ? undefined : headerOf(first.value);
  if (!header) throw new StorageError("format", "this is no file of objects (its first line says otherwise)");
  return { header, lines: checked(texts) };
}

function headerOf(bytes: Uint8Array): ObjectsHeader | undefined {
  const tree = treeOf(bytes);
  if (!isMap(tree) || typeof tree.objects !== "number") return undefined;
  const { objects, dialect, revision } = tree;
  if (objects > FORMAT) {
    throw new StorageError("format", `the file has format ${objects}, known are up to ${FORMAT}`);
  }
  if (typeof dialect !== "string") return undefined;
  return { dialect, revision: typeof revision === "number" ? revision : 0 };
}

async function* checked(texts: AsyncIterable<Uint8Array>): AsyncGenerator<readonly [ObjectsLine, number]> {
  let lines = 0;
  let end: Json | undefined;
  for await (const bytes of texts) {
    if (end !== undefined) throw damaged("something follows its end");
    const tree = treeOf(bytes);
    if (isMap(tree) && "end" in tree) end = tree.end!;
    else yield [lineFrom(tree, lines + 2), ++lines + 1];
  }
  if (end === undefined) throw damaged("it is cut short");
  if (end !== lines) throw damaged(`it has ${lines} lines, not ${end} as its end says`);
}

function lineFrom(tree: Json | undefined, number: number): ObjectsLine {
  if (isMap(tree)) {
    const { object, expires, key, value } = tree;
    if (isMap(object)) {
      if (expires === undefined) return { object };
      const expiresAt = typeof expires === "string" ? Date.parse(expires) : NaN;
      if (Number.isFinite(expiresAt)) return { object, expiresAt };
    } else if (typeof key === "string" && key !== "" && typeof value === "string") {
      return { key, value: bytesOf(value, number) };
    }
  }
  throw damaged(`line ${number} is neither an object nor a key`);
}

function bytesOf(base64: string, number: number): Uint8Array {
  try {
    return Uint8Array.fromBase64(base64);
  } catch {
    throw damaged(`the value of line ${number} is not base64`);
  }
}

function treeOf(bytes: Uint8Array): Json | undefined {
  try {
    return parseJson(bytes).tree;
  } catch {
    return undefined;
  }
}

function damaged(what: string): StorageError {
  return new StorageError("corrupt", `the file of objects is damaged: ${what}`);
}
