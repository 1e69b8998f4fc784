/** The agent's own connection file (`--orchconfig`), which may change while it runs, as may the files that it names. */
import { readFileSync, statSync } from "node:fs";
import { fits } from "../../pki/pair.ts";
import { type Connection, connectionOf } from "../../schema/connection.ts";
import { fileFault } from "../files.ts";
import type { Clock } from "../types.ts";

/** How often the files are looked at, at most, ms. */
const LOOK_MS = 1_000;
/** After so long they are read whatever their times say, ms. */
const READ_MS = 60_000;

interface Reading {
  readonly connection: Connection;
  /** What was read, and what its times and sizes were before. */
  readonly stamps: ReadonlyMap<string, string>;
  readonly at: number;
}

/**
 * The connection that a file tells of, as it is when asked for, or up to a second before: the same object until something changed.
 * What cannot be read, or does not fit together (the certificate new, the key old), changes nothing.
 * @throws Error that names the option and what is wrong, when it cannot be read at first
 */
export function connectionFile(option: string, path: string, clock: Pick<Clock, "ticks">): () => Connection {
  let last = read(option, path, clock.ticks());
  if (!isWhole(last.connection)) {
    throw new Error(`--${option}: ${JSON.stringify(path)}: the key is not the certificate's`);
  }
  let looked = last.at;
  return () => {
    const now = clock.ticks();
    if (now - looked < LOOK_MS) return last.connection;
    looked = now;
    if (now - last.at < READ_MS && [...last.stamps].every(([file, stamp]) => stampOf(file) === stamp)) {
      return last.connection;
    }
    try {
      const next = read(option, path, now);
      if (same(next.connection, last.connection)) last = { ...next, connection: last.connection };
      else if (isWhole(next.connection)) last = next;
    } catch {
      // A file that is being replaced: what was read before holds until the next look.
    }
    return last.connection;
  };
}

function read(option: string, path: string, at: number): Reading {
  const stamps = new Map<string, string>();
  const text = (file: string): string => {
    stamps.set(file, stampOf(file));
    try {
      return readFileSync(file, "utf8");
    } catch (e) {
      throw fileFault("read", file, e, option);
    }
  };
  const fault = (why: string) => new Error(`--${option}: ${JSON.stringify(path)}: ${why}`);
  return { connection: connectionOf(text(path), { path, read: text, fault }), stamps, at };
}

/** What moves when a file is written or another one put in its place. */
function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? [stat.mtimeMs, stat.ctimeMs, stat.size, stat.ino].join(" ") : "";
}

const isWhole = ({ cert, key }: Connection): boolean => !cert || !key || fits({ cert, key });

const same = (a: Connection, b: Connection): boolean => JSON.stringify(a) === JSON.stringify(b);
