import assert from "node:assert/strict";
import { isTimeZone, parseSchedule, scheduleErrors } from "../../schema/values/cron.ts";

Deno.test("cron: what is a schedule", () => {
  const texts = [
    "* * * * *",
    "0 0 1 1 0",
    "59 23 31 12 6",
    "*/15 0-6,18-23 ? jan,MAR-Jun mon-fri",
    "5/10 * * * *",
    "0 0 * * 0-6/2",
    "@hourly",
    "@midnight",
    "@annually",
    "@every 1h30m",
    "TZ=UTC 0 * * * *",
    "CRON_TZ=Europe/Berlin 0 * * * *",
    "  0 0 * * *  ",
    "0,,5 * * * *",
  ];
  for (const text of texts) assert.deepEqual(scheduleErrors(text), [], text);
});

Deno.test("cron: what is none, and why", () => {
  const table: [string, RegExp][] = [
    ["", /empty/],
    ["* * * *", /expected exactly 5 fields, found 4: \[\* \* \* \*\]/],
    ["* * * * * *", /found 6/],
    ["60 * * * *", /end of range \(60\) above maximum \(59\): 60/],
    ["* 24 * * *", /above maximum/],
    ["* * 0 * *", /beginning of range \(0\) below minimum \(1\): 0/],
    ["* * * 13 *", /above maximum/],
    ["* * * * 7", /above maximum/],
    ["5-1 * * * *", /beyond end of range/],
    ["*/0 * * * *", /step of range should be a positive number/],
    ["1-2-3 * * * *", /too many hyphens/],
    ["1/2/3 * * * *", /too many slashes/],
    ["a * * * *", /failed to parse int from a/],
    ["-1 * * * *", /failed to parse int/],
    ["@never", /unrecognized descriptor: @never/],
    ["@every x", /failed to parse duration/],
    ["TZ=Mars/Base 0 * * * *", /provided bad location Mars\/Base/],
    ["TZ=UTC", /time zone/],
  ];
  for (const [text, why] of table) assert.match(scheduleErrors(text)[0] ?? "", why, text);
});

Deno.test("cron: the numbers that match", () => {
  const s = parseSchedule("*/20 1-5/2 1,15 jan sun");
  assert.ok("minutes" in s);
  assert.deepEqual([[...s.minutes], [...s.hours], [...s.days], [...s.months], [...s.weekdays]], [
    [0, 20, 40],
    [1, 3, 5],
    [1, 15],
    [1],
    [0],
  ]);
  assert.deepEqual([s.anyDay, s.anyWeekday], [false, false]);
  const every = parseSchedule("@every 90s");
  assert.ok("every" in every && every.every === 90_000_000_000n);
});

Deno.test("cron: time zones", () => {
  for (const name of ["UTC", "Etc/UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5"]) {
    assert.equal(isTimeZone(name), true, name);
  }
  for (const name of ["", "Mars/Base", "+01:00", "Local", "../etc/passwd", " UTC"]) {
    assert.equal(isTimeZone(name), false, name);
  }
});
