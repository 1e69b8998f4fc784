/** Where endpoints lead, and sockets as connections. */
import assert from "node:assert/strict";
import { Duplex } from "node:stream";
import { connectionOf } from "../../schema/grpc/socket.ts";
import { type Target, targetOf } from "../../schema/grpc/target.ts";

const TARGETS: readonly (readonly [endpoint: string, Target | undefined])[] = [
  ["localhost:4317", { host: "localhost", port: 4317 }],
  ["collector", { host: "collector", port: 443 }],
  ["10.0.0.1:1", { host: "10.0.0.1", port: 1 }],
  ["[::1]:4317", { host: "::1", port: 4317 }],
  ["[fe80::1%eth0]", { host: "fe80::1%eth0", port: 443 }],
  ["dns:host:1", { host: "host", port: 1 }],
  ["dns:///host:1", { host: "host", port: 1 }],
  ["dns://10.0.0.10/host:1", { host: "host", port: 1 }],
  ["unix:/run/c", { path: "/run/c" }],
  ["unix:c", { path: "c" }],
  ["unix:///run/c", { path: "/run/c" }],
  ["unix-abstract:c", { path: "@c" }],
  ["unix-abstract://c", { path: "@c" }],
  ["", undefined],
  ["unix:", undefined],
  ["http://host:1", undefined],
  ["host:port", undefined],
  ["::1:1", undefined],
  ["host:1/path", undefined],
  ["a host:1", undefined],
];

Deno.test("grpc: endpoints are those of gRPC", () => {
  for (const [endpoint, target] of TARGETS) assert.deepEqual(targetOf(endpoint), target, endpoint);
});

/** A stream that is told what comes, and keeps what is sent. */
function told() {
  const sent: number[] = [];
  const socket = new Duplex({
    read() {},
    write(chunk: Uint8Array, _encoding, done) {
      sent.push(...chunk);
      done(chunk[0] === 255 ? new Error("it is full") : null);
    },
  });
  return { socket, sent, connection: connectionOf(socket) };
}

Deno.test("grpc: a socket gives what comes, as there is room for it, to its end", async () => {
  const { socket, connection, sent } = told();
  const into = new Uint8Array(4), got: number[] = [];
  socket.push(Uint8Array.of(1, 2, 3, 4, 5, 6));
  setTimeout(() => socket.push(Uint8Array.of(7)), 5);
  setTimeout(() => socket.push(null), 10);
  for (let count = await connection.read(into); count !== null; count = await connection.read(into)) {
    assert.ok(count > 0);
    got.push(...into.subarray(0, count));
  }
  assert.deepEqual(got, [1, 2, 3, 4, 5, 6, 7]);
  assert.equal(await connection.write(Uint8Array.of(8, 9)), 2);
  assert.deepEqual(sent, [8, 9]);
});

Deno.test("grpc: a socket that fails says why, and one that is closed has ended", async () => {
  const failed = told();
  const reading = assert.rejects(failed.connection.read(new Uint8Array(1)), /it is gone/);
  failed.socket.destroy(new Error("it is gone"));
  await reading;
  const full = told();
  await assert.rejects(full.connection.write(Uint8Array.of(255)), /it is full/);
  const closed = told();
  closed.connection.close();
  assert.equal(await closed.connection.read(new Uint8Array(1)), null);
});
