/** Functions about semantic versions (`semver("1.2.3").major()`). */
import { CelError } from "./ast.ts";
import type { Rows } from "./table.ts";
import { Opaque } from "./values.ts";

interface Version {
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly pre: readonly string[];
}

const NUMBER = "(0|[1-9]\\d*)", PART = "(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)";
const STRICT = new RegExp(
  `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-(${PART}(?:\\.${PART})*))?(?:\\+[0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*)?$`,
);

/** Takes `v1.02` for `1.2.0`. */
function normalized(text: string): string {
  const [, core, rest] = /^([^-+]*)(.*)$/s.exec(text.replace(/^v/, ""))!;
  const parts = core!.split(".").map((p) => p.replace(/^0+(?=\d)/, ""));
  while (parts.length < 3) parts.push("0");
  return parts.join(".") + rest;
}

function read(text: string, loose = false): Version | undefined {
  const found = STRICT.exec(loose ? normalized(text) : text);
  if (!found) return undefined;
  const [, a, b, c, pre] = found;
  return { numbers: [BigInt(a!), BigInt(b!), BigInt(c!)], pre: pre ? pre.split(".") : [] };
}

function must(text: string, loose = false): Opaque {
  const version = read(text, loose);
  if (!version) throw new CelError(`not a semantic version: ${JSON.stringify(text)}`);
  return new Opaque("semver", version);
}

const V = (o: Opaque): Version => o.value as Version;
const order = <T extends bigint | string>(a: T, b: T): number => a < b ? -1 : a > b ? 1 : 0;

function comparePre(a: readonly string[], b: readonly string[]): number {
  if (!a.length || !b.length) return Math.sign(b.length - a.length);
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const x = a[i]!, y = b[i]!, xn = /^\d+$/.test(x), yn = /^\d+$/.test(y);
    // Numbers come before texts.
    const way = xn && yn ? order(BigInt(x), BigInt(y)) : xn !== yn ? (xn ? -1 : 1) : order(x, y);
    if (way !== 0) return way;
  }
  return Math.sign(a.length - b.length);
}

function compare(a: Opaque, b: Opaque): number {
  for (let i = 0; i < 3; i++) {
    const way = order(V(a).numbers[i]!, V(b).numbers[i]!);
    if (way !== 0) return way;
  }
  return comparePre(V(a).pre, V(b).pre);
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
