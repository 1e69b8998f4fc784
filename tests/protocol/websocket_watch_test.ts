/** Watches over WebSockets, by a public client over the real listener. */
import assert from "node:assert/strict";
import { WebSocket } from "ws";
import { listen } from "../../server/listen/mod.ts";
import type { Connection } from "../../server/request.ts";
import { startTestServer, type TestServer } from "../fixture/server.ts";

interface Message {
  readonly binary: boolean;
  readonly bytes: Uint8Array;
}

/** A client's side: messages in order, and how it ended. */
class Client {
  readonly messages: Message[] = [];
  readonly #socket: WebSocket;
  readonly closed: Promise<void>;
  #wake = () => {};

  constructor(url: string, headers: Record<string, string>, protocols: string[]) {
    this.#socket = new WebSocket(url, protocols, { headers });
    this.#socket.on("message", (data: Uint8Array, binary: boolean) => {
      this.messages.push({ binary, bytes: new Uint8Array(data) });
      this.#wake();
    });
    this.#socket.on("error", () => {});
    this.closed = new Promise((resolve) => this.#socket.on("close", () => resolve()));
  }

  get protocol(): string {
    return this.#socket.protocol;
  }

  async take(count: number): Promise<Message[]> {
    while (this.messages.length < count) await new Promise<void>((resolve) => this.#wake = resolve);
    return this.messages.splice(0, count);
  }

  close(): void {
    this.#socket.close();
  }
}

type Open = (path: string, headers?: Record<string, string>, protocols?: string[]) => Client;

async function withSockets(body: (t: TestServer, open: Open) => Promise<void>): Promise<void> {
  const t = await startTestServer();
  const handler = (request: Request, connection: Connection) => t.server.fetch(request, connection);
  const listener = await listen(handler, { hostname: "127.0.0.1", port: 0 });
  const clients: Client[] = [];
  try {
    await body(t, (path, headers = {}, protocols = []) => {
      const client = new Client(listener.url.replace("http", "ws") + path, headers, protocols);
      clients.push(client);
      return client;
    });
  } finally {
    for (const c of clients) c.close();
    await Promise.all(clients.map((c) => c.closed));
    await listener.close(1000);
    await t.stop();
  }
}

const PATH = "/api/v1/namespaces/default/configmaps";
const json = ({ bytes }: Message) => JSON.parse(new TextDecoder().decode(bytes));
const create = (t: TestServer, name: string) => t.fetch(PATH, { method: "POST", body: { metadata: { name } } });

Deno.test("WebSocket watch: each event is one text message of JSON, until the client closes", async () => {
  await withSockets(async (t, open) => {
    await create(t, "a");
    const client = open(`${PATH}?watch=1&resourceVersion=0`);
    const [first] = await client.take(1);
    assert.equal(first!.binary, false);
    assert.deepEqual([json(first!).type, json(first!).object.metadata.name], ["ADDED", "a"]);
    await create(t, "b");
    await t.fetch(`${PATH}/b`, { method: "DELETE" });
    const rest = await client.take(2);
    assert.deepEqual(rest.map((m) => [json(m).type, json(m).object.metadata.name]), [["ADDED", "b"], ["DELETED", "b"]]);
    client.close();
    await client.closed;
  });
});

Deno.test("WebSocket watch: Protobuf comes as binary messages without a length before them", async () => {
  await withSockets(async (t, open) => {
    const client = open(`${PATH}?watch=1`, { accept: "application/vnd.kubernetes.protobuf" });
    const stream = await t.open(`${PATH}?watch=1`, {
      headers: { accept: "application/vnd.kubernetes.protobuf;stream=watch" },
    });
    await create(t, "a");
    const [message] = await client.take(1);
    const reader = stream.body!.getReader();
    const framed = (await reader.read()).value!;
    await reader.cancel();
    assert.equal(message!.binary, true);
    assert.deepEqual(message!.bytes, new Uint8Array(framed.subarray(4)));
  });
});

Deno.test("WebSocket watch: the subprotocol chosen is the first that carries no token", async () => {
  await withSockets(async (t, open) => {
    await create(t, "a");
    const token = `base64url.bearer.authorization.k8s.io.${btoa("secret").replaceAll("=", "")}`;
    const client = open(`${PATH}?watch=1`, {}, [token, "first", "second"]);
    await client.take(1);
    assert.equal(client.protocol, "first");
  });
});

Deno.test("WebSocket watch: ends at its time; what is not there is told before the upgrade", async () => {
  await withSockets(async (t, open) => {
    await create(t, "a");
    await open(`${PATH}?watch=1&timeoutSeconds=1`).closed;
    const early = open("/api/v1/nosuch?watch=1");
    await early.closed;
    assert.deepEqual(early.messages, []);
  });
});

Deno.test("WebSocket watch: the server's stop closes it", async () => {
  await withSockets(async (t, open) => {
    await create(t, "a");
    const client = open(`${PATH}?watch=1`);
    await client.take(1);
    await t.stop();
    await client.closed;
  });
});

Deno.test("WebSocket watch: a request that only half asks for it gets a plain stream", async () => {
  await withSockets(async (t) => {
    const stream = await t.open(`${PATH}?watch=1&timeoutSeconds=1`, { headers: { upgrade: "websocket" } });
    assert.equal(stream.status, 200);
    await stream.body!.cancel();
  });
});
