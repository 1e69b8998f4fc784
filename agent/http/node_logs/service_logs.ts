/** Logs of services: of the journal where it knows them, else of files. */
import type { FileHandle } from "node:fs/promises";
import { openInside } from "../../files.ts";
import { journal, journalArguments, known } from "./journal.ts";
import type { LogPlaces } from "./places.ts";
import { isEmpty, type NodeLogQuery } from "./query.ts";

type Chunk = Uint8Array | string;

/** All that was asked for; what goes wrong is said in its midst. It never throws. */
export async function* serviceLogs(asked: NodeLogQuery, places: LogPlaces, signal: AbortSignal): AsyncGenerator<Chunk> {
  const { services, options } = asked, { root, journalctl } = places;
  const inJournal = await known(journalctl, services, signal);
  if (inJournal.length > 0) {
    try {
      yield* journal(journalctl, journalArguments(inJournal, options), signal);
    } catch {
      if (!options.boot) yield "\nerror: journal output not available\n";
    }
  }
  const inFiles = services.filter((name) => !inJournal.includes(name));
  if (inFiles.length === 0) return;
  if (!isEmpty(options)) {
    const names = inFiles.join(" ");
    yield `\noptions present and query resolved to log files for [${names}]\ntry without specifying options\n`;
  } else {
    for (const name of inFiles) {
      if (signal.aborted) return yield "\ncontext error: context deadline exceeded\n";
      yield* fileOf(root, name, signal);
    }
  }
}

/** The first that is there of those which a service's log may be. */
async function* fileOf(root: string, service: string, signal: AbortSignal): AsyncGenerator<Chunk> {
  try {
    for (const name of [service, `${service}.log`, `${service}/${service}.log`]) {
      const file = await fileAt(root, name);
      if (file) return yield* file.createReadStream({ signal });
    }
    yield `\nlog not found for ${service}\n`;
  } catch (e) {
    yield `\nerror getting log for ${service}: ${(e as Error).message}\n`;
  }
}

/** Undefined: there is none, or a directory. @throws Error: it cannot be had */
async function fileAt(root: string, name: string): Promise<FileHandle | undefined> {
  let file: FileHandle | undefined;
  try {
    file = await openInside(root, name);
    if (!(await file.stat()).isDirectory()) return file;
  } catch (e) {
    if (!["ENOENT", "ENOTDIR"].includes((e as NodeJS.ErrnoException).code ?? "")) {
      await file?.close();
      throw e;
    }
  }
  await file?.close();
  return undefined;
}
