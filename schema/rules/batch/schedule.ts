/** Schedules of cron jobs: five fields, or a word such as `@daily`. */

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const FIELDS = [
  { name: "minute", min: 0, max: 59 },
  { name: "hour", min: 0, max: 23 },
  { name: "day of month", min: 1, max: 31 },
  { name: "month", min: 1, max: 12, words: MONTHS },
  { name: "day of week", min: 0, max: 6, words: DAYS },
] as const;
const WORDS = new Set(["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"]);
/** Whole durations of the units that a `@every` takes. */
const DURATION = /^[-+]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h))+$|^[-+]?0$/;

/** What is wrong with a schedule; undefined when nothing is. A zone may stand before it (`TZ=…`). */
export function scheduleFault(text: string): string | undefined {
  let rest = text;
  const zone = /^(?:CRON_)?TZ=(\S*)( |$)/.exec(text);
  if (zone) {
    if (!isTimeZone(zone[1]!)) return `unknown time zone ${zone[1]}`;
    rest = text.slice(zone[0].length).trim();
  }
  if (!rest) return "empty spec string";
  if (rest.startsWith("@every ")) return DURATION.test(rest.slice(7)) ? undefined : `bad duration ${rest.slice(7)}`;
  if (rest.startsWith("@")) return WORDS.has(rest) ? undefined : `unrecognized descriptor ${rest}`;
  const parts = rest.trim().split(/\s+/);
  if (parts.length !== FIELDS.length) return `expected exactly ${FIELDS.length} fields, found ${parts.length}`;
  for (const [i, part] of parts.entries()) {
    for (const item of part.split(",")) {
      const fault = item === "" && part !== "" ? undefined : itemFault(item, i);
      if (fault) return fault;
    }
  }
  return undefined;
}

function itemFault(item: string, index: number): string | undefined {
  const field = FIELDS[index]!;
  const [range = "", step, more] = item.split("/");
  if (more !== undefined) return `too many slashes: ${item}`;
  const [from = "", to, extra] = range.split("-");
  if (extra !== undefined) return `too many hyphens: ${item}`;
  let low: number | undefined = field.min, high: number | undefined = field.max;
  if (from !== "*" && from !== "?") {
    low = numberOf(from, index);
    high = to === undefined ? (step === undefined ? low : field.max) : numberOf(to, index);
  }
  if (low === undefined || high === undefined) return `failed to parse ${field.name} from ${item}`;
  if (step !== undefined && !/^[0-9]+$/.test(step)) return `failed to parse step from ${item}`;
  if (step !== undefined && Number(step) === 0) return `step of range should be a positive number: ${item}`;
  if (low < field.min) return `beginning of range (${low}) below minimum (${field.min}): ${item}`;
  if (high > field.max) return `end of range (${high}) above maximum (${field.max}): ${item}`;
  return low > high ? `beginning of range (${low}) beyond end of range (${high}): ${item}` : undefined;
}

function numberOf(text: string, index: number): number | undefined {
  const field = FIELDS[index]!;
  const word = "words" in field ? (field.words as readonly string[]).indexOf(text.toLowerCase()) : -1;
  if (word >= 0) return word + field.min;
  return /^[0-9]+$/.test(text) ? Number(text) : undefined;
}

/** Whether the time zone database knows the name. */
export function isTimeZone(name: string): boolean {
  if (name === "" || /^[-+]/.test(name)) return false;
  try {
    const known = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
    // Names are of files: their case matters. Of another name for the same zone it cannot be told.
    return known === name || known.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}
