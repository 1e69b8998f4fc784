import assert from "node:assert/strict";
import { splitUrl } from "../../server/filters/url.ts";
import { listen } from "../../server/listen/mod.ts";
import { startTestServer } from "../fixture/server.ts";
import { connectTls, serving, until } from "../listen/_fixture.ts";

const HOSTS: [host: string, status: number][] = [
  ["a.example:6443", 200],
  ["[::1]:6443", 200],
  ["", 200],
  ["a:99999999:b", 200],
  ["a%zz", 200],
  ["h/api/v1/namespaces/default/secrets?x=", 400],
  ["h?x=", 400],
  ["h#", 400],
  ["u:p@h", 400],
  ["a b", 400],
];

/** A whole server behind TLS while `run` goes on, told its port. */
async function withFront(run: (port: number) => Promise<void>): Promise<void> {
  const t = await startTestServer([]);
  const front = await listen((request, connection) => t.server.fetch(request, connection), {
    hostname: "127.0.0.1",
    port: 0,
    tls: serving,
  });
  try {
    await run(front.port);
  } finally {
    await front.close(0);
    await t.stop();
  }
}

Deno.test("nothing of the header Host is taken for a part of the path", () =>
  withFront(async (port) => {
    for (const [host, status] of HOSTS) {
      const socket = await connectTls(port);
      let answer = "";
      socket.on("data", (chunk) => answer += chunk.toString());
      // Braces are what a URL encodes: the whole address is looked at.
      socket.write(`GET /version?{} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      await until("the answer", () => answer.includes("\r\n\r\n"));
      assert.ok(answer.startsWith(`HTTP/1.1 ${status} `), `${host}: ${answer}`);
      socket.destroy();
    }
  }));

Deno.test("nobody is told that a tunnel is there who asks for one", () =>
  withFront(async (port) => {
    const socket = await connectTls(port);
    let answer = "";
    socket.on("data", (chunk) => answer += chunk.toString());
    socket.write("CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n");
    await until("the answer", () => answer.includes("\r\n\r\n"));
    assert.ok(answer.startsWith("HTTP/1.1 404 "), answer);
    socket.destroy();
  }));

Deno.test("a path is told whatever host is before it", () => {
  for (const host of ["h", "", "[", "a:b:c", "a%zz"]) {
    assert.deepEqual(splitUrl(`https://${host}/a/{}?b={}#c`), { path: "/a/%7B%7D", query: "b={}" }, host);
  }
});
