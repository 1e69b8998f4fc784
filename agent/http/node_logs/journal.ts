/** The host's journal, as its own command tells it. */
import { execFile, spawn } from "node:child_process";
import { secondsToTime } from "../../../schema/values/time.ts";
import { unstarted } from "../../unstarted.ts";
import type { LineOptions, Told } from "./query.ts";

/** Most that names of units may come to, bytes. */
const MAX_UNITS = 16 * 1024 * 1024;

/** The arguments by which the command tells of services. */
export function journalArguments(services: readonly string[], options: LineOptions): string[] {
  const { since, until, tailLines, pattern, boot } = options;
  return [
    "--utc",
    "--no-pager",
    "--output=short-precise",
    ...(since ? [`--since=${utc(since)}`] : []),
    ...(until ? [`--until=${utc(until)}`] : []),
    ...(tailLines === undefined ? [] : ["--pager-end", `--lines=${tailLines}`]),
    ...services.map((name) => `--unit=${name}`),
    ...(pattern === undefined ? [] : [`--grep=${pattern}`]),
    ...(boot === undefined ? [] : [`--boot=${boot}`]),
  ];
}

/** `2026-01-02 15:04:05 UTC` */
const utc = ({ seconds }: Told): string => secondsToTime(seconds).replace("T", " ").replace("Z", " UTC");

/** Which of the services the journal knows; none where there is no journal. */
export function known(command: string, services: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
  return new Promise((done) => {
    execFile(command, ["--field", "_SYSTEMD_UNIT"], { maxBuffer: MAX_UNITS, signal }, (error, stdout) => {
      done(error ? [] : services.filter((name) => stdout.includes(`${name}.service`)));
    });
  });
}

/** Runs its arguments with both outputs in one pipe: faults stand where they were said, not within another line. */
const IN_ONE_PIPE = 'exec "$0" "$@" 2>&1';

/** What the command says, faults in their places; the signal ends it. @throws Error: it cannot be started */
export async function* journal(
  command: string,
  args: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const child = spawn("/bin/sh", ["-c", IN_ONE_PIPE, command, ...args], { stdio: ["ignore", "pipe", "ignore"] });
  const fault = unstarted(child);
  if (fault) throw await fault;
  const kill = () => void child.kill("SIGKILL");
  child.once("error", (e) => child.stdout.destroy(e));
  signal.addEventListener("abort", kill, { once: true });
  if (signal.aborted) kill();
  try {
    yield* child.stdout;
  } finally {
    signal.removeEventListener("abort", kill);
    kill();
  }
}
