/** HTTP/1.1 clients that write keep their connection, and nothing but plain exchanges is touched. */
import assert from "node:assert/strict";
import { Exchanges } from "../../server/listen/exchanges.ts";
import { closed, connectTls, readUntil, withListener } from "./_fixture.ts";

const bytes = (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0));
const text = (b: Uint8Array) => String.fromCharCode(...b);

const POST = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello";
const answer = (more: string, body = "ok") =>
  `HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n${more}content-length: ${body.length}\r\n\r\n${body}`;
const CLOSES = answer("connection: close\r\n");

/** Pieces of a client (`>`) and of the server (`<`), and what becomes of them: the answer's bytes as sent, spent, over. */
const TABLE: readonly [name: string, pieces: readonly string[], sent: string, spent: boolean, over: boolean][] = [
  ["a closing answer becomes one that does not close", [`>${POST}`, `<${CLOSES}`], answer(""), true, false],
  ["an answer that keeps the connection is passed", [`>${POST}`, `<${answer("")}`], answer(""), false, false],
  [
    "in pieces",
    [">POST / HTTP/1.1\r\nHost: x\r\nContent-Le", ">ngth: 5\r\n\r", ">\nhe", ">llo", `<${CLOSES.slice(0, -1)}`, "<k"],
    answer(""),
    true,
    false,
  ],
  ["not before the answer's end", [`>${POST}`, `<${CLOSES.slice(0, -1)}`], answer("").slice(0, -1), false, false],
  [
    "a request after it",
    [`>${POST}`, `<${answer("")}`, `>${POST}`, `<${CLOSES}`],
    answer("") + answer(""),
    true,
    false,
  ],
  ["without a body", [">GET / HTTP/1.1\r\nHost: x\r\n\r\n", `<${CLOSES}`], answer(""), true, false],
  [
    "no content",
    [`>${POST}`, "<HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n"],
    "HTTP/1.1 204 No Content\r\n\r\n",
    true,
    false,
  ],
  [
    "a server that is full or stops",
    [`>${POST}`, `<${CLOSES.replace("200 OK", "429 Too Many")}`],
    CLOSES.replace("200 OK", "429 Too Many"),
    false,
    false,
  ],
  ...[
    ["HTTP/2", [">PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "<\0\0\0\x04"]],
    ["bytes beyond the request", [`>${POST}G`, `<${CLOSES}`]],
    ["a second request before the answer", [`>${POST}`, `>${POST}`, `<${CLOSES}`]],
    ["a second request in the answer", [`>${POST}`, `<${CLOSES.slice(0, -1)}`, `>${POST}`]],
    ["an answer before the request is whole", [`>${POST.slice(0, -1)}`, `<${CLOSES}`]],
    ["an answer longer than told", [`>${POST}`, `<${CLOSES}!`]],
    ["an answer of no told length", [`>${POST}`, "<HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nok"]],
    ["a chunked answer", [`>${POST}`, `<${answer("transfer-encoding: chunked\r\nconnection: close\r\n")}`]],
    ["a head in pieces", [`>${POST}`, `<${CLOSES.slice(0, 20)}`, `<${CLOSES.slice(20)}`]],
    ["100-continue", [`>${POST}`, "<HTTP/1.1 100 Continue\r\n\r\n", `<${CLOSES}`]],
    ...[
      "Transfer-Encoding: chunked",
      "Content-Length: 5",
      "Content-Length: 5, 5",
      "Connection: close",
      "Connection: upgrade",
      "Upgrade: websocket",
      "Expect: 100-continue",
      " folded",
      "Content-Length : 5",
      "no colon",
      "a\rb: c",
      "Trailer: x",
    ].map((line): [string, string[]] => [line, [`>${POST.replace("Host: x", `Host: x\r\n${line}`)}`, `<${CLOSES}`]]),
    ["HTTP/1.0", [`>${POST.replace("1.1", "1.0")}`, `<${CLOSES}`]],
    ["HEAD", [">HEAD / HTTP/1.1\r\n\r\n", `<${CLOSES}`]],
    ["bare line feeds", [`>${POST.replaceAll("\r\n", "\n")}`, `<${CLOSES}`]],
    ["a long head", [`>GET / HTTP/1.1\r\na: ${"x".repeat(20_000)}\r\n\r\n`, `<${CLOSES}`]],
  ].map(([name, pieces]): [string, string[], string, boolean, boolean] => [
    `not touched: ${name}`,
    pieces as string[],
    (pieces as string[]).filter((p) => p[0] === "<").map((p) => p.slice(1)).join(""),
    false,
    true,
  ]),
];

for (const [name, pieces, sent, spent, over] of TABLE) {
  Deno.test(`exchanges: ${name}`, () => {
    const exchanges = new Exchanges();
    let out = "";
    for (const piece of pieces) {
      const b = bytes(piece.slice(1));
      if (piece[0] === ">") exchanges.over || exchanges.request(b);
      else out += text(exchanges.over ? b : exchanges.answer(b));
    }
    // What was promised before something odd came cannot be taken back.
    assert.equal(name.endsWith("in the answer") ? out.length > 0 : out, name.endsWith("in the answer") ? true : sent);
    assert.deepEqual([exchanges.spent, exchanges.over], [spent, over]);
  });
}

Deno.test("exchanges: a head costs no more than its length, whatever blanks are in it", () => {
  for (const value of [`a${" ".repeat(15_000)}b`, `${" ".repeat(15_000)}\rb`, ` \t0${" \t".repeat(7000)}`]) {
    for (const name of ["x", "content-length"]) {
      // By going back and forth over the blanks each of these took a third of a second.
      for (let i = 0; i < 200; i++) {
        const exchanges = new Exchanges();
        exchanges.request(bytes(`GET / HTTP/1.1\r\nHost: x\r\n${name}: ${value}\r\n\r\n`));
        assert.equal(exchanges.over, value.includes("\r") || (name !== "x" && value.startsWith("a")));
      }
    }
  }
});

const UPGRADE = "POST / HTTP/1.1\r\nHost: x\r\nUpgrade: SPDY/3.1\r\n";
for (
  const [name, given, wanted] of [
    ["without its length of zero", `${UPGRADE}Content-Length: 0\r\n\r\n`, `${UPGRADE}\r\n`],
    ["as it is with a body", `${UPGRADE}Content-Length: 1\r\n\r\n`, undefined],
    ["as it is with two lengths", `${UPGRADE}Content-Length: 0\r\nContent-Length: 0\r\n\r\n`, undefined],
    ["as it is with chunks", `${UPGRADE}Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n`, undefined],
    ["as it is with more behind it", `${UPGRADE}Content-Length: 0\r\n\r\nGET`, undefined],
  ] as const
) {
  Deno.test(`exchanges: a request to upgrade is passed ${name}`, () => {
    assert.equal(text(new Exchanges().request(bytes(given))), wanted ?? given);
  });
}

Deno.test("listener: an upgrade whose length is told as zero is answered", async () => {
  await withListener(() => new Response("no", { status: 403 }), {}, async ({ port }) => {
    const socket = await connectTls(port);
    socket.write(`${UPGRADE}Connection: Upgrade\r\nContent-Length: 0\r\n\r\n`);
    assert.match(await readUntil(socket, (t) => t.includes("\r\n\r\n")), /^HTTP\/1\.1 403 /);
    socket.destroy();
  });
});

Deno.test("listener: a client of HTTP/1.1 writes again and again over one connection", async () => {
  const connections = new Set<unknown>();
  await withListener(
    async (request, connection) => {
      connections.add(connection);
      const length = (await request.bytes()).length;
      return new Response(`${length} bytes`);
    },
    {},
    async ({ port }) => {
      const socket = await connectTls(port);
      for (const [i, length] of [10, 5_000, 100, 200_000, 5_000, 0].entries()) {
        socket.write(`POST /${i} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${"a".repeat(length)}`);
        const got = await readUntil(socket, (t) => t.includes(`${length} bytes`));
        assert.ok(!/connection: close/i.test(got), got);
      }
      assert.equal(connections.size, 1);
      // And what is not plain is answered as it always was.
      socket.write(
        `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1388\r\n${"a".repeat(5_000)}\r\n0\r\n\r\n`,
      );
      await readUntil(socket, (t) => t.includes("5000 bytes"));
      socket.destroy();
      await closed(socket);
    },
  );
});
