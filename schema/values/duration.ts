/** Durations as text: `1h30m`, `1.5s`, `300ms` (specification, "Durations"). Signed 64-bit nanoseconds inside. */
import { ValueError } from "./error.ts";

const UNITS = new Map<string, bigint>([
  ["ns", 1n],
  ["us", 1_000n],
  ["µs", 1_000n], // U+00B5, micro sign
  ["μs", 1_000n], // U+03BC, small mu
  ["ms", 1_000_000n],
  ["s", 1_000_000_000n],
  ["m", 60_000_000_000n],
  ["h", 3_600_000_000_000n],
]);
const SECOND = 1_000_000_000n;
const MAX = (1n << 63n) - 1n;
const MAX_LENGTH = 256;

/** Nanoseconds of a duration. Throws {@linkcode ValueError} on bad syntax, a missing unit, or 64 bits exceeded. */
export function durationToNanos(text: string): bigint {
  const negative = text.startsWith("-");
  const rest = negative || text.startsWith("+") ? text.slice(1) : text;
  if (rest === "0") return 0n;
  if (rest === "" || text.length > MAX_LENGTH) throw bad(text);
  let total = 0n, at = 0;
  for (const part of rest.matchAll(/(\d*)(?:\.(\d*))?([^\d.]*)/gy)) {
    if (part[0] === "") break;
    total += readPart(text, part[1]!, part[2] ?? "", part[3]!);
    at = part.index + part[0].length;
    if (total > MAX + (negative ? 1n : 0n)) throw bad(text);
  }
  if (at !== rest.length) throw bad(text);
  return negative ? -total : total;
}

/** Canonical text of nanoseconds: `0s`, `1h0m0s`, `1.5s`, `2ms`. */
export function nanosToDuration(nanos: bigint | number): string {
  const n = BigInt(nanos);
  if (n === 0n) return "0s";
  const sign = n < 0n ? "-" : "";
  const u = n < 0n ? -n : n;
  if (u < 1_000n) return `${sign}${u}ns`;
  if (u < 1_000_000n) return `${sign}${decimal(u, 1_000n, 3)}µs`;
  if (u < SECOND) return `${sign}${decimal(u, 1_000_000n, 6)}ms`;
  const minutes = u / (60n * SECOND);
  const seconds = decimal(u % (60n * SECOND), SECOND, 9) + "s";
  if (minutes === 0n) return sign + seconds;
  if (minutes < 60n) return `${sign}${minutes}m${seconds}`;
  return `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

/** A duration as the API serves it. Throws {@linkcode ValueError}. */
export function canonicalDuration(text: string): string {
  return nanosToDuration(durationToNanos(text));
}

function readPart(text: string, whole: string, fraction: string, unit: string): bigint {
  if (whole === "" && fraction === "") throw bad(text);
  const size = UNITS.get(unit);
  if (size === undefined) {
    const quoted = JSON.stringify(text.slice(0, MAX_LENGTH));
    throw new ValueError(
      unit === "" ? `missing unit in duration ${quoted}` : `unknown unit ${JSON.stringify(unit)} in duration ${quoted}`,
    );
  }
  return BigInt(whole || "0") * size + fractionOf(size, fraction);
}

/** In floating point, as the public library does, so that a third of an hour is twenty minutes. */
function fractionOf(size: bigint, digits: string): bigint {
  let n = 0n, scale = 1;
  for (const d of digits) {
    const next = n * 10n + BigInt(d);
    if (next > MAX) break;
    n = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(n) * (Number(size) / scale)));
}

function decimal(n: bigint, unit: bigint, places: number): string {
  const rest = n % unit;
  return rest === 0n ? String(n / unit) : `${n / unit}.${String(rest).padStart(places, "0").replace(/0+$/, "")}`;
}

function bad(text: string): ValueError {
  return new ValueError(`invalid duration ${JSON.stringify(text.slice(0, MAX_LENGTH))}`);
}
