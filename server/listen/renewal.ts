/** Certificates of the data directory end, also those of a server that runs for years. */
import { pause } from "../pause.ts";
import { type DataDir, type DataDirOptions, ensureDataDir, writeAdminConf } from "./data_dir.ts";

/** How often they are looked at, ms: they are made anew 30 days before their end. */
const LOOK_MS = 12 * 60 * 60 * 1000;

/** What following a data directory needs. */
interface DataDirFollowing {
  /** ms since the epoch. */
  readonly now: () => number;
  /** What the directory holds now. */
  readonly told: (data: DataDir) => void;
  /** It is looked at again all the same. */
  readonly failed: (error: unknown) => void;
  /** How time is waited for. Default: by the runtime's timers. */
  readonly wait?: typeof pause;
}

/**
 * Renews what is near its end, twice a day, until the signal aborts. The connection file is written with its certificates alone: who
 * uses it may have changed the rest. Serving files are followed by who serves them.
 * @param data what the start made
 */
export async function followDataDir(
  data: DataDir,
  options: DataDirOptions,
  { now, told, failed, wait = pause }: DataDirFollowing,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    await wait(LOOK_MS, signal);
    if (signal.aborted) return;
    try {
      const next = await ensureDataDir(data.dir, { ...options, port: 0, anyNames: true, now: now() });
      const renewed = next.admin.cert !== data.admin.cert || next.ca.cert !== data.ca.cert;
      if (renewed && options.port > 0) await writeAdminConf(next, options.port, options.host);
      told(data = next);
    } catch (e) {
      failed(e);
    }
  }
}
