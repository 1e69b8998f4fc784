import assert from "node:assert/strict";
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { WebSocket } from "ws";
import { LastWords } from "../../../agent/http/streams/last_words.ts";
import { dataFrame } from "../../../agent/http/streams/spdy.ts";
import { PROTOCOL, translate } from "../../../agent/http/streams/translate.ts";
import { soon, until } from "../../listen/_fixture.ts";

async function portOf(server: http.Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return (server.address() as AddressInfo).port;
}

/** A process that reads nothing, and its client. */
interface Held {
  readonly client: WebSocket;
  /** The runtime's side of its connection. */
  readonly runtime: Duplex;
  /** The agent's side of the client's. */
  readonly agent: Duplex;
}

async function withHeld(run: (held: Held) => Promise<void>): Promise<void> {
  const held: Duplex[] = [];
  const runtime = http.createServer().on("upgrade", (_request, socket) => {
    held[0] = socket.on("error", () => {}).pause();
    socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n");
  });
  const url = `http://127.0.0.1:${await portOf(runtime)}/exec`;
  const agent = http.createServer().on("upgrade", (request, socket, first) => {
    held[1] = socket.on("error", () => {});
    const response = new http.ServerResponse(request);
    response.assignSocket(request.socket);
    const incoming = { request, response, upgrade: { first }, signal: new AbortController().signal };
    const wanted = { tty: false, stdin: true, stdout: true, stderr: false };
    void translate(incoming as unknown as Parameters<typeof translate>[0], url, wanted, 0);
  });
  const client = new WebSocket(`ws://127.0.0.1:${await portOf(agent)}/`, PROTOCOL);
  await soon(new Promise<void>((resolve) => client.once("open", () => resolve())), "the upgrade");
  const closed = new Promise<void>((resolve) => client.once("close", () => resolve()));
  await run({ client, runtime: held[0]!, agent: held[1]! });
  for (const socket of held) socket.destroy();
  client.terminate();
  await closed;
  await Promise.all([runtime, agent].map((server) => new Promise<void>((done) => server.close(() => done()))));
}

Deno.test("A client of a process that reads nothing is written to: only so is one noticed that is held back and has gone", async () => {
  await withHeld(async ({ client }) => {
    const pinged = new Promise<void>((resolve) => client.once("ping", () => resolve()));
    client.send(new Uint8Array(3 * 1024 * 1024));
    await pinged;
  });
});

Deno.test("A client whose process ended without reading all of its input is told how, and that this was all", async () => {
  await withHeld(async ({ client, runtime, agent }) => {
    const got: string[] = [];
    client.on("message", (data: Uint8Array) => got.push(new TextDecoder().decode(new Uint8Array(data))));
    const closed = soon(new Promise<number>((resolve) => client.once("close", resolve)), "the close");
    for (let i = 0; i < 8; i++) client.send(new Uint8Array(3 * 1024 * 1024));
    await until("the client's being held back", () => agent.isPaused());
    // Streams are opened in this order: how it ended, input, output.
    runtime.write(dataFrame(5, new TextEncoder().encode("out"), true));
    runtime.end(dataFrame(1, new TextEncoder().encode(`{"status":"Success"}`), true));
    assert.equal(await closed, 1000);
    assert.deepEqual(got, ["\u0001", "\u0001out", `\u0003{"metadata":{},"status":"Success"}`]);
  });
});

Deno.test("A client that closes a channel that there is not, or says more than one, is let go", async () => {
  for (const message of [[255], [255, 9], [255, 0, 0]]) {
    await withHeld(async ({ client, runtime }) => {
      const closed = soon(new Promise<number>((resolve) => client.once("close", resolve)), "the close");
      client.send(Uint8Array.from(message));
      assert.equal(await closed, 1000);
      await until("the end of the runtime's side", () => runtime.readableEnded || runtime.destroyed || ended(runtime));
    });
  }
});

/** Reads what is left of a connection. */
const ended = (socket: Duplex): boolean => socket.resume().readableEnded;

Deno.test("A client that closes a channel that nothing is read from goes on", async () => {
  await withHeld(async ({ client, runtime }) => {
    const closed = soon(new Promise<number>((resolve) => client.once("close", resolve)), "the close");
    let last = "";
    client.on("message", (data: Uint8Array) => last = new TextDecoder().decode(new Uint8Array(data)));
    client.send(Uint8Array.of(255, 1));
    runtime.write(dataFrame(5, new Uint8Array(), true));
    runtime.write(dataFrame(1, new TextEncoder().encode(failure("NonZeroExitCode", "so", "7")), true));
    assert.equal(await closed, 1000);
    assert.match(last, /exit code 7/);
  });
});

/** A status of the runtime. */
const failure = (reason: string, message: string, code?: string): string => {
  const causes = code === undefined ? [] : [{ reason: "ExitCode", message: code }];
  return JSON.stringify({ metadata: {}, status: "Failure", reason, message, details: { causes } });
};

Deno.test("How a process ended is told in the words that a WebSocket's clients know", () => {
  const internal = (message: string) => [`Internal error occurred: ${message}`, "InternalError", [{ message }], 500];
  const table: readonly (readonly [said: string, told: readonly unknown[]])[] = [
    ["", []],
    [`{"status":"Success","message":"all well"}`, []],
    [failure("NonZeroExitCode", "error executing command [sh], exit code 3", "3"), [
      "command terminated with non-zero exit code: command terminated with exit code 3",
      "NonZeroExitCode",
      [{ reason: "ExitCode", message: "3" }],
      undefined,
    ]],
    [failure("InternalError", "no such command"), internal("no such command")],
    [failure("NonZeroExitCode", "so"), internal("error stream protocol error: no ExitCode cause given")],
    [failure("NonZeroExitCode", "so", "300"), internal(`error stream protocol error: invalid exit code value "300"`)],
    [`{"status":"Odd"}`, internal("error stream protocol error: unknown error")],
    ["null", internal("error stream protocol error: unknown error")],
    ["how", internal(`error stream protocol error: "how" is no status`)],
  ];
  for (const [said, told] of table) {
    const words = new LastWords(), bytes = new TextEncoder().encode(said);
    for (const byte of bytes) words.push(Uint8Array.of(byte));
    const status = words.status as Record<string, unknown> & { details?: { causes?: unknown } };
    assert.equal(status.status, told.length === 0 ? "Success" : "Failure", said);
    const { message, reason, details, code } = status;
    if (told.length > 0) assert.deepEqual([message, reason, details?.causes, code], told, said);
  }
});
