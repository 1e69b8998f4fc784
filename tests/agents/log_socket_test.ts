/** Logs over WebSockets: those that do not come about, and how fast others go out. */
import assert from "node:assert/strict";
import { productOf } from "../../schema/product.ts";
import { logOverSocket } from "../../server/registry/core/log_socket.ts";
import type { RequestScope } from "../../server/request.ts";

Deno.test("a log whose subprotocol is refused is let go, though it has broken off before", async () => {
  let end = (_: Error) => {};
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (end = (e) => controller.error(e)) });
  end(new Error("the agent is gone"));
  const headers = new Headers({ upgrade: "websocket", connection: "Upgrade", "sec-websocket-protocol": "chat" });
  const scope = { headers, connection: { upgrade: () => assert.fail("no handshake") }, request: {} };
  assert.throws(
    () => logOverSocket(scope as unknown as RequestScope, body, productOf("kubernetes")),
    (e: Error & { code?: number }) => e.code === 403 && /chat/.test(e.message),
  );
  await assert.rejects(body.getReader().read(), /gone/);
});

/** As much of a WebSocket as a log needs. */
class Socket extends EventTarget {
  readonly OPEN = 1;
  readonly bufferedAmount = 0;
  readyState = 1;
  readonly messages: number[] = [];
  readonly closed = Promise.withResolvers<void>();

  send(message: Uint8Array): void {
    this.messages.push(message.length);
  }

  close(): void {
    this.readyState = 3;
    this.closed.resolve();
  }
}

Deno.test("a log goes out at the pace of its connection", async () => {
  const sizes = [3, 5], taken: number[] = [], socket = new Socket();
  const body = ReadableStream.from(sizes.map((n) => new Uint8Array(n)));
  const response = new Response();
  const scope = {
    headers: new Headers({ upgrade: "websocket", connection: "Upgrade", "sec-websocket-version": "13" }),
    connection: { upgrade: () => ({ response, socket }) },
    request: {},
    signal: new AbortController().signal,
    pace: { take: (bytes: number) => Promise.resolve(void taken.push(bytes)) },
  };
  assert.equal(logOverSocket(scope as unknown as RequestScope, body, productOf("kubernetes")), response);
  socket.dispatchEvent(new Event("open"));
  await socket.closed.promise;
  assert.deepEqual([socket.messages, taken], [[0, ...sizes], sizes]);
});

Deno.test("a log is let go where a version of WebSockets is asked for that there is not", async () => {
  const cancelled = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({ cancel: () => cancelled.resolve() });
  const headers = new Headers({ upgrade: "websocket", connection: "Upgrade", "sec-websocket-version": "7" });
  const scope = { headers, connection: { upgrade: () => assert.fail("no handshake") }, request: {} };
  assert.throws(
    () => logOverSocket(scope as unknown as RequestScope, body, productOf("kubernetes")),
    { code: 400, message: /version 7 is not spoken/ },
  );
  await cancelled.promise;
});
