/** Files of the store's commands: read in chunks, written whole or not at all. */
import { basename, dirname, join } from "node:path";
import { syncNames } from "../../host/sync_names.ts";

/** The file's bytes. @throws Deno.errors */
export async function* chunks(file: string): AsyncGenerator<Uint8Array> {
  const input = await Deno.open(file);
  try {
    yield* chunksOf(input);
  } finally {
    input.close();
  }
}

async function* chunksOf(input: Deno.FsFile): AsyncGenerator<Uint8Array> {
  for (;;) {
    const chunk = new Uint8Array(1 << 16);
    const n = await input.read(chunk);
    if (n === null) return;
    yield chunk.subarray(0, n);
  }
}

/** Less than this is held back, so that a file of small lines is not written a line at a time. */
const HELD = 1 << 16;

/** What ends a command from outside, a lost terminal among it, and the exit code of one that is ended so. */
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 } as const;

/**
 * Writes a file for its owner alone: under another name until it is whole and on disk. A signal that ends the process
 * leaves nothing of it, as it may hold secrets in the clear. @throws what the work throws
 */
export async function intoFile<T>(
  file: string,
  work: (write: (bytes: Uint8Array) => Promise<void>) => Promise<T>,
): Promise<T> {
  // What is written takes its place: of a device or a pipe, `/dev/stdout` say, too.
  const there = await Deno.stat(file).catch(() => undefined);
  if (there && !there.isFile) throw new Error(`${file} is no file`);
  // A name of its own: one that is there may be open to others, or be what another command is writing.
  const part = `${file}.${crypto.randomUUID()}.part`;
  const out = await Deno.open(part, { write: true, createNew: true, mode: 0o600 });
  const forget = removedBySignals(part);
  const { write, flush } = writing(out);
  try {
    const report = await work(write);
    await flush();
    await out.sync();
    await Deno.rename(part, file);
    await syncNames(dirname(file));
    return report;
  } catch (error) {
    await Deno.remove(part).catch(() => {});
    throw error;
  } finally {
    forget();
    out.close();
  }
}

/** The files of a database, by what their names end with. */
const OF_A_DATABASE = ["", "-wal", "-shm"];

/** @throws Error when the file would take the place of one of a database's */
export async function mustNotBeOf(database: string, file: string): Promise<void> {
  const [own, place] = await Promise.all([placeOf(database), placeOf(file)]);
  if (OF_A_DATABASE.some((end) => place === `${own}${end}`)) {
    throw new Error(`${file} is the store itself: name another file`);
  }
}

/** Where a file is, or would be. */
async function placeOf(file: string): Promise<string> {
  const directory = async () => join(await Deno.realPath(dirname(file)), basename(file));
  return await Deno.realPath(file).catch(directory).catch(() => file);
}

/** Removes the file when a signal ends the process; to be called off. */
function removedBySignals(file: string): () => void {
  const listeners = Object.entries(SIGNALS).map(([signal, code]) => {
    const listener = () => {
      try {
        Deno.removeSync(file);
      } finally {
        Deno.exit(code);
      }
    };
    Deno.addSignalListener(signal as Deno.Signal, listener);
    return [signal as Deno.Signal, listener] as const;
  });
  return () => listeners.forEach(([signal, listener]) => Deno.removeSignalListener(signal, listener));
}

/** What is kept while a command runs. */
export interface Aside {
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** What has been written, from its start; one reader at a time. */
  readonly read: () => AsyncIterable<Uint8Array>;
}

/** A file without a name: nobody else can open it, and it is gone when the process is, however that ends. @throws what the work throws */
export async function aside<T>(work: (file: Aside) => Promise<T>): Promise<T> {
  const path = await Deno.makeTempFile({ prefix: "import-" });
  const file = await Deno.open(path, { read: true, write: true });
  try {
    await Deno.remove(path);
    const { write, flush } = writing(file);
    const read = async function* () {
      await flush();
      await file.seek(0, Deno.SeekMode.Start);
      yield* chunksOf(file);
    };
    return await work({ write, read });
  } finally {
    file.close();
  }
}

/** Writes in larger pieces; `flush` what is held back. */
function writing(out: Deno.FsFile) {
  const held = new Uint8Array(HELD);
  let n = 0;
  const all = async (bytes: Uint8Array) => {
    for (let at = 0; at < bytes.length;) at += await out.write(bytes.subarray(at));
  };
  const flush = async () => {
    await all(held.subarray(0, n));
    n = 0;
  };
  const write = async (bytes: Uint8Array) => {
    if (n + bytes.length > HELD) await flush();
    if (bytes.length > HELD) return await all(bytes);
    held.set(bytes, n);
    n += bytes.length;
  };
  return { write, flush };
}
