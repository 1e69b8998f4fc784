import assert from "node:assert/strict";
import { pemBlocks, textOfBytes } from "../../schema/rules/certificates/pem.ts";

const block = (type: string, body: string) => `-----BEGIN ${type}-----\n${body}\n-----END ${type}-----\n`;
const first = block("A", "AAAA"), second = block("B", "BBBB");

Deno.test("the first block is the one that signers read", () => {
  const rows: [string, string, string][] = [
    ["the first of two", first + second, "A B"],
    ["text around", `one\n${first}two\n${second}three`, "A B"],
    ["not at the beginning of a line", `x -----BEGIN A-----AAAA-----END A-----\n${second}`, "B"],
    ["with headers", `-----BEGIN A-----\nK-l: m\nn:o\n\nAAAA\n-----END A-----\n${second}`, "A B"],
    ["without its padding", block("A", "AAA") + second, "B"],
    ["with bits that are left over", block("A", "AAB=") + second, "A B"],
    ["what is no base64", block("A", "A\fAAA") + second, "B"],
    ["a mark before it", `\ufeff${first}${second}`, "B"],
    ["a beginning without an end", `-----BEGIN A-----\nAAAA\n${second}`, "B"],
    ["an end of another type", `-----BEGIN A-----\nAAAA\n-----END C-----\n${second}`, "B"],
    ["blanks behind the lines", `-----BEGIN A----- \t\r\nAA AA\r\n-----END A----- \r\n${second}`, "A B"],
    ["more behind its end", `-----BEGIN A-----\nAAAA\n-----END A-----x\n${second}`, "B"],
    ["headers that go on beyond its end", "-----BEGIN a:-----\n-----END a:-----\n" + second, ""],
    ["empty", "-----BEGIN A-----\n-----END A-----", "A"],
    ["none", "-----BEGIN A-----\nAAAA", ""],
  ];
  for (const [name, text, types] of rows) assert.equal(pemBlocks(text).map((b) => b.type).join(" "), types, name);
  assert.equal(pemBlocks(block("A", "K: v\n\nAAAA"))[0]?.hasHeaders, true);
  assert.equal(textOfBytes(new TextEncoder().encode("\ufeffx").toBase64()), "\ufeffx");
});

Deno.test("texts that are almost PEM are looked at once", () => {
  const times = 100_000;
  for (
    const part of [
      "-----BEGIN A-----\n",
      "\n-----END A-----",
      "-----BEGIN a:-----\n-----END a:-----\n",
      "-----BEGIN A-----\nb:\n",
    ]
  ) assert.equal(pemBlocks(part.repeat(times)).length, 0, part);
  assert.deepEqual(pemBlocks(`-----BEGIN ${" ".repeat(1e6)}x\n-----END x-----`), []);
});
