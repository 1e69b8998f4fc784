/** Addresses of service ranges: which can be given out, and which one next. */
import {
  addressAt,
  type Cidr,
  contains,
  formatCidr,
  formatIp,
  parseCidr,
  sizeOf,
  tryParseIp,
} from "../../../schema/values/ip.ts";
import { type Family, familyOf } from "./service_families.ts";

/** Random picks before a search from end to end. */
const RANDOM_TRIES = 24;
/** A range is searched no further than this. */
const MAX_SCAN = 65_536n;

/** One service range. Offsets 1 to `last` can be given out; the lower part is left to those who ask by name. */
export class AddressPool {
  readonly family: Family;
  /** The range, in its canonical text. */
  readonly range: string;
  readonly #cidr: Cidr;
  readonly #last: bigint;
  readonly #band: bigint;

  /** @throws ValueError for what is no CIDR */
  constructor(text: string) {
    this.#cidr = parseCidr(text);
    this.range = formatCidr(this.#cidr);
    this.family = this.#cidr.family === 4 ? "IPv4" : "IPv6";
    const size = sizeOf(this.#cidr);
    this.#last = this.#cidr.family === 4 ? size - 2n : size - 1n;
    const sixteenth = size / 16n;
    this.#band = size < 32n ? 0n : sixteenth < 16n ? 16n : sixteenth > 256n ? 256n : sixteenth;
  }

  /** The range's first address, which names the range and is never given out. */
  get first(): string {
    return this.#at(0n);
  }

  /** How many addresses can be given out. */
  get size(): number {
    return Math.max(0, Number(this.#last));
  }

  /** Whether an address can be given out. */
  has(ip: string): boolean {
    const parsed = tryParseIp(ip, { legacy: true });
    if (!parsed || familyOf(ip) !== this.family || !contains(this.#cidr, parsed)) return false;
    const offset = parsed.bits - this.#cidr.first;
    return offset >= 1n && offset <= this.#last;
  }

  /** A free address, or undefined when there is none. `random` gives numbers in [0, 1). */
  pick(taken: (ip: string) => boolean, random: () => number): string | undefined {
    if (this.#last < 1n) return undefined;
    const from = this.#band + 1n <= this.#last ? this.#band + 1n : 1n;
    const span = this.#last - from + 1n;
    for (let i = 0; i < RANDOM_TRIES; i++) {
      const ip = this.#at(from + fraction(span, random()));
      if (!taken(ip)) return ip;
    }
    return this.#scan(from, this.#last, taken) ?? this.#scan(1n, from - 1n, taken);
  }

  #scan(from: bigint, to: bigint, taken: (ip: string) => boolean): string | undefined {
    const end = to - from > MAX_SCAN ? from + MAX_SCAN : to;
    for (let o = from; o <= end; o++) {
      const ip = this.#at(o);
      if (!taken(ip)) return ip;
    }
    return undefined;
  }

  #at(offset: bigint): string {
    return formatIp(addressAt(this.#cidr, offset)!);
  }
}

const fraction = (span: bigint, x: number): bigint => (span * BigInt(Math.floor(x * 2 ** 32))) >> 32n;
