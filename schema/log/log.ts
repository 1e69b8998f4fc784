/** Log lines of the process (`--logging-format`, `--v`, `--vmodule`). */
import type { LogStreams } from "./streams.ts";
import type { Verbosity } from "./verbosity.ts";

/** How bad it is. */
export type LogLevel = "info" | "warn" | "error";

/** Writes a line of a level. */
export type LogLine = (level: LogLevel, text: string, detail?: unknown) => void;

/** Writes a line that only the verbose want. */
export type VerboseLine = (text: string, detail?: unknown) => void;

/**
 * What a module says at a level of verbosity; undefined where nobody wants it. Asked each time there is something to say: the level
 * can change (`/debug/flags/v`), and what is not wanted costs the comparison of two numbers.
 */
export type Verbose = (module: string, level: number) => VerboseLine | undefined;

/** The log of a process. */
export interface Log extends LogLine {
  readonly verbose: Verbose;
  /** What {@linkcode Log.verbose} goes by; undefined: nothing verbose is said. */
  readonly verbosity: Verbosity | undefined;
}

/** A line's place and form. */
interface Form {
  line(level: LogLevel, text: string, detail: unknown, now: number, from: From | undefined): string;
  /** Which levels are errors, where the streams are split. */
  readonly errors: ReadonlySet<LogLevel>;
}

/** Where a verbose line comes from. */
interface From {
  readonly module: string;
  readonly level: number;
}

// As on the public server: warnings are no errors to the format that knows only two levels.
const TEXT: Form = { line: textLine, errors: new Set(["warn", "error"]) };
const JSON_LINES: Form = { line: jsonLine, errors: new Set(["error"]) };

/** The log in a format: text, or one JSON object a line. */
export function logger(format: string, now: () => number, streams: LogStreams, verbosity?: Verbosity): Log {
  const form = format === "json" ? JSON_LINES : TEXT;
  const write = (level: LogLevel, text: string, detail: unknown, from?: From) => {
    const line = form.line(level, text, detail, now(), from);
    if (form.errors.has(level)) streams.error(line);
    else streams.info(line);
  };
  const verbose: Verbose = (module, level) =>
    verbosity?.wants(module, level) ? (text, detail) => write("info", text, detail, { module, level }) : undefined;
  return Object.assign((level: LogLevel, text: string, detail?: unknown) => write(level, text, detail), {
    verbose,
    verbosity,
  });
}

function textLine(level: LogLevel, text: string, detail: unknown, _now: number, from: From | undefined): string {
  const said = from ? `${level}: ${from.module}: ${text}` : `${level}: ${text}`;
  return detail === undefined ? said : `${said}: ${shown(detail)}`;
}

function jsonLine(level: LogLevel, msg: string, detail: unknown, now: number, from: From | undefined): string {
  const more = detail === undefined ? {} : isFacts(detail) ? detail : { err: shown(detail) };
  return JSON.stringify({ ts: now, level, ...(from ? { logger: from.module, v: from.level } : {}), msg, ...more });
}

/** Whether a detail is no fault: an object of facts, which are members of their own. */
const isFacts = (detail: unknown): detail is object =>
  typeof detail === "object" && detail !== null && Object.getPrototypeOf(detail) === Object.prototype;

function shown(detail: unknown): string {
  if (!(detail instanceof Error)) return typeof detail === "string" ? detail : JSON.stringify(detail) ?? String(detail);
  const cause = detail.cause === undefined || isTaken(detail, detail.cause) ? "" : `; caused by ${shown(detail.cause)}`;
  const said = `${detail.name}: ${detail.message}`;
  return (isSought(detail) ? detail.stack ?? said : said) + cause;
}

/** Errors of the language's own kinds are faults of the program. What others are (a plugin that is not there), they say. */
const SOUGHT = new Set(["Error", "TypeError", "RangeError", "ReferenceError", "SyntaxError", "AssertionError"]);

/** Whether an error says all that its cause has to say. */
const isTaken = ({ message }: Error, cause: unknown): boolean =>
  cause instanceof Error && message !== "" && !isSought(cause) &&
  (message.endsWith(cause.message) || cause.message.endsWith(message));

/** Whether whoever reads of it has to know where in the program it was. Errors of the system have a code. */
const isSought = (error: Error): boolean => SOUGHT.has(error.name) && !("code" in error);
