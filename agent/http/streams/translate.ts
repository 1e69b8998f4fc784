/** Streams of a process between a client's WebSocket (`v5.channel.k8s.io`) and the runtime's SPDY. */
import type { Duplex } from "node:stream";
import { setTimeout } from "node:timers";
import { concat } from "../../../schema/values/bytes.ts";
import type { Answer } from "../answer.ts";
import type { ExecRequest } from "../../runtime/types.ts";
import type { Incoming } from "../listen/listen.ts";
import { internalError, LastWords } from "./last_words.ts";
import { dataFrame, FrameReader, StreamOpener } from "./spdy.ts";
import { openStream } from "./tunnel.ts";
import { acceptSocket, type WebSocket } from "./websocket.ts";

/** The subprotocol whose clients say when their input ends. */
export const PROTOCOL = "v5.channel.k8s.io";
/** What the runtime's side speaks: it says how a process ended by a status. */
const RUNTIME_PROTOCOL = "v4.channel.k8s.io";

const STDIN = 0, STDOUT = 1, STDERR = 2, ERROR = 3, RESIZE = 4, CLOSE = 255;
/** Streams by channel: their names, and for which processes there are such. */
const STREAMS: readonly (readonly [channel: number, type: string, of: (o: Wanted) => boolean])[] = [
  [ERROR, "error", () => true],
  [STDIN, "stdin", (o) => o.stdin],
  [STDOUT, "stdout", (o) => o.stdout],
  [STDERR, "stderr", (o) => o.stderr],
  [RESIZE, "resize", (o) => o.tty],
];
/** Those that there may be: a client that closes another one is out of step. */
const CHANNELS: ReadonlySet<number> = new Set(STREAMS.map(([channel]) => channel));
/** Those that the runtime writes. */
const WRITTEN: ReadonlySet<number> = new Set([STDOUT, STDERR, ERROR]);
/** Bytes on their way to a client at which the runtime's side is held back. */
const MAX_WAITING = 1024 * 1024;

type Wanted = Pick<ExecRequest, "tty" | "stdin" | "stdout" | "stderr">;

/** Serves a client's WebSocket by what is at a URL of the runtime. Undefined: it is served. */
export async function translate(
  incoming: Incoming,
  url: string,
  wanted: Wanted,
  idleMs: number,
): Promise<Answer | undefined> {
  const headers = { connection: "Upgrade", upgrade: "SPDY/3.1", "x-stream-protocol-version": RUNTIME_PROTOCOL };
  const opened = await openStream("POST", url, headers, incoming.signal);
  if ("body" in opened) return opened;
  const ws = acceptSocket(incoming, PROTOCOL);
  if (ws) new Translation(ws, opened.stream, wanted, idleMs).start(opened.first);
  else opened.stream.destroy();
  return undefined;
}

class Translation {
  readonly #ws: WebSocket;
  readonly #runtime: Duplex;
  /** Streams by channel, and the other way round. */
  readonly #streams = new Map<number, number>();
  readonly #channels = new Map<number, number>();
  /** Channels that the runtime has not ended. */
  readonly #open = new Set<number>();
  readonly #wanted: Wanted;
  readonly #words = new LastWords();
  #idle: ReturnType<typeof setTimeout> | undefined;
  #waiting = 0;
  #over = false;

  constructor(ws: WebSocket, runtime: Duplex, wanted: Wanted, idleMs: number) {
    this.#ws = ws;
    this.#runtime = runtime;
    this.#wanted = wanted;
    if (idleMs > 0) this.#idle = setTimeout(() => this.#late(), Math.min(idleMs, 2 ** 31 - 1));
  }

  start(first: Uint8Array): void {
    const opener = new StreamOpener();
    for (const [channel, streamtype, of] of STREAMS) {
      if (!of(this.#wanted)) continue;
      const { stream, frame } = opener.open({ streamtype });
      this.#streams.set(channel, stream);
      this.#channels.set(stream, channel);
      if (WRITTEN.has(channel)) this.#open.add(channel);
      this.#runtime.write(frame);
    }
    const reader = new FrameReader({
      data: (stream, bytes, fin) => this.#fromRuntime(stream, bytes, fin),
      broken: (stream) => this.#broken(stream),
      reply: (frame) => void this.#runtime.write(frame),
    });
    const read = (bytes: Uint8Array) => {
      this.#idle?.refresh();
      try {
        reader.push(bytes);
      } catch (e) {
        this.#fail((e as Error).message);
      }
    };
    const gone = () => this.#fail("the container runtime ended the connection");
    this.#runtime.on("data", read).on("error", gone).once("end", gone).once("close", gone);
    this.#runtime.on("drain", () => this.#ws.resume());
    this.#ws.on("message", (data) => this.#fromClient(new Uint8Array(data)));
    this.#ws.on("ping", () => void this.#idle?.refresh());
    this.#ws.on("close", () => this.#end());
    // A message without bytes tells that the streams are there.
    this.#send(this.#wanted.stdout ? STDOUT : this.#wanted.stderr ? STDERR : ERROR, new Uint8Array());
    if (first.length > 0) read(first);
  }

  #fromClient(message: Uint8Array): void {
    this.#idle?.refresh();
    const closes = message[0] === CLOSE, channel = closes ? message[1] : message[0];
    if (closes && !(message.length === 2 && CHANNELS.has(channel!))) return this.#close();
    const stream = channel === STDIN || channel === RESIZE ? this.#streams.get(channel) : undefined;
    const bytes = closes ? new Uint8Array() : message.subarray(1);
    if (stream === undefined || this.#over || (!closes && bytes.length === 0)) return;
    if (!this.#runtime.write(dataFrame(stream, bytes, closes))) this.#ws.pause();
  }

  #fromRuntime(stream: number, bytes: Uint8Array, fin: boolean): void {
    const channel = this.#channels.get(stream);
    if (channel === undefined) return;
    if (channel === ERROR) this.#words.push(bytes);
    else if (bytes.length > 0) this.#send(channel, bytes);
    if (fin) this.#ended(channel);
  }

  #broken(stream: number): void {
    if (stream === 0) return this.#fail("the container runtime ended the connection");
    const channel = this.#channels.get(stream);
    if (channel !== undefined) this.#ended(channel);
  }

  /** The runtime writes no more to a channel. After the last one all is said. */
  #ended(channel: number): void {
    if (this.#open.delete(channel) && this.#open.size === 0) this.#tell(this.#words.status);
  }

  #send(channel: number, bytes: Uint8Array): void {
    if (this.#over) return;
    this.#waiting += bytes.length;
    if (this.#waiting > MAX_WAITING) this.#runtime.pause();
    this.#ws.send(concat([Uint8Array.of(channel), bytes]), () => {
      this.#idle?.refresh();
      this.#waiting -= bytes.length;
      if (this.#waiting <= MAX_WAITING) this.#runtime.resume();
      if (this.#over) this.#hangUp();
    });
  }

  /** Ends for a reason that the client is told, unless it knows how the process ended. */
  #fail(message: string): void {
    if (this.#over) return;
    this.#tell(this.#words.said ? this.#words.status : internalError(message));
  }

  /** What a client is told last. */
  #tell(status: object): void {
    this.#send(ERROR, new TextEncoder().encode(JSON.stringify(status)));
    this.#close();
  }

  /** Nothing came, nothing went: not even what a client was to be told at its end. */
  #late(): void {
    if (this.#over) return this.#ws.terminate();
    this.#idle?.refresh();
    this.#fail("the connection was idle");
  }

  #close(): void {
    this.#over = true;
    this.#runtime.destroy();
    // A client that is held back says that it closes behind what it has sent.
    this.#ws.resume();
    this.#hangUp();
  }

  /** Once the client was sent all. */
  #hangUp(): void {
    if (this.#waiting > 0) return;
    this.#ws.close(1000);
    this.#untimed();
  }

  /** The client has gone. */
  #end(): void {
    this.#over = true;
    this.#runtime.destroy();
    this.#untimed();
  }

  #untimed(): void {
    clearTimeout(this.#idle);
    this.#idle = undefined;
  }
}
