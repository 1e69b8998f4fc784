/** Log lines of the process (`--logging-format`). */

/** How bad it is. */
export type LogLevel = "info" | "warn" | "error";

/** A writer of lines in a format: text, or one JSON object a line. `write` gets a line without its end. */
export function logger(format: string, now: () => number, write: (line: string) => void) {
  const line = format === "json" ? jsonLine : textLine;
  return (level: LogLevel, text: string, detail?: unknown): void => write(line(level, text, detail, now()));
}

function textLine(level: LogLevel, text: string, detail: unknown): string {
  return detail === undefined ? `${level}: ${text}` : `${level}: ${text}: ${shown(detail)}`;
}

function jsonLine(level: LogLevel, msg: string, detail: unknown, now: number): string {
  const err = detail === undefined ? {} : { err: shown(detail) };
  return JSON.stringify({ ts: now, level, msg, ...err });
}

function shown(detail: unknown): string {
  if (!(detail instanceof Error)) return typeof detail === "string" ? detail : JSON.stringify(detail) ?? String(detail);
  const cause = detail.cause === undefined ? "" : `; caused by ${shown(detail.cause)}`;
  return (detail.stack ?? `${detail.name}: ${detail.message}`) + cause;
}
