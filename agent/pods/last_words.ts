/** What a container left to be said of its end: its message file, or the end of its log. */
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { RuntimeContainerStatus } from "../runtime/types.ts";
import { ANNOTATION } from "./names.ts";

/** Bytes of the message file, of lines of the log, and of the log that is read for them. */
const FILE_BYTES = 4096;
const LINES_BYTES = 2048;
const LOG_BYTES = 64 * 1024;
const LINES = 80;

/** The runtime's message and the container's own, after a colon. Never throws: a file that cannot be read is said instead. */
export async function lastWords(status: RuntimeContainerStatus): Promise<string> {
  const { annotations, mounts, exitCode } = status;
  const path = annotations[ANNOTATION.messagePath];
  const byLog = annotations[ANNOTATION.messagePolicy] === "FallbackToLogsOnError" && exitCode !== 0 &&
    status.reason !== "ContainerCannotRun";
  const file = path ? mounts.find((m) => m.containerPath === path)?.hostPath : undefined;
  let words = file ? await fileWords(file) : "";
  if (words === "" && byLog) words = await logWords(status.logPath);
  return [status.message, words].filter((text) => text !== "").join(": ");
}

async function fileWords(path: string): Promise<string> {
  try {
    return await tail(path, FILE_BYTES);
  } catch (fault) {
    return isMissing(fault) ? "" : `Error on reading termination log ${path}: ${(fault as Error).message}`;
  }
}

async function logWords(path: string): Promise<string> {
  try {
    const bytes = new TextEncoder().encode(lastLines(await tail(path, LOG_BYTES), LINES));
    return new TextDecoder().decode(bytes.subarray(-LINES_BYTES));
  } catch (fault) {
    return `Error on reading termination message from logs: ${(fault as Error).message}`;
  }
}

/** Contents of the last lines of a log: `time stream P|F content`, where P is a part of a line. */
function lastLines(log: string, most: number): string {
  const lines: string[] = [];
  let part = "";
  for (const line of log.split("\n")) {
    const found = /^\S+ (?:stdout|stderr) ([PF])\S* ?(.*)$/.exec(line);
    if (!found) continue;
    part += found[2]!;
    if (found[1] === "P") continue;
    lines.push(`${part}\n`);
    part = "";
  }
  if (part !== "") lines.push(part);
  return lines.slice(-most).join("");
}

async function tail(path: string, most: number): Promise<string> {
  // What a container put there may be a pipe, to which nobody ever writes.
  const file: FileHandle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat(), size = stats.isFile() ? stats.size : 0;
    const from = Math.max(0, size - most);
    const { buffer, bytesRead } = await file.read(new Uint8Array(Math.min(size, most)), 0, Math.min(size, most), from);
    return new TextDecoder().decode(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

function isMissing(fault: unknown): boolean {
  return (fault as NodeJS.ErrnoException).code === "ENOENT";
}
