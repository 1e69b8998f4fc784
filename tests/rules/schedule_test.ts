/** Schedules of cron jobs. */
import assert from "node:assert/strict";
import { scheduleFault } from "../../schema/rules/batch/schedule.ts";
import { isTimeZone } from "../../schema/values/time_zone.ts";

Deno.test("schedule: what is a schedule", () => {
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
    "+1 1-+2 */+2 1 *",
    "*-5-6 * * * *",
    "TZ= 0 * * * *",
    "TZ=Local 0 * * * *",
    "@every 2562047h",
    "*\u0085* * * *",
  ];
  for (const text of texts) assert.equal(scheduleFault(text), undefined, text);
});

Deno.test("schedule: what is none, and why", () => {
  const table: [string, RegExp][] = [
    ["", /empty/],
    ["* * * *", /expected exactly 5 fields, found 4/],
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
    ["a * * * *", /^"a" is no number$/],
    ["-1 * * * *", /^"" is no number$/],
    ["99999999999999999999 * * * *", /^9+ is too large$/],
    ["*/-1 * * * *", /^-1 is negative$/],
    ["*\ufeff* * * * *", / is no number$/],
    ["a b", /found 2$/],
    ["@never", /^unrecognized descriptor @never$/],
    ["@every x", /^bad duration x: .*"x"$/],
    ["@every 2562048h", /^bad duration 2562048h: .*"2562048h"$/],
    ["TZ=Mars/Base 0 * * * *", /^unknown time zone Mars\/Base$/],
    ["TZ=UTC", /found 0/],
  ];
  for (const [text, why] of table) assert.match(scheduleFault(text) ?? "", why, text);
});

Deno.test("schedule: time zones", () => {
  for (const name of ["UTC", "Etc/UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5"]) {
    assert.equal(isTimeZone(name), true, name);
  }
  for (
    const name of [
      "",
      "Mars/Base",
      "+01:00",
      "Local",
      "../etc/passwd",
      " UTC",
      "utc",
      "gmt",
      "us/pacific",
      "US/pacific",
      "PST",
      "IST",
      "SystemV/EST5",
    ]
  ) {
    assert.equal(isTimeZone(name), false, name);
  }
});
