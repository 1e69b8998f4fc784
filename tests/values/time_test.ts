import assert from "node:assert/strict";
import { ValueError } from "../../schema/values/error.ts";
import {
  canonicalMicroTime,
  canonicalTime,
  microTimeToSeconds,
  nowMicroTime,
  nowTime,
  secondsToMicroTime,
  secondsToTime,
  timeToSeconds,
  ZERO_TIME,
} from "../../schema/values/time.ts";
import { seeded } from "../fixture/random.ts";

Deno.test("time: every RFC 3339 becomes UTC to the second", () => {
  const table: [string, string][] = [
    ["2026-01-02T15:04:05Z", "2026-01-02T15:04:05Z"],
    ["2026-01-02T15:04:05.999999999Z", "2026-01-02T15:04:05Z"],
    ["2026-01-02T15:04:05,5Z", "2026-01-02T15:04:05Z"],
    ["2026-01-02T15:04:05+05:30", "2026-01-02T09:34:05Z"],
    ["2026-12-31T23:59:59-00:01", "2027-01-01T00:00:59Z"],
    ["2026-01-02T5:04:05Z", "2026-01-02T05:04:05Z"],
    ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"],
    ["2000-02-29T00:00:00Z", "2000-02-29T00:00:00Z"],
    ["0001-01-01T00:00:00Z", ZERO_TIME],
    ["0099-03-01T00:00:00-01:00", "0099-03-01T01:00:00Z"],
    ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"],
  ];
  for (const [text, want] of table) assert.equal(canonicalTime(text), want);
});

Deno.test("time: seconds and nanoseconds", () => {
  assert.deepEqual(timeToSeconds("1970-01-01T00:00:00Z"), { seconds: 0, nanos: 0 });
  assert.deepEqual(timeToSeconds("1969-12-31T23:59:59.25Z"), { seconds: -1, nanos: 250_000_000 });
  assert.deepEqual(timeToSeconds("0001-01-01T00:00:00Z"), { seconds: -62135596800, nanos: 0 });
  assert.deepEqual(timeToSeconds("2026-01-01T00:00:00.1234567891Z"), { seconds: 1767225600, nanos: 123456789 });
  assert.equal(secondsToTime(253402300799n), "9999-12-31T23:59:59Z");
});

Deno.test("time: what is none", () => {
  const texts = [
    "",
    "yesterday",
    "2026-01-02",
    "2026-01-02 15:04:05Z",
    "2026-01-02T15:04:05",
    "2026-01-02T15:04Z",
    "2026-1-02T15:04:05Z",
    "26-01-02T15:04:05Z",
    "2026-13-02T15:04:05Z",
    "2026-00-02T15:04:05Z",
    "2026-02-29T15:04:05Z",
    "1900-02-29T00:00:00Z",
    "2026-04-31T15:04:05Z",
    "2026-01-02T24:00:00Z",
    "2026-01-02T15:60:05Z",
    "2026-01-02T15:04:60Z",
    "2026-01-02t15:04:05Z",
    "2026-01-02T15:04:05z",
    "2026-01-02T15:04:05.Z",
    "2026-01-02T15:04:05+0530",
    "2026-01-02T15:04:05+25:00",
    "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59-01:00",
    "10000-01-01T00:00:00Z",
    " 2026-01-02T15:04:05Z",
    "2026-01-02T15:04:05." + "1".repeat(100) + "Z",
  ];
  for (const text of texts) assert.throws(() => canonicalTime(text), ValueError, text);
  assert.throws(() => secondsToTime(253402300800), ValueError);
  assert.throws(() => secondsToTime(NaN), ValueError);
});

Deno.test("microtime: six digits, no more, no fewer", () => {
  assert.equal(canonicalMicroTime("2026-01-02T15:04:05.000001Z"), "2026-01-02T15:04:05.000001Z");
  assert.equal(canonicalMicroTime("2026-01-02T15:04:05.120000+01:00"), "2026-01-02T14:04:05.120000Z");
  assert.deepEqual(microTimeToSeconds("1970-01-01T00:00:00.000007Z"), { seconds: 0, nanos: 7000 });
  for (const text of ["2026-01-02T15:04:05Z", "2026-01-02T15:04:05.12345Z", "2026-01-02T15:04:05.1234567Z", ""]) {
    assert.throws(() => canonicalMicroTime(text), ValueError, text);
  }
});

Deno.test("time: a clock's milliseconds", () => {
  assert.equal(nowTime(1767225600999), "2026-01-01T00:00:00Z");
  assert.equal(nowMicroTime(1767225600123), "2026-01-01T00:00:00.123000Z");
  assert.equal(nowMicroTime(-1), "1969-12-31T23:59:59.999000Z");
});

Deno.test("time: seconds read back from their text, over all years", () => {
  const random = seeded(11);
  for (let i = 0; i < 20_000; i++) {
    const seconds = -62135596800 + Math.floor(random() * 315537897600);
    assert.equal(timeToSeconds(secondsToTime(seconds)).seconds, seconds);
    const nanos = Math.floor(random() * 1e6) * 1000;
    assert.deepEqual(microTimeToSeconds(secondsToMicroTime(seconds, nanos)), { seconds, nanos });
  }
});
