/**
 * Schedules of CronJobs: five fields (minute, hour, day of month, month, day of week), or `@hourly` and the like, or
 * `@every 1h30m`. Checks only; when a schedule fires next is for the controllers.
 */
import { durationToNanos } from "./duration.ts";
import { ValueError } from "./error.ts";

/** A field: its bounds and the names that stand for numbers. */
interface FieldRange {
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
}
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const FIELDS: readonly FieldRange[] = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 6, names: DAYS },
];

/** Schedules with a name, as the fields they stand for. */
const NAMED: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

/** A schedule that was read. Each set holds the numbers that match; `any` fields were `*`. */
export type Schedule =
  | { readonly every: bigint; readonly zone: string | undefined }
  | {
    readonly minutes: ReadonlySet<number>;
    readonly hours: ReadonlySet<number>;
    readonly days: ReadonlySet<number>;
    readonly months: ReadonlySet<number>;
    readonly weekdays: ReadonlySet<number>;
    /** When neither is a star, a day matches by either. */
    readonly anyDay: boolean;
    readonly anyWeekday: boolean;
    readonly zone: string | undefined;
  };

/** Reads a schedule; `TZ=zone ` or `CRON_TZ=zone ` may stand before it. Throws {@linkcode ValueError}. */
export function parseSchedule(text: string): Schedule {
  if (text === "") throw new ValueError("empty spec string");
  if (text.length > 1024) throw new ValueError("schedule is too long");
  const zoned = /^(?:CRON_)?TZ=(\S*)\s+(.*)$/s.exec(text);
  if (/^(?:CRON_)?TZ=/.test(text) && !zoned) throw new ValueError("a schedule must follow the time zone");
  const zone = zoned?.[1];
  if (zone !== undefined && !isTimeZone(zone)) throw new ValueError(`provided bad location ${zone}: unknown time zone`);
  const spec = (zoned?.[2] ?? text).trim();
  if (!spec.startsWith("@")) return fields(spec, zone);
  if (spec.startsWith("@every ")) return { every: every(spec), zone };
  const named = Object.hasOwn(NAMED, spec) ? NAMED[spec] : undefined;
  if (!named) throw new ValueError(`unrecognized descriptor: ${spec}`);
  return fields(named, zone);
}

/** What is wrong with a schedule, as a list of at most one message. */
export function scheduleErrors(text: string): string[] {
  try {
    parseSchedule(text);
    return [];
  } catch (e) {
    if (e instanceof ValueError) return [e.message];
    throw e;
  }
}

/** Whether a name is one of the time zone database (`Europe/Berlin`, `UTC`). Offsets and `Local` are not. */
export function isTimeZone(name: string): boolean {
  if (name === "" || !/^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function every(spec: string): bigint {
  try {
    return durationToNanos(spec.slice("@every ".length));
  } catch (e) {
    throw new ValueError(`failed to parse duration ${spec}: ${e instanceof Error ? e.message : e}`);
  }
}

function fields(spec: string, zone: string | undefined): Schedule {
  const texts = spec.split(/\s+/);
  if (texts.length !== 5) {
    throw new ValueError(`expected exactly 5 fields, found ${texts.length}: [${texts.join(" ")}]`);
  }
  const sets = texts.map((t, i) => readField(t, FIELDS[i]!));
  return {
    minutes: sets[0]!,
    hours: sets[1]!,
    days: sets[2]!,
    months: sets[3]!,
    weekdays: sets[4]!,
    anyDay: isStar(texts[2]!),
    anyWeekday: isStar(texts[4]!),
    zone,
  };
}

const isStar = (text: string) => text.split(",").some((part) => /^[*?](?:\/1)?$/.test(part));

function readField(text: string, range: FieldRange): Set<number> {
  const out = new Set<number>();
  for (const part of text.split(",")) {
    if (part !== "") { for (const n of readPart(part, range)) out.add(n); }
  }
  return out;
}

/** `*`, `5`, `1-5`, each with `/step` if wished. */
function* readPart(part: string, range: FieldRange): Generator<number> {
  const [span, step, ...tooMany] = part.split("/");
  if (tooMany.length) throw new ValueError(`too many slashes: ${part}`);
  const [low, high, ...more] = span!.split("-");
  if (more.length) throw new ValueError(`too many hyphens: ${part}`);
  const star = low === "*" || low === "?";
  const start = star ? range.min : readNumber(low!, range);
  // `5/10` goes from 5 to the end of the field.
  const end = star ? range.max : high !== undefined ? readNumber(high, range) : step !== undefined ? range.max : start;
  const by = step === undefined ? 1 : readDigits(step);
  if (start < range.min) throw new ValueError(`beginning of range (${start}) below minimum (${range.min}): ${part}`);
  if (end > range.max) throw new ValueError(`end of range (${end}) above maximum (${range.max}): ${part}`);
  if (start > end) throw new ValueError(`beginning of range (${start}) beyond end of range (${end}): ${part}`);
  if (by === 0) throw new ValueError(`step of range should be a positive number: ${part}`);
  for (let n = start; n <= end; n += by) yield n;
}

function readNumber(text: string, range: FieldRange): number {
  const named = range.names.indexOf(text.toLowerCase());
  return named >= 0 ? named + range.min : readDigits(text);
}

function readDigits(text: string): number {
  if (!/^\+?[0-9]{1,9}$/.test(text)) throw new ValueError(`failed to parse int from ${text}`);
  return Number(text);
}
