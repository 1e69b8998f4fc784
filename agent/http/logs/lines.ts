/** Lines of the runtime's log files: `<time> stdout F text`, with `P` for a part of a line that goes on in the next. */
import { type Moment, timeToSeconds } from "../../../schema/values/time.ts";
import type { LogOptions, LogStream } from "./options.ts";

const SPACE = 0x20, NEWLINE = 0x0a;
const TEXT = new TextDecoder("latin1"), BYTES = new TextEncoder();

/** A line, read. */
interface Line {
  /** As it stands there. */
  readonly time: string;
  readonly stream: LogStream;
  /** With the newline, if the text ends here. */
  readonly text: Uint8Array;
}

/** @param line with its newline, if it has one. Undefined: it is no such line */
function readLine(line: Uint8Array): Line | undefined {
  const first = line.indexOf(SPACE), second = line.indexOf(SPACE, first + 1), third = line.indexOf(SPACE, second + 1);
  if (first < 0 || second < 0 || third < 0) return undefined;
  const stream = TEXT.decode(line.subarray(first + 1, second));
  if (stream !== "stdout" && stream !== "stderr") return undefined;
  const tag = TEXT.decode(line.subarray(second + 1, third)).split(":")[0];
  const ends = line.at(-1) === NEWLINE;
  return {
    time: TEXT.decode(line.subarray(0, first)),
    stream,
    text: line.subarray(third + 1, tag === "P" && ends ? -1 : undefined),
  };
}

const FRACTION = /^(.{19})(?:[.,](\d*))?(.*)$/;
/** With nine digits of the second, so that all are as long. */
const fixed = (time: string): string =>
  time.replace(FRACTION, (_, a, f = "", z) => `${a}.${f.padEnd(9, "0").slice(0, 9)}${z}`);

const isBefore = (a: Moment, b: Moment): boolean =>
  a.seconds < b.seconds || (a.seconds === b.seconds && a.nanos < b.nanos);

/** Makes of lines what is asked of them. */
export class LineWriter {
  readonly #options: LogOptions;
  #left: number;
  /** The text so far ended with its line. */
  #whole = true;
  #any = false;

  constructor(options: LogOptions) {
    this.#options = options;
    this.#left = options.limitBytes ?? Infinity;
  }

  /** All bytes that are wanted were given. */
  get done(): boolean {
    return this.#left <= 0;
  }

  /** What to give for a line; nothing for one that cannot be read or is not wanted. @throws Error when the first line is none */
  take(line: Uint8Array): readonly Uint8Array[] {
    const read = readLine(line), moment = read && momentOf(read.time);
    if (!read || !moment) {
      if (this.#any) return [];
      const shown = JSON.stringify(new TextDecoder().decode(line.subarray(0, 200)));
      throw new Error(`failed to get parse function: unsupported log format: ${shown}`);
    }
    this.#any = true;
    const { since, stream, timestamps } = this.#options;
    const begins = this.#whole;
    this.#whole = read.text.length === 0 || read.text.at(-1) === NEWLINE;
    if ((since && isBefore(moment, since)) || (stream && stream !== read.stream)) return [];
    const parts = timestamps && begins ? [BYTES.encode(`${fixed(read.time)} `), read.text] : [read.text];
    return parts.map((part) => {
      const kept = part.subarray(0, Math.min(part.length, this.#left));
      this.#left -= kept.length;
      return kept;
    });
  }
}

function momentOf(time: string): Moment | undefined {
  try {
    return timeToSeconds(time);
  } catch {
    return undefined;
  }
}
