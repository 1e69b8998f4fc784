/** D-Bus: values and messages as bytes, and a bus with somebody on it. */
import assert from "node:assert/strict";
import { Bus, DbusError } from "../../../agent/dbus/bus.ts";
import { decodeMessage, encodeMessage, MESSAGE, type Message, messageLength } from "../../../agent/dbus/message.ts";
import { DbusFormatError, decodeValues, encodeValues, type Value } from "../../../agent/dbus/values.ts";
import { until } from "../../listen/_fixture.ts";
import { noBus, Offer, withBus } from "../shutdown/_host.ts";

if (noBus) console.log(`a bus is not tested: ${noBus}`);

Deno.test("D-Bus: values lie where the specification has them", () => {
  const rows: readonly (readonly [signature: string, values: readonly Value[], hex: string])[] = [
    ["yu", [1, 2], "0100000002000000"],
    ["s", ["foo"], "03000000666f6f00"],
    ["gb", ["ai", true], "0261690001000000"],
    ["yat", [7, [5n]], "0700000008000000" + "0500000000000000"],
    ["v", [{ signature: "s", value: "a" }], "01730000" + "01000000" + "6100"],
    ["a{sv}", [[["k", { signature: "q", value: 9 }]]], "0c00000000000000" + "010000006b00" + "01710000" + "0900"],
    ["(nix)d", [[-1, -2, -3n], 1.5], "ffff0000feffffff" + "fdffffffffffffff" + "000000000000f83f"],
    ["ao", [[]], "00000000"],
  ];
  for (const [signature, values, hex] of rows) {
    const bytes = encodeValues(signature, values);
    assert.equal(bytes.toHex(), hex, signature);
    assert.deepEqual(decodeValues(signature, bytes), values, signature);
  }
  assert.deepEqual(decodeValues("us", Uint8Array.fromHex("0000000700000001" + "6100"), false), [7, "a"]);
});

Deno.test("D-Bus: messages come back as they went, and what is none is refused", () => {
  const message: Message = {
    type: MESSAGE.call,
    serial: 7,
    path: "/org/test",
    interface: "org.test",
    member: "Do",
    destination: "org.test",
    signature: "sas",
    body: ["x".repeat(1000), ["a", "b"]],
  };
  const bytes = encodeMessage(message);
  assert.equal(messageLength(bytes.subarray(0, 16)), bytes.length);
  assert.equal(messageLength(bytes.subarray(0, 15)), undefined);
  assert.deepEqual(decodeMessage(bytes), message);
  const long = bytes.slice();
  new DataView(long.buffer).setUint32(4, 2 ** 30, true);
  assert.throws(() => messageLength(long), DbusFormatError);
  assert.throws(() => messageLength(new Uint8Array(16)), DbusFormatError);
  for (const signature of ["a", "(", "()", "z", "a{sv", "a".repeat(40) + "y"]) {
    assert.throws(() => decodeValues(signature, new Uint8Array(64)), DbusFormatError, signature);
  }
  for (const [signature, hex] of [["s", "ff00000061"], ["at", "ffffff7f"], ["u", "00"], ["v", "00"]] as const) {
    assert.throws(() => decodeValues(signature, Uint8Array.fromHex(hex)), DbusFormatError, signature);
  }
});

Deno.test("D-Bus: a call fails when the bus goes that takes nothing", async () => {
  const path = await Deno.makeTempFile();
  await Deno.remove(path);
  const listener = Deno.listen({ transport: "unix", path }), stop = new AbortController();
  const opened = Bus.open(stop.signal, `unix:path=${path}`);
  const peer = await listener.accept(), bytes = new Uint8Array(4096);
  await peer.read(bytes);
  await peer.write(new TextEncoder().encode("OK 1\r\n"));
  await peer.read(bytes);
  await peer.write(encodeMessage({ type: MESSAGE.answer, serial: 1, replySerial: 1 }));
  const bus = await opened;
  const call = bus.call({ destination: "a.b", path: "/a", interface: "a.b", member: "X" }, "s", ["x".repeat(900_000)]);
  await peer.closeWrite();
  await assert.rejects(call, /connection to the bus is closed/);
  peer.close();
  listener.close();
  await Deno.remove(path).catch(() => {});
});

Deno.test({
  name: "D-Bus: calls, faults and signals by a bus",
  ignore: noBus !== undefined, // no bus on this machine
}, async () => {
  await withBus(async (address) => {
    const { signal } = new AbortController();
    await assert.rejects(Bus.open(signal, "unix:path=/none;tcp:host=x"));
    const offer = await Offer.open(address, "org.test.Echo", { Echo: ([text]) => ["ss", [text!, "!"]] });
    const bus = await Bus.open(signal, `unix:path=/none;${address}`);
    const echo = { destination: "org.test.Echo", path: "/a", interface: "org.test.Echo", member: "Echo" };
    const large = "x".repeat(100_000);
    assert.deepEqual(await bus.call(echo, "s", [large]), [large, "!"]);
    const refused = { error: "org.test.Refused", message: "no such thing" };
    await assert.rejects(bus.call({ ...echo, member: "None" }), { name: "DbusError", ...refused });
    await assert.rejects(bus.call({ ...echo, destination: "org.test.None" }), DbusError);
    const heard: (readonly Value[])[] = [];
    const said = { sender: "org.test.Echo", path: "/a", interface: "org.test.Echo", member: "Said" };
    await bus.hear(said, (body) => heard.push(body));
    await offer.signal("/a", "org.test.Echo", "Other", "", []);
    await offer.signal("/a", "org.test.Echo", "Said", "b", [true]);
    // Another one says the same.
    const other = await Offer.open(address, "org.test.Other", {});
    await other.signal("/a", "org.test.Echo", "Said", "b", [false]);
    await offer.signal("/a", "org.test.Echo", "Said", "i", [3]);
    await until("signals are heard", () => heard.length === 2);
    assert.deepEqual(heard, [[true], [3]]);
    const late = bus.call({ ...echo, member: "None" }).catch(() => "ended");
    bus.close();
    assert.equal(await late, "ended");
    await bus.over;
    await assert.rejects(bus.call(echo));
    offer.close();
    other.close();
    const aborted = AbortSignal.abort();
    await assert.rejects(Bus.open(aborted, address), { name: "AbortError" });
  });
});
