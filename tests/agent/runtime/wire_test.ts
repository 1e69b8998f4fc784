/** What CRI's messages need of the wire beside what the server needs: maps, words, zeros, packed numbers. */
import assert from "node:assert/strict";
import { STOP_SIGNALS } from "../../../agent/runtime/signals.ts";
import { CONTAINER_CONFIG } from "../../../agent/runtime/tables.ts";
import { decode, encode, type Table } from "../../../schema/grpc/wire.ts";

const TABLE: Table = [
  [1, "labels", "strings"],
  [2, "state", { words: ["READY", "NOTREADY"] }],
  [3, "groups", "int", "repeated"],
  [4, "used", "uint64"],
  [5, "inner", [[1, "name", "string"], [2, "bytes", "bytes"]]],
  [6, "on", "bool"],
  [7, "code", "int"],
];

Deno.test("a container is ended by the signal of that name", () => {
  const config = { stopSignal: "SIGTERM", args: ["a"] };
  const bytes = encode(CONTAINER_CONFIG, config);
  assert.deepEqual([...bytes.slice(-3)], [0x90, 1, 23]);
  assert.equal(decode<typeof config>(CONTAINER_CONFIG, bytes).stopSignal, "SIGTERM");
  assert.equal(STOP_SIGNALS.indexOf("SIGRTMAX-14"), 51);
});

Deno.test("a message comes back as it went", () => {
  const message = {
    labels: { a: "1", "": "" },
    state: "NOTREADY",
    groups: [1, 300, -1],
    used: 2n ** 64n - 1n,
    inner: { name: "n", bytes: Uint8Array.of(1) },
    on: true,
    code: -1,
  };
  assert.deepEqual(decode(TABLE, encode(TABLE, message)), message);
});

Deno.test("what is absent is the zero of its type, or nothing", () => {
  assert.deepEqual(decode(TABLE, new Uint8Array(), "zero"), {
    labels: {},
    state: "READY",
    groups: [],
    used: 0n,
    on: false,
    code: 0,
  });
  assert.deepEqual(decode(TABLE, new Uint8Array()), { groups: [] });
  assert.deepEqual(decode(TABLE, Uint8Array.of(5 << 3 | 2, 0), "zero"), {
    ...decode<object>(TABLE, new Uint8Array(), "zero"),
    inner: { name: "", bytes: new Uint8Array() },
  });
});

Deno.test("numbers side by side, words that are new, values that are left out", () => {
  // Groups 1 and 300 packed, state 9, a label without its value.
  const bytes = Uint8Array.of(3 << 3 | 2, 3, 1, 0xac, 2, 2 << 3, 9, 1 << 3 | 2, 3, 1 << 3 | 2, 1, 0x61);
  assert.deepEqual(decode(TABLE, bytes), { groups: [1, 300], state: "9", labels: { a: "" } });
});
