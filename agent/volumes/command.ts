/** Commands of the host. */
import { execFile, type ExecFileException } from "node:child_process";

/** Longest time of a command unless more is said, ms, and most that it may say, bytes. */
const TIME = 120_000, OUTPUT = 64 * 1024;

/** A command that failed. */
export class CommandError extends Error {
  override readonly name = "CommandError";

  /** @param status exit status; undefined: it did not run to its end @param output all that it said */
  constructor(message: string, readonly status: number | undefined, readonly output: string) {
    super(message);
  }
}

/** What kept a command from its end; never its arguments, which may be secret. */
function faultText({ killed, signal, message }: ExecFileException): string {
  if (killed) return "timeout";
  return signal ? `signal: ${signal}` : message;
}

/** Runs a command to its end; returns what it said. @param time ms; two minutes without @throws CommandError */
export type RunCommand = (command: string, args: readonly string[], time?: number) => Promise<string>;

/** {@linkcode RunCommand} on this host. */
export const run: RunCommand = (command, args, timeout = TIME) =>
  new Promise((done, fail) => {
    execFile(command, [...args], { timeout, maxBuffer: OUTPUT, killSignal: "SIGKILL" }, (error, stdout, stderr) => {
      if (!error) return done(stdout);
      const status = typeof error.code === "number" ? error.code : undefined;
      const why = status === undefined ? faultText(error) : `exit status ${status}`;
      fail(new CommandError(why, status, `${stdout}${stderr}`.trimEnd()));
    });
  });
