/** Commands of the host. */
import { spawn } from "node:child_process";
import { concat } from "../../schema/values/bytes.ts";
import { unstarted } from "../unstarted.ts";

/** Longest time of a command unless more is said, ms, and most that is kept of what it says on either way, bytes. */
const TIME = 120_000, OUTPUT = 64 * 1024;

/** A command that failed. */
export class CommandError extends Error {
  override readonly name = "CommandError";

  /** @param status exit status; undefined: it did not run to its end @param output what it said, the beginning of much */
  constructor(message: string, readonly status: number | undefined, readonly output: string) {
    super(message);
  }
}

/** Runs a command to its end; returns what it said, the beginning of much. @param time ms; two minutes without @throws CommandError */
export type RunCommand = (command: string, args: readonly string[], time?: number) => Promise<string>;

/** {@linkcode RunCommand} on this host. One that says much is not kept from its end by that: it may be at work on a disk. */
export const run: RunCommand = (command, args, timeout = TIME) =>
  new Promise((done, fail) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
    const fault = unstarted(child);
    if (fault) return void fault.then((e) => fail(new CommandError(e.message, undefined, "")));
    const said = kept(child.stdout), complaints = kept(child.stderr);
    let isLate = false;
    const late = setTimeout(() => {
      isLate = true;
      child.kill("SIGKILL");
      // What it has started may hold them open.
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
    }, timeout);
    // Never its arguments, which may be secret.
    const failed = (why: string, status?: number) =>
      fail(new CommandError(why, status, `${said()}${complaints()}`.trimEnd()));
    child.once("error", (e) => {
      clearTimeout(late);
      failed(e.message);
    });
    child.once("close", (status, signal) => {
      clearTimeout(late);
      if (status === 0) return done(said());
      if (isLate) return failed("timeout");
      if (status === null) return failed(`signal: ${signal}`);
      failed(`exit status ${status}`, status);
    });
  });

/** Returns what tells the beginning of all that came. */
function kept(stream: NodeJS.ReadableStream): () => string {
  const pieces: Uint8Array[] = [];
  let room = OUTPUT;
  stream.on("data", (piece: Uint8Array) => {
    if (room > 0) pieces.push(piece.subarray(0, room));
    room -= Math.min(piece.length, room);
  });
  return () => new TextDecoder().decode(concat(pieces));
}
