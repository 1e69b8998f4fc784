/** Functions about semantic versions (`semver("1.2.3").major()`). */
import { comparePrereleases } from "../values/version.ts";
import { CelError } from "./ast.ts";
import { isUint64 } from "./lexer.ts";
import { MOST_DIGITS } from "./standard.ts";
import type { Rows } from "./table.ts";
import { Opaque } from "./values.ts";

interface Version {
  readonly numbers: readonly [bigint, bigint, bigint];
  /** What stands after `-`. */
  readonly pre: string;
}

const NUMBER = "(0|[1-9]\\d*)", PART = "(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)";
const STRICT = new RegExp(
  `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-(${PART}(?:\\.${PART})*))?(?:\\+[0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*)?$`,
);

/** Takes `v1.02` for `1.2.0`; a short one has nothing behind its numbers. */
function normalized(text: string): string {
  const [, core, rest] = /^([^-+]*)(.*)$/s.exec(text.replace(/^v/, ""))!;
  const parts = core!.split(".").map((p) => p.replace(/^0+(?=\d)/, ""));
  if (parts.length < 3 && rest !== "") return text;
  while (parts.length < 3) parts.push("0");
  return parts.join(".") + rest;
}

function read(text: string, loose = false): Version | undefined {
  const found = STRICT.exec(loose ? normalized(text) : text);
  if (!found) return undefined;
  const [, a, b, c, pre] = found, number = (digits: string) => BigInt(digits.slice(0, MOST_DIGITS));
  const numbers = [number(a!), number(b!), number(c!)] as const;
  return numbers.every(isUint64) ? { numbers, pre: pre ?? "" } : undefined;
}

function must(text: string, loose = false): Opaque {
  const version = read(text, loose);
  if (!version) throw new CelError(`not a semantic version: ${JSON.stringify(text)}`);
  return new Opaque("semver", version);
}

const V = (o: Opaque): Version => o.value as Version;
function compare(a: Opaque, b: Opaque): number {
  const x = V(a), y = V(b);
  for (const [i, n] of x.numbers.entries()) if (n !== y.numbers[i]) return n < y.numbers[i]! ? -1 : 1;
  return Math.sign(comparePrereleases(x.pre, y.pre));
}

/** See the top of the file. */
export const SEMVER: Rows = {
  "semver(string) semver": (s: string) => must(s),
  "semver(string, bool) semver": must,
  "isSemver(string) bool": (s: string) => read(s) !== undefined,
  "isSemver(string, bool) bool": (s: string, loose: boolean) => read(s, loose) !== undefined,
  "semver.major() int": (o: Opaque) => V(o).numbers[0],
  "semver.minor() int": (o: Opaque) => V(o).numbers[1],
  "semver.patch() int": (o: Opaque) => V(o).numbers[2],
  "semver.compareTo(semver) int": (a: Opaque, b: Opaque) => BigInt(compare(a, b)),
  "semver.isLessThan(semver) bool": (a: Opaque, b: Opaque) => compare(a, b) < 0,
  "semver.isGreaterThan(semver) bool": (a: Opaque, b: Opaque) => compare(a, b) > 0,
};
