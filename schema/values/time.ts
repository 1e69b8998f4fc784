/**
 * Times of the API: RFC 3339 in UTC, to the second (`2026-01-02T15:04:05Z`) or the microsecond
 * (`2026-01-02T15:04:05.000000Z`), years 0001 to 9999.
 */
import { ValueError } from "./error.ts";

/** A moment: whole seconds since 1970, and nanoseconds 0…999,999,999 after them. */
export interface Moment {
  seconds: number;
  nanos: number;
}

/** The text of the zero time: it stands for "no time", and JSON writes it as null. */
export const ZERO_TIME = "0001-01-01T00:00:00Z";

const MIN_SECONDS = -62135596800;
const MAX_SECONDS = 253402300799;

// One-digit hours and a comma before the fraction are accepted, as the public API's reader does.
const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;
const MICRO = /^\d{4}-\d\d-\d\dT\d\d?:\d\d:\d\d[.,]\d{6}(?:Z|[+-]\d\d:\d\d)$/;
const CANONICAL_LENGTH = 20;

/** Reads RFC 3339 with any offset and fraction. Throws {@linkcode ValueError}. */
export function timeToSeconds(text: string): Moment {
  if (text !== lastRead.text) {
    const found = text === readBefore.text ? readBefore : { text, moment: readTime(text) };
    readBefore = lastRead;
    lastRead = found;
  }
  return { ...lastRead.moment };
}

interface Read {
  readonly text: string;
  readonly moment: Moment;
}

/** The times of one object are mostly two, when it was made and when it changed, and those of objects that follow each other the same. */
let lastRead: Read = { text: ZERO_TIME, moment: { seconds: MIN_SECONDS, nanos: 0 } };
let readBefore = lastRead;

function readTime(text: string): Moment {
  const p = text.length <= 64 ? RFC3339.exec(text) : null;
  if (!p) throw bad(text, "want RFC 3339, such as 2006-01-02T15:04:05Z");
  const [year, month, day, hour, minute, second] = [+p[1]!, +p[2]!, +p[3]!, +p[4]!, +p[5]!, +p[6]!];
  if (month < 1 || month > 12) throw bad(text, "month out of range");
  if (day < 1 || day > daysIn(year, month)) throw bad(text, "day out of range");
  if (hour > 23) throw bad(text, "hour out of range");
  if (minute > 59) throw bad(text, "minute out of range");
  if (second > 59) throw bad(text, "second out of range");
  const seconds = days(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - offset(text, p[8], p[9], p[10]);
  if (seconds < MIN_SECONDS || seconds > MAX_SECONDS) throw bad(text, "year out of range");
  return { seconds, nanos: p[7] ? Number(p[7].slice(0, 9).padEnd(9, "0")) : 0 };
}

/** Reads a microtime: RFC 3339 with six digits of fraction. Throws {@linkcode ValueError}. */
export function microTimeToSeconds(text: string): Moment {
  if (!MICRO.test(text)) throw bad(text, "want RFC 3339 with microseconds, such as 2006-01-02T15:04:05.000000Z");
  return timeToSeconds(text);
}

/** `2006-01-02T15:04:05Z`; nanoseconds are dropped. Throws {@linkcode ValueError} outside of the years 0001 to 9999. */
export function secondsToTime(seconds: number | bigint): string {
  if (seconds !== lastMade.seconds) lastMade = { seconds, text: iso(seconds).slice(0, 19) + "Z" };
  return lastMade.text;
}
let lastMade: { readonly seconds: number | bigint; readonly text: string } = {
  seconds: 0,
  text: iso(0).slice(0, 19) + "Z",
};

/** `2006-01-02T15:04:05.000000Z`; below a microsecond is dropped. Throws {@linkcode ValueError} as {@linkcode secondsToTime}. */
export function secondsToMicroTime(seconds: number | bigint, nanos: number): string {
  const micros = Math.trunc(nanos / 1000);
  return `${iso(seconds).slice(0, 19)}.${String(micros).padStart(6, "0")}Z`;
}

/** Any RFC 3339 time as the API serves it. Throws {@linkcode ValueError}. */
export function canonicalTime(text: string): string {
  const { seconds } = timeToSeconds(text);
  return text.length === CANONICAL_LENGTH && text.endsWith("Z") ? text : secondsToTime(seconds);
}

/** A microtime as the API serves it. Throws {@linkcode ValueError}. */
export function canonicalMicroTime(text: string): string {
  const { seconds, nanos } = microTimeToSeconds(text);
  return secondsToMicroTime(seconds, nanos);
}

/** The time of a clock that counts milliseconds since the epoch. */
export function nowTime(ms: number): string {
  return secondsToTime(Math.floor(ms / 1000));
}

/** The microtime of a clock that counts milliseconds since the epoch, fractions included. */
export function nowMicroTime(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return secondsToMicroTime(seconds, Math.floor((ms - seconds * 1000) * 1000) * 1000);
}

function bad(text: string, why: string): ValueError {
  return new ValueError(`parsing time ${JSON.stringify(text.slice(0, 64))}: ${why}`);
}

function iso(seconds: number | bigint): string {
  const s = Number(seconds);
  if (!(s >= MIN_SECONDS && s <= MAX_SECONDS)) throw new ValueError(`time ${s} s is outside of the years 0001 to 9999`);
  return new Date(s * 1000).toISOString();
}

function offset(text: string, sign?: string, hours?: string, minutes?: string): number {
  if (!sign) return 0;
  if (+hours! > 24 || +minutes! > 60) throw bad(text, "time zone offset out of range");
  const s = +hours! * 3600 + +minutes! * 60;
  return sign === "-" ? -s : s;
}

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
function daysIn(year: number, month: number): number {
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return leap ? 29 : MONTH_DAYS[month - 1]!;
}

/** Days since 1970-01-01 of the proleptic Gregorian calendar. `Date.UTC` takes the years 0 to 99 for 1900 to 1999. */
function days(year: number, month: number, day: number): number {
  const cycles = year < 400 ? 1 : 0;
  return Date.UTC(year + cycles * 400, month - 1, day) / 86400000 - cycles * 146097;
}
