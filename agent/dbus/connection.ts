/** A connection to a bus: who is there, and messages both ways. */
import { decodeMessage, encodeMessage, type Message, messageLength } from "./message.ts";

/** Longest line of the conversation before messages, and what is read at once, bytes. */
const LONGEST_LINE = 16 * 1024;
const READ = 16 * 1024;
/** Time of that conversation, ms. */
const TIME = 25_000;

/** See the top of the file. */
export class Connection {
  readonly #conn: Deno.Conn;
  /** Read, and not yet taken. */
  #held = new Uint8Array();
  #sending: Promise<void> = Promise.resolve();

  private constructor(conn: Deno.Conn) {
    this.#conn = conn;
  }

  /**
   * @param address `unix:path=/run/dbus/system_bus_socket`, several after each other by semicolons
   * @param signal ends the attempt @throws Error
   */
  static async open(address: string, signal?: AbortSignal): Promise<Connection> {
    let fault: unknown = new Error(`no address of a bus: ${address}`);
    for (const path of pathsOf(address)) {
      try {
        return await Connection.#at(path, signal);
      } catch (e) {
        fault = e;
      }
    }
    throw fault;
  }

  static async #at(path: string, signal?: AbortSignal): Promise<Connection> {
    const connection = new Connection(await Deno.connect({ transport: "unix", path }));
    const stop = () => connection.close(), late = setTimeout(stop, TIME);
    signal?.addEventListener("abort", stop, { once: true });
    try {
      signal?.throwIfAborted();
      await connection.#authenticate();
      return connection;
    } catch (e) {
      stop();
      throw e;
    } finally {
      clearTimeout(late);
      signal?.removeEventListener("abort", stop);
    }
  }

  /** Sends a message after those before it. @throws Error: the connection is lost */
  send(message: Message): Promise<void> {
    const bytes = encodeMessage(message);
    const sent = this.#sending.then(() => this.#write(bytes));
    this.#sending = sent.catch(() => {});
    return sent;
  }

  /** All that comes, until the connection ends. @throws Error: it broke, or what comes is no message */
  async *messages(): AsyncGenerator<Message> {
    for (;;) {
      const length = messageLength(this.#held);
      if (length !== undefined && this.#held.length >= length) {
        const bytes = this.#held.slice(0, length);
        this.#held = this.#held.subarray(length);
        yield decodeMessage(bytes);
      } else if (!await this.#read()) return;
    }
  }

  /** Ends it; done twice it does nothing. */
  close(): void {
    try {
      this.#conn.close();
    } catch {
      // It was closed.
    }
  }

  async #authenticate(): Promise<void> {
    const user = new TextEncoder().encode(String(Deno.uid())).toHex();
    await this.#write(new TextEncoder().encode(`\0AUTH EXTERNAL ${user}\r\n`));
    const said = await this.#line();
    if (!said.startsWith("OK ")) throw new Error(`the bus does not know this user: ${said}`);
    await this.#write(new TextEncoder().encode("BEGIN\r\n"));
  }

  async #line(): Promise<string> {
    for (;;) {
      const text = new TextDecoder().decode(this.#held), end = text.indexOf("\r\n");
      if (end >= 0) {
        this.#held = this.#held.subarray(end + 2);
        return text.slice(0, end);
      }
      if (this.#held.length > LONGEST_LINE || !await this.#read()) throw new Error("this is no bus");
    }
  }

  /** Whether there was more. */
  async #read(): Promise<boolean> {
    const piece = new Uint8Array(READ), count = await this.#conn.read(piece);
    if (count === null) return false;
    const joined = new Uint8Array(this.#held.length + count);
    joined.set(this.#held);
    joined.set(piece.subarray(0, count), this.#held.length);
    this.#held = joined;
    return true;
  }

  async #write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) at += await this.#conn.write(bytes.subarray(at));
  }
}

/** Sockets that an address names; other transports are left out. @throws URIError */
function pathsOf(address: string): string[] {
  return address.split(";").flatMap((one) => {
    const [, key, value = ""] = /^unix:(?:.*,)?(path|abstract)=([^,]*)/.exec(one) ?? [];
    return key ? [(key === "abstract" ? "\0" : "") + decodeURIComponent(value)] : [];
  });
}
