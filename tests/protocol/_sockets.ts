/** A server in this process behind the real listener, and WebSocket clients that close with their test. */
import { WebSocket } from "ws";
import { listen } from "../../server/listen/mod.ts";
import type { Connection } from "../../server/request.ts";
import { startTestServer, type TestServer } from "../fixture/server.ts";

/** A message as it came. */
export interface Message {
  readonly binary: boolean;
  readonly bytes: Uint8Array;
}

/** A client's side: messages in order, and how it ended. */
export class Client {
  readonly messages: Message[] = [];
  readonly #socket: WebSocket;
  /** Resolves to the code that the server closed with. */
  readonly closed: Promise<number>;
  #wake = () => {};

  constructor(url: string, headers: Record<string, string>, protocols: string[]) {
    this.#socket = new WebSocket(url, protocols, { headers });
    this.#socket.on("message", (data: Uint8Array, binary: boolean) => {
      this.messages.push({ binary, bytes: new Uint8Array(data) });
      this.#wake();
    });
    this.#socket.on("error", () => {});
    this.closed = new Promise((resolve) => this.#socket.on("close", resolve));
  }

  get protocol(): string {
    return this.#socket.protocol;
  }

  async take(count: number): Promise<Message[]> {
    while (this.messages.length < count) await new Promise<void>((resolve) => this.#wake = resolve);
    return this.messages.splice(0, count);
  }

  send(data: string | Uint8Array): void {
    this.#socket.send(data);
  }

  /** Stops reading from the network, until {@linkcode resume}. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(): void {
    this.#socket.close();
  }

  /** Cuts the connection without a word. */
  cut(): void {
    this.#socket.terminate();
  }
}

export type Open = (path: string, headers?: Record<string, string>, protocols?: string[]) => Client;

/** Runs with a server and a way to open sockets to it. */
export async function withSockets(
  body: (t: TestServer, open: Open, url: string) => Promise<void>,
  now: () => number = Date.now,
): Promise<void> {
  const t = await startTestServer([], { now });
  const handler = (request: Request, connection: Connection) => t.server.fetch(request, connection);
  const listener = await listen(handler, { hostname: "127.0.0.1", port: 0 });
  const clients: Client[] = [];
  try {
    await body(t, (path, headers = {}, protocols = []) => {
      const client = new Client(listener.url.replace("http", "ws") + path, headers, protocols);
      clients.push(client);
      return client;
    }, listener.url);
  } finally {
    for (const c of clients) c.close();
    await Promise.all(clients.map((c) => c.closed));
    await listener.close(1000);
    await t.stop();
  }
}
