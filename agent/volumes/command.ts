/** Commands of the host. */
import { execFile } from "node:child_process";

/** Longest time of a command, ms, and most that it may say, bytes. */
const TIME = 120_000, OUTPUT = 64 * 1024;

/** A command that failed. */
export class CommandError extends Error {
  override readonly name = "CommandError";

  /** @param status exit status; undefined: it did not run to its end @param output all that it said */
  constructor(message: string, readonly status: number | undefined, readonly output: string) {
    super(message);
  }
}

/** Runs a command to its end, at most two minutes; returns what it said. @throws CommandError */
export type RunCommand = (command: string, args: readonly string[]) => Promise<string>;

/** {@linkcode RunCommand} on this host. */
export const run: RunCommand = (command, args) =>
  new Promise((done, fail) => {
    execFile(command, [...args], { timeout: TIME, maxBuffer: OUTPUT }, (error, stdout, stderr) => {
      if (!error) return done(stdout);
      const status = typeof error.code === "number" ? error.code : undefined;
      const why = status === undefined ? error.message : `exit status ${status}`;
      fail(new CommandError(why, status, `${stdout}${stderr}`.trimEnd()));
    });
  });
