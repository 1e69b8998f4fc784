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
  /** Fulfilled once another one wants it, if the agent is to end then: the file is opened to be written to, or taken away. */
  readonly contended: Promise<void>;
  /** Gives it back. */
  close(): void;
}

/** Pause between two tries, ms. */
const RETRY_MS = 500;

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
    file = Deno.openSync(path, { create: true, read: true, write: true, mode: 0o600 });
    while (!await file.tryLock(true)) {
      // The runtime tells of files that were written to, not of those that were opened: so that who holds the lock hears of it.
      Deno.openSync(path, { write: true }).close();
      await clock.wait(RETRY_MS, signal);
      if (signal.aborted) {
        file.close();
        return undefined;
      }
    }
    return held(file, exitOnLockContention ? Deno.watchFs(path, { recursive: false }) : undefined);
  } catch (cause) {
    file?.close();
    throw new Error(`unable to acquire file lock on ${JSON.stringify(path)}: ${(cause as Error).message}`, { cause });
  }
}

function held(file: Deno.FsFile, watcher: Deno.FsWatcher | undefined): HeldLock {
  return {
    contended: watcher ? firstOf(watcher) : new Promise(() => {}),
    close: () => {
      file.close();
      close(watcher);
    },
  };
}

/** Never, when the watcher is closed first. */
async function firstOf(watcher: Deno.FsWatcher): Promise<void> {
  for await (const _ of watcher) {
    close(watcher);
    return;
  }
  await new Promise(() => {});
}

function close(watcher: Deno.FsWatcher | undefined): void {
  try {
    watcher?.close();
  } catch {
    // It ended by itself, with the file.
  }
}
