/** Logs over WebSockets that do not come about. */
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
