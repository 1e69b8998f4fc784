/** Authorities of clients' certificates, from a file that may be written anew. */
import { readFileSync, statSync } from "node:fs";
import { type Certificate, parseBundle } from "../../../pki/mod.ts";
import { fileFault } from "../../files.ts";
import type { Clock } from "../../types.ts";

/** So long what was read is taken to be what is there, ms. */
const FRESH_MS = 1_000;

/** See the top of the file. A file that cannot be used leaves what was there. */
export class ClientCa {
  readonly #path: string;
  readonly #clock: Pick<Clock, "ticks">;
  readonly #failed: (error: Error) => void;
  #lookedAt: number;
  #stamp: string;
  #pem: string;
  #roots: readonly Certificate[];

  /** @param path empty: no authority. @throws Error for a file that cannot be read, or has no certificates */
  constructor(path: string, clock: Pick<Clock, "ticks">, failed: (error: Error) => void) {
    this.#path = path;
    this.#clock = clock;
    this.#failed = failed;
    this.#lookedAt = clock.ticks();
    try {
      this.#stamp = path && stampOf(path);
      this.#pem = path && readFileSync(path, "utf8");
    } catch (e) {
      throw fileFault("read", path, e, "client-ca-file");
    }
    this.#roots = path ? parse(path, this.#pem) : [];
  }

  /** The PEM text as it is now. The same text until the file changes. */
  pem(): string {
    this.#look();
    return this.#pem;
  }

  /** The authorities as they are now: the same array until the file changes, an empty one without a file. */
  roots(): readonly Certificate[] {
    this.#look();
    return this.#roots;
  }

  #look(): void {
    const now = this.#clock.ticks();
    if (!this.#path || now - this.#lookedAt < FRESH_MS) return;
    this.#lookedAt = now;
    try {
      const stamp = stampOf(this.#path);
      if (stamp === this.#stamp) return;
      const pem = readFileSync(this.#path, "utf8");
      this.#roots = parse(this.#path, pem);
      this.#pem = pem;
      this.#stamp = stamp;
    } catch (e) {
      this.#failed(e as Error);
    }
  }
}

/** What moves when a file is written, or another one put in its place. */
function stampOf(path: string): string {
  const { mtimeMs, ctimeMs, size, ino } = statSync(path);
  return [mtimeMs, ctimeMs, size, ino].join(" ");
}

function parse(path: string, pem: string): Certificate[] {
  try {
    return parseBundle(pem);
  } catch (cause) {
    throw new Error(`--client-ca-file: ${JSON.stringify(path)} has no certificates`, { cause });
  }
}
