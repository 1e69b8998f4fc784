/** Go's duration texts. */

const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  "µs": 1e-3,
  "μs": 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** The longest that Go's 64 bits of nanoseconds hold, ms. */
const LONGEST = 2 ** 63 / 1e6;

/** Milliseconds of `1h0m0s`, `1.5s`, `0`; undefined when it is none, or longer than some 292 years. */
export function parseDuration(text: string): number | undefined {
  const signed = /^([+-]?)(.*)$/s.exec(text)!;
  const rest = signed[2]!;
  if (rest === "0") return 0;
  if (!/^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h))+$/.test(rest)) return undefined;
  let total = 0;
  for (const [, n, unit] of rest.matchAll(/(\d+(?:\.\d*)?|\.\d+)(ns|us|\u00b5s|\u03bcs|ms|s|m|h)/g)) {
    total += Number(n) * UNITS[unit!]!;
  }
  if (total >= LONGEST) return undefined;
  return signed[1] === "-" ? -total : total;
}

/** What is wrong with a text that is no duration. */
export function durationFault(text: string): string {
  const said = JSON.stringify(text);
  let rest = text.replace(/^[+-]/, "");
  do {
    const [number, unit] = /^(?:\d+(?:\.\d*)?|\.\d+)([^.\d]*)/.exec(rest) ?? [];
    if (number === undefined) break;
    if (unit === "") return `time: missing unit in duration ${said}`;
    if (!Object.hasOwn(UNITS, unit!)) return `time: unknown unit ${JSON.stringify(unit)} in duration ${said}`;
    rest = rest.slice(number.length);
  } while (rest !== "");
  return `time: invalid duration ${said}`;
}

/** The text of a duration in milliseconds, as Go writes it: `1h0m0s`, `1.5s`, `250ms`, `0s`. */
export function durationText(ms: number): string {
  if (ms < 0) return `-${durationText(-ms)}`;
  if (ms === 0) return "0s";
  if (ms < 1e-3) return `${round(ms * 1e6)}ns`;
  if (ms < 1) return `${round(ms * 1e3)}µs`;
  if (ms < 1000) return `${round(ms)}ms`;
  const h = Math.floor(ms / 3_600_000), m = Math.floor(ms / 60_000);
  return `${h ? `${h}h` : ""}${m ? `${m % 60}m` : ""}${round((ms - m * 60_000) / 1000)}s`;
}

/** Whole nanoseconds of a second, without what binary fractions add. */
const round = (n: number): number => Number(n.toFixed(9));
