/** Readers of short texts: each takes any text, or refuses it with an error of our own; canonical forms are canonical. */
import assert from "node:assert/strict";
import { CelError } from "../../../schema/cel/ast.ts";
import { compile } from "../../../schema/cel/mod.ts";
import { readType, type Type } from "../../../schema/cel/types.ts";
import { FieldSetError } from "../../../schema/merge/fieldpath.ts";
import { decodeFields, encodeFields } from "../../../schema/merge/fields_v1.ts";
import type { Json } from "../../../schema/model/types.ts";
import { scheduleFault } from "../../../schema/rules/batch/schedule.ts";
import { canonicalDuration } from "../../../schema/values/duration.ts";
import { formatFieldSelector, parseFieldSelector } from "../../../schema/values/fields.ts";
import { formatCidr, formatIp, tryParseCidr, tryParseIp } from "../../../schema/values/ip.ts";
import { formatSelector, parseSelector } from "../../../schema/values/labels.ts";
import { canonicalQuantity } from "../../../schema/values/quantity.ts";
import { canonicalMicroTime, canonicalTime } from "../../../schema/values/time.ts";
import { type Target, target } from "./target.ts";
import { ours } from "./texts.ts";
import { Random } from "../../fixture/random.ts";

/** A text of a few pieces. */
const textOf = (random: Random, parts: readonly string[], most: number) =>
  Array.from({ length: 1 + random.below(most) }, () => random.pick(parts)).join("");

/** A reader that gives the canonical text, of texts of these pieces. */
function reader(parts: readonly string[], most: number, canonical: (text: string) => string | undefined): Target {
  return target(15_000, (seed) => {
    const random = new Random(seed);
    return {
      next: () => textOf(random, parts, most),
      try(text: string) {
        const one = ours(() => canonical(text));
        if (one === undefined) return false;
        assert.equal(canonical(one), one);
        return true;
      },
    };
  });
}

const DIGITS = [..."0123456789", "00", "999999999999999999", "."];

const TIMES = [
  "2026-01-31T23:59:59",
  "2024-02-29T24:00:60",
  "0001-01-01T00:00:00",
  "2026-01-31T23:59:59.123456",
  "Z",
  "+01:00",
  "-23:59",
  ".1",
  ".123456789",
  "t",
  " ",
];

/** Each reader, by name. */
export const readers: Readonly<Record<string, Target>> = {
  "quantities": reader([...DIGITS, ..."+-eE", ..."numkKMGTPE", "Ki", "Mi", "Ei", "E9"], 6, canonicalQuantity),
  "durations": reader([...DIGITS, ..."+-", "ns", "us", "µs", "ms", "s", "m", "h", "1h"], 6, canonicalDuration),
  "times": reader(TIMES, 3, canonicalTime),
  "micro times": reader(TIMES, 3, canonicalMicroTime),
  "label selectors": reader(
    ["a", "b/c", "=", "==", "!=", "!", " in ", " notin ", "(", ")", ",", ">", "<", "1", " ", "x.y/z", "é", "in", "-"],
    10,
    (t) => formatSelector(parseSelector(t)),
  ),
  // The order of terms is that of their texts as they were written: no form is canonical.
  "field selectors": reader(
    ["metadata.name", "a", "=", "==", "!=", ",", "\\", "\\,", "\\=", " ", ""],
    8,
    (t) => (formatFieldSelector(parseFieldSelector(t)), ""),
  ),
  "addresses": reader([..."0123456789", "255", ":", "::", ".", "a", "f", "%", "/", "::ffff:"], 9, (t) => {
    const ip = tryParseIp(t);
    return ip && formatIp(ip);
  }),
  "ranges": reader(
    [..."0123456789", "255", ":", "::", ".", "a", "f", "/", "/24", "10.0.0.0", "10.0.0.0", "/8", "fd00::"],
    4,
    (t) => {
      const range = tryParseCidr(t);
      return range && formatCidr(range);
    },
  ),
  "schedules": target(15_000, (seed) => {
    const random = new Random(seed);
    const parts = [
      ..."*/,-?0159",
      " ",
      " ",
      "* ",
      "59",
      "MON",
      "jan",
      "@daily",
      "@every ",
      "1h",
      "TZ=",
      "UTC ",
      "CRON_TZ=",
    ];
    return {
      next: () =>
        random.once(3)
          ? textOf(random, parts, 14)
          : Array.from({ length: 5 }, () => textOf(random, ["*", "*", "1", "/", "-", ",", "5", "*"], 3)).join(" "),
      try: (text: string) => scheduleFault(text) === undefined,
    };
  }),
};

const CEL_PARTS = [
  ..."()[]{}?:,.+-*/%<>!|&=\"'\\ ",
  "self",
  "x",
  "1",
  "2.5",
  "9223372036854775807",
  "1u",
  "b'a'",
  "r'\\d'",
  "true",
  "null",
  " in ",
  " && ",
  " == ",
  ".size()",
  ".all(y, y > 0)",
  ".map(y, y)",
  ".matches('a+')",
  "[1, 2]",
  "{'a': 1}",
  "has(self.a)",
  "duration('1h')",
  "timestamp('2026-01-01T00:00:00Z')",
  "quantity('1Gi')",
  "string(",
  "int(",
  "has(",
  "//",
  "\n",
];

/** CEL of any text: compiled or refused, and what compiles has a value or an error of our own. */
export const cel = target(15_000, (seed) => {
  const random = new Random(seed);
  const variables = new Map<string, Type>([["self", readType("dyn")], ["x", readType("int")]]);
  return {
    next: () => textOf(random, CEL_PARTS, 12),
    try(text: string) {
      try {
        compile(text, variables).run({ self: [1n, "a"], x: 3n });
        return true;
      } catch (e) {
        if (!(e instanceof CelError)) throw e;
        return false;
      }
    },
  };
});

const FIELD_KEYS = [
  ".",
  "f:a",
  "f:",
  "k:{}",
  'k:{"a":1}',
  'k:{"a":',
  'v:"x"',
  "v:1",
  "v:{",
  "i:0",
  "i:-1",
  "i:x",
  "x",
  "",
];

/** Owned fields of any shape. */
export const fieldSets = target(20_000, (seed) => {
  const random = new Random(seed);
  const tree = (depth: number): Json =>
    depth === 0 || random.once(20)
      ? random.pick<Json>([{}, null, 1, "x", []])
      : Object.fromEntries(Array.from({ length: random.below(4) }, () => [random.pick(FIELD_KEYS), tree(depth - 1)]));
  return {
    next: () => tree(4),
    try(fields: Json) {
      try {
        const once = encodeFields(decodeFields(fields));
        assert.deepEqual(encodeFields(decodeFields(once)), once);
        return true;
      } catch (e) {
        if (!(e instanceof FieldSetError)) throw e;
        return false;
      }
    },
  };
});
