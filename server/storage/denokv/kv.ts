/** Deno KV with its errors made ours, and its "database is locked" waited out. */
import { pause } from "../../pause.ts";
import { StorageError } from "../backend.ts";

/** Longest time that a locked database is tried again, ms. */
const LOCKED_FOR = 8_000;
const GET_MANY = 10;
/** A database at a URL. */
export const FAR = /^https?:/;

const ERRORS: readonly (readonly [RegExp, StorageError["kind"], string])[] = [
  [/database or disk is full|no space left/i, "full", "the disk is full"],
  [/malformed|not a database|file is encrypted/i, "corrupt", "the database file is damaged"],
  [/bad resource|operation canceled|interrupted/i, "closed", "the store is closed"],
  [/too large/i, "too-large", "the write is too large"],
  [/readonly database|unable to open|locked|busy/i, "unavailable", "the database cannot be used now"],
  [/disk i\/o error/i, "unavailable", "the disk failed"],
];

/** Any error of Deno KV as a StorageError. Unknown ones are `unavailable`. */
export function storageError(error: unknown, doing: string): StorageError {
  if (error instanceof StorageError) return error;
  const text = error instanceof Error ? error.message : String(error);
  const row = ERRORS.find(([pattern]) => pattern.test(text));
  const [, kind, words] = row ?? [undefined, "unavailable" as const, "the database failed"];
  return new StorageError(kind, `${doing}: ${words}: ${text}`, { cause: error });
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && /database is (?:locked|busy)|database table is locked/i.test(error.message);
}

/** Thin access to one open database. */
export class KvStore {
  /** @param far the database is reached over a network: the runtime sends again, by itself, what it gets no answer to */
  constructor(readonly kv: Deno.Kv, readonly random: () => number, readonly far = false) {}

  /** One row. */
  get(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<unknown>> {
    return this.patient("read", () => this.kv.get<unknown>(key));
  }

  /** Rows' bytes, in the order of the keys; undefined where there is none. Not of one moment when more than ten. */
  async bytes(keys: readonly Deno.KvKey[]): Promise<(Uint8Array | undefined)[]> {
    const out: (Uint8Array | undefined)[] = [];
    for (let i = 0; i < keys.length; i += GET_MANY) {
      const some = keys.slice(i, i + GET_MANY);
      const rows = await this.patient("read", () => this.kv.getMany<unknown[]>(some));
      for (const { value } of rows) out.push(value instanceof Uint8Array ? value : undefined);
    }
    return out;
  }

  /** One atomic; undefined when a check did not hold. Errors as they come, except that a locked database is waited for. */
  async atomic(build: (atomic: Deno.AtomicOperation) => void): Promise<Deno.KvCommitResult | undefined> {
    const result = await this.patient("write", () => {
      const atomic = this.kv.atomic();
      build(atomic);
      return atomic.commit();
    });
    return result.ok ? result : undefined;
  }

  /** See {@linkcode patiently}. */
  patient<T>(doing: string, run: () => Promise<T>): Promise<T> {
    return patiently(doing, this.random, run);
  }
}

/**
 * Opens a database; a file that is not there yet is made for its owner only, and so are the files that SQLite makes beside it.
 * @throws Error
 */
export async function openKv(path: string): Promise<Deno.Kv> {
  if (Deno.openKv === undefined) throw new StorageError("unavailable", "Deno KV is off: run deno with --unstable-kv");
  if (path !== ":memory:" && !FAR.test(path)) await makeOwned(path);
  return await Deno.openKv(path);
}

/** Opening would make an empty database where there is none. @throws StorageError */
export async function mustBeThere(path: string, doing: string): Promise<void> {
  if (path === ":memory:" || FAR.test(path)) return;
  await Deno.stat(path).catch((cause) => {
    const why = cause instanceof Deno.errors.NotFound ? `there is no store ${path}` : `cannot read ${path}: ${cause}`;
    throw new StorageError("unavailable", `${doing}: ${why}`, { cause });
  });
}

/** What cannot be made is left to the database to tell. */
async function makeOwned(path: string): Promise<void> {
  try {
    (await Deno.open(path, { write: true, createNew: true, mode: 0o600 })).close();
  } catch {
    // It is there, or cannot be.
  }
}

/** Runs until it is not locked out, with growing, jittered pauses. @throws StorageError */
export async function patiently<T>(doing: string, random: () => number, run: () => Promise<T>): Promise<T> {
  const until = performance.now() + LOCKED_FOR;
  for (let ms = 1;; ms = Math.min(50, ms * 1.6)) {
    try {
      return await run();
    } catch (error) {
      if (!isLocked(error) || performance.now() > until) throw storageError(error, doing);
      await pause(ms * (0.5 + random()));
    }
  }
}
