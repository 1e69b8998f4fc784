import assert from "node:assert/strict";
import http2 from "node:http2";
import { closed, connectTls, readUntil, session, soon, until, withListener } from "./_fixture.ts";

/** A handler with three ways to be left alone, and what it heard. */
function watched() {
  const heard: string[] = [];
  const begun: string[] = [];
  const handler = (request: Request): Response | Promise<Response> => {
    const { pathname } = new URL(request.url);
    begun.push(pathname);
    if (pathname === "/unanswered") {
      const { promise, resolve } = Promise.withResolvers<Response>();
      request.signal.addEventListener("abort", () => {
        heard.push(pathname);
        resolve(new Response());
      });
      return promise;
    }
    const busy = pathname === "/busy";
    return new Response(
      new ReadableStream({
        async pull(controller) {
          controller.enqueue(new TextEncoder().encode("tick\n"));
          await new Promise((resolve) => setTimeout(resolve, busy ? 5 : 1e9));
        },
        cancel: () => void heard.push(pathname),
      }, { highWaterMark: 0 }),
    );
  };
  return { heard, begun, handler };
}

const PATHS = ["/busy", "/quiet", "/unanswered"];

Deno.test({
  name: "listener: a client that goes away frees what it asked for, HTTP/1.1",
  // The quiet body waits on a timer that nothing ends: that is what it shows.
  sanitizeOps: false,
  async fn() {
    const { heard, begun, handler } = watched();
    await withListener(handler, {}, async ({ port }) => {
      for (const path of PATHS) {
        const socket = await connectTls(port);
        socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
        if (path !== "/unanswered") await readUntil(socket, (text) => text.includes("tick"));
        else await until("the request is in the handler", () => begun.includes(path));
        socket.destroy();
        await closed(socket);
        await until(`${path} is freed`, () => heard.includes(path));
      }
      assert.deepEqual(heard, PATHS);
    });
  },
});

Deno.test({
  name: "listener: a cancelled stream, and a lost session, free what they asked for, HTTP/2",
  sanitizeOps: false, // As above.
  async fn() {
    const { heard, begun, handler } = watched();
    await withListener(handler, {}, async (listener) => {
      for (const whole of [false, true]) {
        heard.length = 0;
        begun.length = 0;
        for (const path of PATHS) {
          const client = session(listener.port);
          const stream = client.request({ ":path": path });
          stream.on("error", () => {});
          if (path !== "/unanswered") await soon(new Promise((resolve) => stream.once("data", resolve)), "a tick");
          else await until("the request is in the handler", () => begun.includes(path));
          if (whole) client.destroy();
          else stream.close(http2.constants.NGHTTP2_CANCEL);
          await until(`${path} is freed`, () => heard.includes(path));
          client.destroy();
        }
        assert.deepEqual(heard, PATHS);
      }
      await until("every connection is forgotten", () => listener.connections() === 0);
    });
  },
});

Deno.test("listener: half a body, then nothing: others are served, and the leaver is forgotten", async () => {
  let failed = "";
  const handler = async (request: Request) => {
    try {
      return new Response(String((await request.text()).length));
    } catch (error) {
      failed = String(error);
      return new Response();
    }
  };
  await withListener(handler, {}, async (listener) => {
    const socket = await connectTls(listener.port);
    socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n" + "x".repeat(500));
    const other = await connectTls(listener.port);
    other.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc");
    assert.match(await readUntil(other, () => false), /\r\n\r\n3$/);
    assert.equal(failed, "");
    socket.destroy();
    await until("the reader of the body hears of it", () => failed !== "");
    await until("every connection is forgotten", () => listener.connections() === 0);
  });
});
