import assert from "node:assert/strict";
import { canonicalDuration, durationToNanos, nanosToDuration } from "../../schema/values/duration.ts";
import { ValueError } from "../../schema/values/error.ts";
import { seeded } from "../fixture/random.ts";

Deno.test("duration: nanoseconds and canonical text", () => {
  const table: [string, bigint, string][] = [
    ["0", 0n, "0s"],
    ["0s", 0n, "0s"],
    ["-0", 0n, "0s"],
    ["1ns", 1n, "1ns"],
    ["1us", 1000n, "1µs"],
    ["1µs", 1000n, "1µs"],
    ["1μs", 1000n, "1µs"],
    ["1.1us", 1100n, "1.1µs"],
    ["2200000ns", 2200000n, "2.2ms"],
    ["3.3s", 3300000000n, "3.3s"],
    ["90s", 90000000000n, "1m30s"],
    ["1h30m", 5400000000000n, "1h30m0s"],
    ["4h5m0.001s", 14700001000000n, "4h5m0.001s"],
    ["-1.5h", -5400000000000n, "-1h30m0s"],
    ["+5s", 5000000000n, "5s"],
    [".5s", 500000000n, "500ms"],
    ["5.s", 5000000000n, "5s"],
    ["0.3333333333333333333h", 1200000000000n, "20m0s"],
    ["3000h", 10800000000000000n, "3000h0m0s"],
    ["2562047h47m16.854775807s", (1n << 63n) - 1n, "2562047h47m16.854775807s"],
    ["-2562047h47m16.854775808s", -(1n << 63n), "-2562047h47m16.854775808s"],
  ];
  for (const [text, nanos, canonical] of table) {
    assert.equal(durationToNanos(text), nanos, text);
    assert.equal(canonicalDuration(text), canonical, text);
  }
});

Deno.test("duration: what is none", () => {
  for (
    const text of [
      "",
      "3",
      "-",
      "s",
      ".",
      "-.",
      ".s",
      "+.s",
      "1d",
      "1.5",
      "1h 2m",
      "--1s",
      "1s-",
      "9999999h",
      "2562047h47m16.854775808s",
      "1e3s",
      "s1",
    ]
  ) assert.throws(() => durationToNanos(text), ValueError, text);
  assert.throws(() => durationToNanos("1s".repeat(1000)), ValueError);
});

Deno.test("duration: text reads back", () => {
  const random = seeded(3);
  for (let i = 0; i < 20_000; i++) {
    const n = BigInt(Math.floor((random() - 0.5) * 2 ** Math.floor(random() * 63)));
    assert.equal(durationToNanos(nanosToDuration(n)), n);
  }
});
