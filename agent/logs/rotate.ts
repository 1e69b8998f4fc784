/** Logs of containers that grew long are put aside, and the oldest are removed. */
import { createReadStream, createWriteStream } from "node:fs";
import { readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { LogLine } from "../../schema/log/log.ts";
import { parseQuantity } from "../../schema/values/quantity.ts";
import { orAbsent } from "../files.ts";
import type { Runtime } from "../runtime/types.ts";
import type { Clock } from "../types.ts";

/** When logs are rotated. */
export interface LogRotationOptions {
  /** A quantity of bytes; negative: logs are not rotated. */
  readonly containerLogMaxSize: string;
  /** Of one container, the one that it writes to included; at least 2. */
  readonly containerLogMaxFiles: number;
  /** Logs that are rotated at a time. */
  readonly containerLogMaxWorkers: number;
  /** ms */
  readonly containerLogMonitorInterval: number;
}

/** What rotation needs of the agent. */
export interface LogRotationParts {
  readonly runtime: Pick<Runtime, "listContainers" | "containerStatus" | "reopenContainerLog">;
  readonly clock: Clock;
  readonly log: LogLine;
}

const COMPRESSED = ".gz";
/** Half written. */
const PART = ".tmp";

/** Looks at all logs at each interval. */
export class LogRotation {
  readonly #maxSize: number;

  /** @throws Error: an option is out of range */
  constructor(readonly options: LogRotationOptions, readonly parts: LogRotationParts) {
    const { containerLogMaxFiles: files, containerLogMaxSize: size } = options;
    if (!(files > 1)) throw new Error(`invalid MaxFiles ${files}, must be > 1`);
    try {
      this.#maxSize = Number(parseQuantity(size).value());
    } catch (e) {
      throw new Error(`failed to parse container log max size ${JSON.stringify(size)}: ${(e as Error).message}`);
    }
  }

  /** Rotates until the signal ends it. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#maxSize < 0) return;
    const { clock, log } = this.parts;
    while (!signal.aborted) {
      try {
        await this.#look(signal);
      } catch (e) {
        log("error", "Failed to rotate container logs", { err: (e as Error).message });
      }
      await clock.wait(this.options.containerLogMonitorInterval, signal);
    }
  }

  /** What no longer runs writes no more: its log stays as it is. */
  async #look(signal: AbortSignal): Promise<void> {
    const { runtime, log } = this.parts;
    const running = (await runtime.listContainers()).filter((c) => c.state === "RUNNING");
    const next = running.values();
    const work = async () => {
      for (const { id } of next) {
        if (signal.aborted) return;
        try {
          await this.#check(id);
        } catch (e) {
          log("error", "Failed to rotate log for container", { containerID: id, err: (e as Error).message });
        }
      }
    };
    await Promise.all(Array.from({ length: Math.max(1, this.options.containerLogMaxWorkers) }, work));
  }

  async #check(id: string): Promise<void> {
    const { runtime } = this.parts;
    const { logPath } = await runtime.containerStatus(id);
    if (!logPath) return;
    let found = await orAbsent(stat(logPath));
    if (!found) {
      await runtime.reopenContainerLog(id);
      found = await stat(logPath);
    }
    if (found.size >= this.#maxSize) await this.#rotate(id, logPath);
  }

  async #rotate(id: string, path: string): Promise<void> {
    const kept = await this.#removeOld(await rotatedLogs(path));
    for (const old of kept) if (!old.endsWith(COMPRESSED)) await compress(old);
    const rotated = `${path}.${stamp(this.parts.clock.now())}`;
    await rename(path, rotated);
    try {
      await this.parts.runtime.reopenContainerLog(id);
    } catch (e) {
      // The container still writes to it: it is tried again at the next look.
      await rename(rotated, path);
      throw e;
    }
  }

  /** Room for the one that is put aside now and for the one that is written then. */
  async #removeOld({ used, unused }: RotatedLogs): Promise<readonly string[]> {
    const room = this.options.containerLogMaxFiles - 2;
    const excess = used.slice(0, Math.max(0, used.length - room));
    for (const path of [...unused, ...excess]) await rm(path, { force: true });
    return used.slice(excess.length);
  }
}

/** What was put aside of a log, oldest first, and what a fault left over. */
interface RotatedLogs {
  readonly used: readonly string[];
  readonly unused: readonly string[];
}

async function rotatedLogs(path: string): Promise<RotatedLogs> {
  const directory = dirname(path), prefix = `${basename(path)}.`;
  const names = (await readdir(directory)).filter((name) => name.startsWith(prefix)).sort();
  const unused = names.filter((name) => name.endsWith(PART) || names.includes(name + COMPRESSED));
  const paths = (list: readonly string[]) => list.map((name) => join(directory, name));
  return { used: paths(names.filter((name) => !unused.includes(name))), unused: paths(unused) };
}

async function compress(path: string): Promise<void> {
  const part = path + PART;
  try {
    const { mode } = await stat(path);
    await pipeline(createReadStream(path), createGzip(), createWriteStream(part, { mode }));
    await rename(part, path + COMPRESSED);
  } catch (e) {
    await rm(part, { force: true });
    throw e;
  }
  await rm(path);
}

/** `yyyyMMdd-HHmmss` */
const stamp = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-");
