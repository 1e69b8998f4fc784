/** The agent's lock file (`--lock-file`, `--exit-on-lock-contention`): one agent a host, the next one waits. */
import type { Clock } from "./types.ts";

/** What the lock is taken with. */
export interface LockOptions {
  /** Empty: there is none. */
  readonly lockFile: string;
  readonly exitOnLockContention: boolean;
}

/** A lock that is held. */
export interface HeldLock {
  /** Fulfilled once another one wants it, if the agent is to end then: it waits for the file, writes to it or takes it away. */
  readonly contended: Promise<void>;
  /** Gives it back. */
  close(): void;
}

const OPEN = { create: true, read: true, write: true, mode: 0o600 } as const;
/** Pause between two tries, ms. */
const RETRY_MS = 500;
/** Pause between two looks for those who wait, ms. */
const LOOK_MS = 1_000;

/**
 * Waits until the lock is free and takes it. Undefined: none is asked for, or the signal came first.
 * @throws Error: the file cannot be opened, or there is nothing to contend for
 */
export async function takeLock(o: LockOptions, clock: Clock, signal: AbortSignal): Promise<HeldLock | undefined> {
  const { lockFile: path, exitOnLockContention } = o;
  if (!path) {
    if (exitOnLockContention) throw new Error("cannot exit on lock file contention: no lock file specified");
    return undefined;
  }
  let file: Deno.FsFile | undefined;
  try {
    file = Deno.openSync(path, OPEN);
    while (!await file.tryLock(true)) {
      // Who holds the lock hears of it: the runtime tells of files that were written to, not of those that were opened.
      file.close();
      await clock.wait(RETRY_MS, signal);
      if (signal.aborted) return undefined;
      // Somebody may have taken it away.
      file = Deno.openSync(path, OPEN);
    }
    return exitOnLockContention ? watched(file, path, clock) : { contended: never(), close: () => file!.close() };
  } catch (cause) {
    close(file);
    throw new Error(`unable to acquire file lock on ${JSON.stringify(path)}: ${(cause as Error).message}`, { cause });
  }
}

const never = (): Promise<void> => new Promise(() => {});

function watched(file: Deno.FsFile, path: string, clock: Clock): HeldLock {
  const watcher = Deno.watchFs(path, { recursive: false });
  const stop = new AbortController();
  return {
    contended: Promise.race([firstOf(watcher), waitedFor(file, clock, stop.signal)]),
    close: () => {
      stop.abort();
      close(watcher);
      file.close();
    },
  };
}

/** Ends when the system's table of locks has one that waits for this file. */
async function waitedFor(file: Deno.FsFile, clock: Clock, signal: AbortSignal): Promise<void> {
  const { dev, ino } = file.statSync();
  const hex = (n: number) => n.toString(16).padStart(2, "0");
  const place = ` ${hex(dev >>> 8 & 0xfff)}:${hex(dev & 0xff | dev >>> 12 & 0xfff00)}:${ino} `;
  while (!signal.aborted) {
    const table = await Deno.readTextFile("/proc/locks").catch(() => "");
    if (table.split("\n").some((line) => line.includes("-> FLOCK") && line.includes(place))) return;
    await clock.wait(LOOK_MS, signal);
  }
  await never();
}

/** Never, when the watcher is closed first. */
async function firstOf(watcher: Deno.FsWatcher): Promise<void> {
  for await (const _ of watcher) {
    close(watcher);
    return;
  }
  await never();
}

function close(what: Pick<Deno.FsFile, "close"> | undefined): void {
  try {
    what?.close();
  } catch {
    // It ended by itself, or with its file.
  }
}
