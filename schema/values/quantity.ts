/**
 * Quantities of resources: `100m`, `1.5Gi`, `12e6` (specification, "Quantities"). Exact: a whole mantissa and a power of
 * ten, never a float. Finer than a billionth is rounded away from zero; binary ones are capped at 2^63-1.
 */
import { ValueError } from "./error.ts";

/** Family of suffixes, kept by arithmetic: `M`, `Mi`, `e6`. */
export type QuantityFormat = "DecimalSI" | "BinarySI" | "DecimalExponent";

/** Power of ten, or of two, of each suffix. */
const DECIMAL = new Map<string, number>([
  ["n", -9],
  ["u", -6],
  ["m", -3],
  ["", 0],
  ["k", 3],
  ["M", 6],
  ["G", 9],
  ["T", 12],
  ["P", 15],
  ["E", 18],
]);
const BINARY = new Map<string, number>([["Ki", 10], ["Mi", 20], ["Gi", 30], ["Ti", 40], ["Pi", 50], ["Ei", 60]]);
const DECIMAL_NAMES = new Map([...DECIMAL].map(([name, exponent]) => [exponent, name]));
const BINARY_NAMES = [...BINARY.keys()];

const NANO = -9;
const MAX = (1n << 63n) - 1n;
/** Bounds of our own: no honest quantity is near them, and arithmetic stays cheap below. */
const MAX_EXPONENT = 1000;
const MAX_LENGTH = 1000;
/** A mantissa of so many digits fits 64 bits; the public library keeps the client's text only below it. */
const FAST_DIGITS = 18;

const POWERS: bigint[] = [];
function pow10(n: number): bigint {
  return POWERS[n] ??= 10n ** BigInt(n);
}

/** An immutable quantity: `mantissa × 10^exponent`. */
export class Quantity {
  readonly mantissa: bigint;
  readonly exponent: number;
  readonly format: QuantityFormat;
  #text: string | undefined;

  /** `text` is the written form when it is known. */
  constructor(mantissa: bigint, exponent: number, format: QuantityFormat, text?: string) {
    this.mantissa = mantissa;
    this.exponent = exponent;
    this.format = format;
    this.#text = text;
  }

  /** -1, 0 or 1. */
  cmp(other: Quantity): -1 | 0 | 1 {
    const e = Math.min(this.exponent, other.exponent);
    const a = this.#at(e), b = other.#at(e);
    return a < b ? -1 : a > b ? 1 : 0;
  }
  /** Sum. Keeps this quantity's format, or takes the other's when this one is zero. */
  add(other: Quantity): Quantity {
    const e = Math.min(this.exponent, other.exponent);
    return new Quantity(this.#at(e) + other.#at(e), e, this.isZero() ? other.format : this.format);
  }
  /** Difference; format as in {@linkcode add}. */
  sub(other: Quantity): Quantity {
    const e = Math.min(this.exponent, other.exponent);
    return new Quantity(this.#at(e) - other.#at(e), e, this.isZero() ? other.format : this.format);
  }
  neg(): Quantity {
    return new Quantity(-this.mantissa, this.exponent, this.format);
  }
  sign(): -1 | 0 | 1 {
    return this.mantissa < 0n ? -1 : this.mantissa > 0n ? 1 : 0;
  }
  isZero(): boolean {
    return this.mantissa === 0n;
  }
  /** In units, fractions rounded away from zero. */
  value(): bigint {
    return this.scaled(0);
  }
  /** {@linkcode value} as 64 bits hold it: the public server's comparisons see amounts beyond them wrapped around. */
  int64(): bigint {
    return BigInt.asIntN(64, this.value());
  }
  /** In thousandths, finer ones rounded away from zero. */
  milliValue(): bigint {
    return this.scaled(-3);
  }
  /** In units of 10^scale, rounded away from zero. */
  scaled(scale: number): bigint {
    return this.exponent >= scale ? this.#at(scale) : divideAway(this.mantissa, pow10(scale - this.exponent));
  }
  /** Whether no digit is lost at 10^scale. */
  exactAt(scale: number): boolean {
    return this.exponent >= scale || this.mantissa % pow10(scale - this.exponent) === 0n;
  }
  /**
   * Whether it is no whole number as the public server sees it: by thousandths in 64 bits. What has more than 18 digits, or
   * a large binary suffix, overflows there and seldom looks whole.
   */
  hasFraction(): boolean {
    if (!this.exactAt(0)) return true;
    const abs = this.mantissa < 0n ? -this.mantissa : this.mantissa;
    if (this.format !== "BinarySI" && abs < pow10(FAST_DIGITS)) return false;
    const { exponent: e } = this;
    const wide = e > -3 ? BigInt.asIntN(64, this.mantissa) * pow10(e + 3) : this.milliValue();
    return BigInt.asIntN(64, wide) % 1000n !== 0n;
  }
  /** Nearest float; for ratios and scores only. */
  toNumber(): number {
    return Number(`${this.mantissa}e${this.exponent}`);
  }
  /** Canonical text: no fraction, the largest suffix that loses nothing. A parsed text that is good enough stays as it was. */
  toString(): string {
    return this.#text ??= write(this);
  }
  toJSON(): string {
    return this.toString();
  }

  #at(exponent: number): bigint {
    return exponent === this.exponent ? this.mantissa : this.mantissa * pow10(this.exponent - exponent);
  }
}

/** Zero. */
export const ZERO_QUANTITY: Quantity = new Quantity(0n, 0, "DecimalSI", "0");

/** A quantity of whole units (`exponent` 0), thousandths (-3) and so on. */
export function quantityOf(n: number | bigint, format: QuantityFormat = "DecimalSI", exponent = 0): Quantity {
  return new Quantity(BigInt(n), exponent, format);
}

/** Texts repeat (a cluster's pods ask for a few dozen sizes), so parsed ones are kept; emptied when full. */
const CACHE_SIZE = 2048;
const CACHED_LENGTH = 24;
const cache = new Map<string, Quantity>();

/** Reads a quantity. Throws {@linkcode ValueError}. */
export function parseQuantity(text: string): Quantity {
  const known = cache.get(text);
  if (known) return known;
  const q = parse(text);
  if (text.length <= CACHED_LENGTH) {
    if (cache.size >= CACHE_SIZE) cache.clear();
    cache.set(text, q);
  }
  return q;
}

/** Already as the public library would write it: no call for exact arithmetic. */
const PLAIN = /^-?[1-9][0-9]{0,17}[numkMGTPE]?$/;

/** The text that the API serves for a quantity given as text or as a JSON number. Throws {@linkcode ValueError}. */
export function canonicalQuantity(input: string | number | bigint): string {
  const text = typeof input === "string" ? input : String(input);
  if (PLAIN.test(text) && !/000[numkMGTPE]?$/.test(text)) return text;
  return parseQuantity(text.trim()).toString();
}

/** -1, 0 or 1. Throws {@linkcode ValueError} when either is not a quantity. */
export function compareQuantity(a: string, b: string): -1 | 0 | 1 {
  return parseQuantity(a).cmp(parseQuantity(b));
}

/** No two of its parts can take the same digit: a long run of them would be cut in all ways. */
const FORM = /^([+-]?)0*((?:[1-9][0-9]*)?)(?:(\.)([0-9]*))?((?:(?:[eEinumkKMGTP]+[-+]?|[-+])[0-9]*)?)$/;
const wrongForm = () =>
  new ValueError("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");

function parse(text: string): Quantity {
  const parts = text.length > 0 && text.length <= MAX_LENGTH ? FORM.exec(text) : null;
  if (!parts) throw wrongForm();
  const negative = parts[1] === "-";
  const whole = parts[2] || "0";
  const fraction = parts[4] ?? "";
  const { base, power, format } = readSuffix(parts[5]!);
  const digits = whole + fraction;
  const magnitude = BigInt(digits);
  if (base === 2) return binary(text, negative, magnitude, fraction.length, power);
  const exponent = power - fraction.length;
  if (digits.length <= FAST_DIGITS && exponent >= NANO) {
    const keep = exponent % 3 === 0 && !digits.endsWith("000") && digits[0] !== "0";
    return new Quantity(negative ? -magnitude : magnitude, exponent, format, keep ? text : undefined);
  }
  return rounded(negative, magnitude, exponent, format);
}

function readSuffix(suffix: string): { base: 2 | 10; power: number; format: QuantityFormat } {
  const ten = DECIMAL.get(suffix);
  if (ten !== undefined) return { base: 10, power: ten, format: "DecimalSI" };
  const two = BINARY.get(suffix);
  if (two !== undefined) return { base: 2, power: two, format: "BinarySI" };
  if (!/^[eE][+-]?[0-9]+$/.test(suffix)) throw new ValueError("unable to parse quantity's suffix");
  const power = Number(suffix.slice(1));
  if (Math.abs(power) > MAX_EXPONENT) {
    throw new ValueError(`unable to parse quantity's suffix: exponent beyond ${MAX_EXPONENT}`);
  }
  return { base: 10, power, format: "DecimalExponent" };
}

function binary(text: string, negative: boolean, magnitude: bigint, places: number, power: number): Quantity {
  const shifted = magnitude << BigInt(power);
  const room = 15 - String(magnitude).length - Math.trunc(power * 3 / 10) - 1;
  if (places === 0 && room >= 0) {
    const keep = (magnitude & 7n) !== 0n;
    return new Quantity(negative ? -shifted : shifted, 0, "BinarySI", keep ? text : undefined);
  }
  if (shifted > MAX * pow10(places)) return new Quantity(negative ? -MAX : MAX, 0, "BinarySI");
  const small = shifted !== 0n && shifted < pow10(places);
  return rounded(negative, shifted, -places, small ? "DecimalSI" : "BinarySI");
}

function rounded(negative: boolean, magnitude: bigint, exponent: number, format: QuantityFormat): Quantity {
  const fine = exponent < NANO;
  const m = fine ? divideAway(magnitude, pow10(NANO - exponent)) : magnitude;
  return new Quantity(negative ? -m : m, fine ? NANO : exponent, format);
}

function divideAway(n: bigint, by: bigint): bigint {
  const q = n / by;
  return n % by === 0n ? q : n < 0n ? q - 1n : q + 1n;
}

function write(q: Quantity): string {
  if (q.mantissa === 0n) return "0";
  if (q.format === "BinarySI" && q.exactAt(0)) {
    const units = q.scaled(0);
    if (units <= -1024n || units >= 1024n) return writeBinary(units);
  }
  return writeDecimal(q, q.format === "DecimalExponent");
}

function writeBinary(units: bigint): string {
  let n = units, i = -1;
  while (i < BINARY_NAMES.length - 1 && n % 1024n === 0n) {
    n /= 1024n;
    i++;
  }
  return i < 0 ? String(n) : `${n}${BINARY_NAMES[i]}`;
}

function writeDecimal(q: Quantity, exponential: boolean): string {
  let m = q.mantissa, e = q.exponent;
  while (m % 10n === 0n) {
    m /= 10n;
    e++;
  }
  // A suffix stands for a multiple of three. Above E there is none (the public library then drops the power: a loss we do not copy).
  const to = exponential ? Math.floor(e / 3) * 3 : Math.min(Math.floor(e / 3) * 3, 18);
  m *= pow10(e - to);
  if (exponential) return to === 0 ? String(m) : `${m}e${to}`;
  return `${m}${DECIMAL_NAMES.get(to)}`;
}
