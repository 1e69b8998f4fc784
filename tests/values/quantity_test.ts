import assert from "node:assert/strict";
import { ValueError } from "../../schema/values/error.ts";
import {
  canonicalQuantity,
  compareQuantity,
  parseQuantity,
  quantityOf,
  ZERO_QUANTITY,
} from "../../schema/values/quantity.ts";
import { pick, seeded } from "../fixture/random.ts";

/** Input, mantissa, power of ten, format: each mantissa and power of the same value will do. */
const PARSED: [string, bigint, number, string][] = [
  ["0", 0n, 0, "DecimalSI"],
  ["0n", 0n, 0, "DecimalSI"],
  ["0Ki", 0n, 0, "BinarySI"],
  ["0T", 0n, 0, "DecimalSI"],
  ["1", 1n, 0, "DecimalSI"],
  ["8Ki", 8192n, 0, "BinarySI"],
  ["7Mi", 7n << 20n, 0, "BinarySI"],
  ["5Ti", 5n << 40n, 0, "BinarySI"],
  ["3Ei", 3n << 60n, 0, "BinarySI"],
  ["100Ti", 100n << 40n, 0, "BinarySI"],
  ["5n", 5n, -9, "DecimalSI"],
  ["4u", 4n, -6, "DecimalSI"],
  ["3m", 3n, -3, "DecimalSI"],
  ["50k", 5n, 4, "DecimalSI"],
  ["300T", 3n, 14, "DecimalSI"],
  ["1E", 1n, 18, "DecimalSI"],
  ["1E-3", 1n, -3, "DecimalExponent"],
  ["1e3", 1n, 3, "DecimalExponent"],
  ["1E18", 1n, 18, "DecimalExponent"],
  ["100.035k", 100035n, 0, "DecimalSI"],
  ["0.001", 1n, -3, "DecimalSI"],
  ["0.0005k", 5n, -1, "DecimalSI"],
  ["0.50000", 5n, -1, "DecimalSI"],
  ["0.5e-2", 5n, -3, "DecimalExponent"],
  ["10.035M", 10035n, 3, "DecimalSI"],
  ["1.3E+6", 13n, 5, "DecimalExponent"],
  ["9.01", 901n, -2, "DecimalSI"],
  ["1.01E", 101n, 16, "DecimalSI"],
  // Finer than a billionth: away from zero.
  ["3.001n", 4n, -9, "DecimalSI"],
  ["1.1E-9", 2n, -9, "DecimalExponent"],
  ["0.0000000005", 1n, -9, "DecimalSI"],
  ["0.00000012345", 124n, -9, "DecimalSI"],
  // Binary ones are capped, decimal ones are not.
  ["9Ei", (1n << 63n) - 1n, 0, "BinarySI"],
  ["9223372036854775807Ki", (1n << 63n) - 1n, 0, "BinarySI"],
  ["12E", 12n, 18, "DecimalSI"],
  ["100.035Ki", 10243584n, -2, "BinarySI"],
  ["0.025Ti", 274877906944n, -1, "BinarySI"],
  ["0.000000000001Ki", 2n, -9, "DecimalSI"],
  [".001", 1n, -3, "DecimalSI"],
  [".0001k", 100n, -3, "DecimalSI"],
  ["1.", 1n, 0, "DecimalSI"],
  ["1.G", 1n, 9, "DecimalSI"],
];

Deno.test("quantity: value and format of a text, with either sign", () => {
  for (const [text, mantissa, exponent, format] of PARSED) {
    for (const sign of ["", "+", "-"]) {
      const q = parseQuantity(sign + text);
      const want = quantityOf(sign === "-" ? -mantissa : mantissa, "DecimalSI", exponent);
      assert.equal(q.cmp(want), 0, `${sign}${text} = ${q.mantissa}e${q.exponent}`);
      assert.equal(q.format, format, sign + text);
    }
  }
});

Deno.test("quantity: canonical text", () => {
  const table: [string | number | bigint, string][] = [
    ["0", "0"],
    ["-0", "0"],
    ["0Ki", "0"],
    ["1.5", "1500m"],
    ["0.5", "500m"],
    ["1.5Gi", "1536Mi"],
    ["1024Mi", "1Gi"],
    ["1025Ki", "1025Ki"],
    ["1000", "1k"],
    ["1500", "1500"],
    ["1000m", "1"],
    ["1000n", "1u"],
    ["100000", "100k"],
    ["1200000k", "1200M"],
    ["0.5Ki", "512"],
    ["100.035Ki", "102435840m"],
    ["512Ki", "512Ki"],
    ["1023", "1023"],
    ["1e3", "1e3"],
    ["1e4", "10e3"],
    ["1e14", "100e12"],
    ["12e-1", "1200e-3"],
    ["-1.5Gi", "-1536Mi"],
    // A text that needs no change of digits stays as the client wrote it.
    ["1E3", "1E3"],
    ["+5", "+5"],
    ["1.500", "1.500"],
    ["007", "007"],
    ["1.000", "1"],
    // Beyond the last suffix nothing is lost.
    ["1000E", "1000E"],
    // No digits at all: zero.
    ["k", "0"],
    ["-", "0"],
    [".", "0"],
    // JSON numbers.
    [1, "1"],
    [0.5, "500m"],
    [100000, "100k"],
    [9007199254740993n, "9007199254740993"],
    [" 1Gi ", "1Gi"],
  ];
  for (const [input, want] of table) assert.equal(canonicalQuantity(input), want, String(input));
});

Deno.test("quantity: what is none", () => {
  const texts = [
    "",
    "1.1.M",
    "1+1.0M",
    "0.1mi",
    "0.1am",
    "aoeu",
    ".5i",
    "1i",
    "-3.01i",
    "-3.01e-",
    " 1",
    "1 ",
    "1e",
    "1ee3",
    "1k5",
  ];
  for (
    const text of [...texts, "1e99999999999", "9".repeat(5000), "1KI", "1ki", "--1", "1,5", "0x10", "NaN", "Infinity"]
  ) {
    assert.throws(() => parseQuantity(text), ValueError, text);
  }
  assert.throws(() => canonicalQuantity(NaN), ValueError);
  assert.throws(() => canonicalQuantity(Infinity), ValueError);
});

Deno.test("quantity: whole and thousandth values are rounded away from zero", () => {
  const table: [string, bigint, bigint][] = [
    ["100m", 1n, 100n],
    ["1001m", 2n, 1001n],
    ["-9.01", -10n, -9010n],
    ["1n", 1n, 1n],
    ["5k", 5000n, 5_000_000n],
    ["1Ki", 1024n, 1_024_000n],
  ];
  for (const [text, value, milli] of table) {
    assert.equal(parseQuantity(text).value(), value);
    assert.equal(parseQuantity(text).milliValue(), milli);
  }
});

Deno.test("quantity: arithmetic keeps the format; zero takes the other's", () => {
  const q = parseQuantity;
  assert.equal(q("1Gi").add(q("512Mi")).toString(), "1536Mi");
  assert.equal(q("1Gi").sub(q("1")).toString(), "1073741823");
  assert.equal(q("500m").add(q("500m")).toString(), "1");
  assert.equal(ZERO_QUANTITY.add(q("2Ki")).toString(), "2Ki");
  assert.equal(ZERO_QUANTITY.sub(q("1e3")).toString(), "-1e3");
  assert.equal(q("3Mi").neg().toString(), "-3Mi");
  assert.equal(q("3Mi").sub(q("3Mi")).isZero(), true);
  assert.equal(q("-1m").sign(), -1);
  assert.equal(q("1500m").toNumber(), 1.5);
  assert.deepEqual(JSON.stringify({ cpu: q("0.5") }), '{"cpu":"500m"}');
});

Deno.test("quantity: order", () => {
  const rising = [
    "-1Ki",
    "-1k",
    "-1",
    "-1m",
    "0",
    "1n",
    "1u",
    "1m",
    "0.5",
    "1",
    "1e1",
    "1k",
    "1Ki",
    "1M",
    "1Mi",
    "1E",
    "1Ei",
    "9Ei",
  ];
  rising.forEach((a, i) =>
    rising.forEach((b, j) => assert.equal(compareQuantity(a, b), Math.sign(i - j), `${a} ${b}`))
  );
  assert.equal(compareQuantity("1000m", "1"), 0);
});

Deno.test("quantity: a+b-b = a, and a canonical text reads as the same value and writes as itself", () => {
  const random = seeded(7);
  const suffixes = ["", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "e3", "e-2", "E5"];
  const make = () => {
    const digits = String(Math.floor(random() * 10 ** Math.floor(random() * 13)));
    const fraction = random() < 0.4 ? "." + Math.floor(random() * 1000) : "";
    return parseQuantity((random() < 0.3 ? "-" : "") + digits + fraction + pick(random, suffixes));
  };
  for (let i = 0; i < 20_000; i++) {
    const a = make(), b = make();
    assert.equal(a.add(b).sub(b).cmp(a), 0, `${a} ${b}`);
    const sum = a.add(b);
    // A binary text past 2^63-1 is capped when read.
    if (sum.format === "BinarySI" && sum.mantissa * BigInt(sum.sign()) > 1n << 62n) continue;
    const text = sum.toString();
    assert.equal(parseQuantity(text).cmp(sum), 0, text);
    // A binary one that no suffix divides has a text of digits only, which reads as a decimal one.
    if (sum.format !== "BinarySI" || text.endsWith("i")) assert.equal(canonicalQuantity(text), text);
  }
});

Deno.test("quantities that overflow thousandths of 64 bits seldom look whole", () => {
  const rows: readonly [text: string, fraction: boolean][] = [
    ["7", false],
    ["2.5", true],
    ["3E", false],
    ["2Pi", false],
    ["2Ei", false],
    ["5Ei", true],
    ["11Pi", true],
    ["123456789012345678", false],
    ["98765432109876543210", true],
  ];
  for (const [text, fraction] of rows) assert.equal(parseQuantity(text).hasFraction(), fraction, text);
});
