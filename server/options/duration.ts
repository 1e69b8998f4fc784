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

/** Milliseconds of `1h0m0s`, `1.5s`, `0`; undefined when it is none. */
export function parseDuration(text: string): number | undefined {
  const signed = /^([+-]?)(.*)$/s.exec(text)!;
  const rest = signed[2]!;
  if (rest === "0") return 0;
  if (!/^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(rest)) return undefined;
  let total = 0;
  for (const [, n, unit] of rest.matchAll(/(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g)) {
    total += Number(n) * UNITS[unit!]!;
  }
  return signed[1] === "-" ? -total : total;
}
