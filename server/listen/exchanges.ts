/**
 * Follows HTTP/1.1 through a pipe, as far as it is plain: one request after the other, each and its answer of a told length.
 *
 * Why: the runtime's server (2.9.3) ends a connection with each request whose body is longer than some hundred bytes
 * (`connection: close`), so that a client would pay for a new TLS connection with every write. Where an exchange is plain the client
 * is not told, and the next request goes to another inner connection. What is not plain (chunks, pipelining, upgrades, HTTP/2, an
 * answer before its request is whole) is passed as it is, and never looked at again: nobody can make one request look like two.
 */
import { concat } from "../../schema/values/bytes.ts";

/** What comes next. `other`: not followed any more. */
type Phase = "request" | "request body" | "answer" | "answer body" | "other";

/** Longest head that is looked at, bytes. */
const MAX_HEAD = 16 * 1024;
/** What a client of HTTP/2 begins with. */
const HTTP2 = "PRI * HTTP/2.0\r\n";
const LATIN1 = new TextDecoder("latin1");
const ASCII = new TextEncoder();
const BEYOND_ASCII = /[\u0080-\uffff]/;
const LENGTH = /^\d{1,15}$/;

/** Fields of a head; undefined when one is folded, stands twice, or a line is odd. */
function fieldsOf(lines: readonly string[]): Map<string, string> | undefined {
  const fields = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (!NAME.test(line.slice(0, Math.max(0, colon))) || BREAK.test(line)) return undefined;
    const name = line.slice(0, colon).toLowerCase();
    if (FRAMING.has(name) && fields.has(name)) return undefined;
    fields.set(name, bare(line, colon + 1));
  }
  return fields;
}
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const BREAK = /[\r\n]/;
const BLANKS = " \t";

/** What follows, without the blanks around it. A pattern would look at a long run of them once for each of them. */
function bare(line: string, from: number): string {
  let to = line.length;
  while (from < to && BLANKS.includes(line[from]!)) from++;
  while (to > from && BLANKS.includes(line[to - 1]!)) to--;
  return line.slice(from, to);
}

/** Fields that say where a message ends, or that it is no usual one. */
const FRAMING = new Set(["content-length", "transfer-encoding", "connection", "upgrade", "expect", "trailer"]);

/** Of a request: bytes of its body. Undefined when it is not plain. */
function requestLength(head: string): number | undefined {
  const [line, ...rest] = head.split("\r\n");
  if (!/^(?!HEAD |CONNECT )[A-Z]+ [!-~]+ HTTP\/1\.1$/.test(line!)) return undefined;
  const fields = fieldsOf(rest);
  if (!fields || ["transfer-encoding", "upgrade", "expect", "trailer"].some((f) => fields.has(f))) return undefined;
  if (!/^(keep-alive)?$/i.test(fields.get("connection") ?? "")) return undefined;
  const length = fields.get("content-length") ?? "0";
  return LENGTH.test(length) ? Number(length) : undefined;
}

/**
 * A request to upgrade that tells that its body has no bytes, without that: clients of `exec` and `attach` write so, and the
 * runtime's server answers 400 by itself. Undefined for any other head.
 */
function upgradeWithoutLength(head: string): Uint8Array | undefined {
  if (!/\r\nupgrade:/i.test(head) || BEYOND_ASCII.test(head)) return undefined;
  const fields = fieldsOf(head.split("\r\n").slice(1));
  if (fields?.get("content-length") !== "0" || fields.has("transfer-encoding")) return undefined;
  return ASCII.encode(head.replace(/\r\ncontent-length:[ \t]*0[ \t]*(?=\r\n|$)/i, "") + "\r\n\r\n");
}

/** With `connection: close`: the server is full or stops, and its client is to go to another one. */
const SENDS_AWAY = 429;

/** Of an answer. */
interface Answer {
  /** Bytes of its body. */
  readonly length: number;
  /** The server ends the connection after it. */
  readonly closes: boolean;
  /** It sends its client away, and means it. */
  readonly away: boolean;
}

function answerOf(head: string): Answer | undefined {
  const [line, ...rest] = head.split("\r\n");
  if (BEYOND_ASCII.test(head)) return undefined;
  const status = Number(/^HTTP\/1\.1 ([2-5]\d\d)\b/.exec(line!)?.[1]);
  const fields = fieldsOf(rest);
  if (!status || !fields || fields.has("transfer-encoding") || fields.has("upgrade")) return undefined;
  const length = status === 204 || status === 304 ? "0" : fields.get("content-length") ?? "";
  if (!LENGTH.test(length)) return undefined;
  const close = /^close$/i.test(fields.get("connection") ?? ""), away = close && status === SENDS_AWAY;
  return { length: Number(length), closes: close && !away, away };
}

/** See the top of the file. One for each outer connection. */
export class Exchanges {
  #phase: Phase = "request";
  #http2 = false;
  /** Begin of a request's head. */
  #head = "";
  /** Bytes of the body still to come. */
  #left = 0;
  #answer: Answer | undefined;
  #spent = false;
  #done = false;

  /** The client speaks HTTP/2. */
  get http2(): boolean {
    return this.#http2;
  }

  /** Nothing more is to be seen here. */
  get over(): boolean {
    return this.#phase === "other";
  }

  /** The last answer was passed whole and its inner connection is at its end: the next request needs another. */
  get spent(): boolean {
    return this.#spent;
  }

  /** The last answer was passed whole and sent the client away: the runtime tells so and keeps the connection. */
  get done(): boolean {
    return this.#done;
  }

  /** Another inner connection is there. */
  renewed(): void {
    this.#spent = false;
  }

  /** Bytes of the client; gives what the inner server is to be sent. */
  request(chunk: Uint8Array): Uint8Array {
    if (this.#phase === "request") return this.#requestHead(chunk);
    if (this.#phase !== "request body" || chunk.length > this.#left) this.#giveUp();
    else if ((this.#left -= chunk.length) === 0) this.#phase = "answer";
    return chunk;
  }

  #requestHead(chunk: Uint8Array): Uint8Array {
    const known = this.#head.length;
    this.#head += LATIN1.decode(chunk.subarray(0, MAX_HEAD));
    const end = this.#head.indexOf("\r\n\r\n", Math.max(0, known - 3));
    this.#http2 = this.#head.startsWith(HTTP2);
    if (end < 0) {
      if (this.#head.length >= MAX_HEAD || !/^[A-Z]/.test(this.#head)) this.#giveUp();
      return chunk;
    }
    const head = this.#head.slice(0, end);
    const length = requestLength(head);
    const more = known + chunk.length - end - 4;
    this.#head = "";
    if (length === undefined || more > length) {
      this.#giveUp();
      return known === 0 && more === 0 ? upgradeWithoutLength(head) ?? chunk : chunk;
    }
    this.#left = length - more;
    this.#phase = this.#left === 0 ? "answer" : "request body";
    return chunk;
  }

  /** Bytes of the inner server; gives what the client is to be sent. */
  answer(chunk: Uint8Array): Uint8Array {
    if (this.#phase === "answer") return this.#answerHead(chunk);
    if (this.#phase !== "answer body" || chunk.length > this.#left) this.#giveUp();
    else this.#answered(this.#left - chunk.length);
    return chunk;
  }

  #answerHead(chunk: Uint8Array): Uint8Array {
    const text = LATIN1.decode(chunk.subarray(0, MAX_HEAD));
    const end = text.indexOf("\r\n\r\n");
    const answer = end < 0 ? undefined : answerOf(text.slice(0, end));
    const body = chunk.length - end - 4;
    if (!answer || body > answer.length) {
      this.#giveUp();
      return chunk;
    }
    this.#answer = answer;
    this.#answered(answer.length - body);
    return answer.closes ? withoutClose(text.slice(0, end), chunk.subarray(end)) : chunk;
  }

  #answered(left: number): void {
    this.#left = left;
    this.#phase = left > 0 ? "answer body" : "request";
    if (left > 0) return;
    this.#spent = this.#answer?.closes === true;
    this.#done = this.#answer?.away === true;
  }

  #giveUp(): void {
    this.#phase = "other";
    this.#head = "";
  }
}

/** A head that does not say that the connection ends, and what follows it. */
function withoutClose(head: string, rest: Uint8Array): Uint8Array {
  const kept = ASCII.encode(head.replace(/\r\nconnection:[ \t]*close[ \t]*(?=\r\n|$)/i, ""));
  return concat([kept, rest]);
}
