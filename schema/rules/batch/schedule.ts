/** Schedules of cron jobs: five fields, or a word such as `@daily`. */
import { durationFault, parseDuration } from "../../flags/duration.ts";
import { quote } from "../../values/quote.ts";
import { isTimeZone } from "../../values/time_zone.ts";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

interface Field {
  readonly min: number;
  readonly max: number;
  readonly words?: readonly string[];
}

/** Minute, hour, day of the month, month, day of the week. */
const FIELDS: readonly Field[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, words: MONTHS },
  { min: 0, max: 6, words: DAYS },
];
const WORDS = new Set(["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"]);
const SPACES = /\p{White_Space}+/u;

/** What is wrong with a schedule; undefined when nothing is. A zone may stand before it (`TZ=…`). */
export function scheduleFault(text: string): string | undefined {
  if (!text) return "empty spec string";
  let rest = text;
  const zone = /^(?:CRON_)?TZ=([^ ]*)( |$)/.exec(text);
  if (zone) {
    const name = zone[1]!;
    if (name !== "" && name !== "Local" && !isTimeZone(name)) {
      return `unknown time zone ${name}`;
    }
    rest = text.slice(zone[0].length).trim();
  }
  if (rest.startsWith("@every ")) {
    const every = rest.slice(7);
    return parseDuration(every) === undefined ? `bad duration ${every}: ${durationFault(every)}` : undefined;
  }
  if (rest.startsWith("@")) return WORDS.has(rest) ? undefined : `unrecognized descriptor ${rest}`;
  const parts = rest.split(SPACES).filter((p) => p !== "");
  if (parts.length !== FIELDS.length) {
    return `expected exactly ${FIELDS.length} fields, found ${parts.length}`;
  }
  for (const [i, part] of parts.entries()) {
    for (const item of part.split(",")) {
      const fault = item === "" ? undefined : itemFault(item, FIELDS[i]!);
      if (fault) return fault;
    }
  }
  return undefined;
}

function itemFault(item: string, field: Field): string | undefined {
  const [range = "", step, ...more] = item.split("/"), [from = "", to, ...extra] = range.split("-");
  let low: number | string = field.min, high: number | string = field.max, by: number | string = 1;
  if (from !== "*" && from !== "?") {
    low = wordOrNumber(from, field);
    if (typeof low === "string") return low;
    high = to === undefined ? low : wordOrNumber(to, field);
    if (extra.length) return `too many hyphens: ${item}`;
    if (typeof high === "string") return high;
  }
  if (more.length) return `too many slashes: ${item}`;
  if (step !== undefined) {
    by = wholeNumber(step);
    if (typeof by === "string") return by;
    if (to === undefined) high = field.max;
  }
  if (low < field.min) return `beginning of range (${low}) below minimum (${field.min}): ${item}`;
  if (high > field.max) return `end of range (${high}) above maximum (${field.max}): ${item}`;
  if (low > high) return `beginning of range (${low}) beyond end of range (${high}): ${item}`;
  return by === 0 ? `step of range should be a positive number: ${item}` : undefined;
}

/** The value; a fault as text. */
function wordOrNumber(text: string, field: Field): number | string {
  const word = field.words?.indexOf(text.toLowerCase()) ?? -1;
  return word >= 0 ? word + field.min : wholeNumber(text);
}

const MAX_INT64 = 2 ** 63;

/** The value, which may have a sign; a fault as text. */
function wholeNumber(text: string): number | string {
  if (!/^[-+]?[0-9]+$/.test(text)) return `${quote(text)} is no number`;
  const n = Number(text);
  if (n >= MAX_INT64 || n < -MAX_INT64) return `${text} is too large`;
  return n < 0 ? `${text} is negative` : n === 0 ? 0 : n;
}
