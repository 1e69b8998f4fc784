/** Where log lines go: one stream, or errors apart from the rest, which may wait in a buffer. */

/** Takes a line without its end, or several joined by line ends. */
export type WriteLine = (line: string) => void;

/** See the top of the file. */
export interface LogStreams {
  info(line: string): void;
  /** Writes what waits first: what led to an error stands there when it is read. */
  error(line: string): void;
  /** Writes what waits. */
  flush(): void;
}

/** The buffer is no larger, whatever is asked, bytes. */
const LARGEST = 2 * 1024 ** 3;

/** All lines to one stream, at once. */
export function oneStream(write: WriteLine): LogStreams {
  return { info: write, error: write, flush: () => {} };
}

/** Errors to `error`; the rest to `info`, at once, or in lots of at most `bufferSize` bytes. */
export function splitStreams(info: WriteLine, error: WriteLine, bufferSize: number): LogStreams {
  if (bufferSize <= 0) return { info, error, flush: () => {} };
  const buffer = new LineBuffer(info, Math.min(bufferSize, LARGEST));
  return {
    info: (line) => buffer.add(line),
    error: (line) => {
      buffer.flush();
      error(line);
    },
    flush: () => buffer.flush(),
  };
}

const encoder = new TextEncoder();

/** Lines that wait. None is torn: one that does not fit goes after those before it. */
class LineBuffer {
  #lines: string[] = [];
  #bytes = 0;

  constructor(readonly write: WriteLine, readonly limit: number) {}

  add(line: string): void {
    const bytes = encoder.encode(line).length + 1;
    if (this.#bytes + bytes > this.limit) this.flush();
    if (bytes > this.limit) return this.write(line);
    this.#lines.push(line);
    this.#bytes += bytes;
  }

  flush(): void {
    if (this.#lines.length === 0) return;
    const lines = this.#lines;
    this.#lines = [];
    this.#bytes = 0;
    this.write(lines.join("\n"));
  }
}
