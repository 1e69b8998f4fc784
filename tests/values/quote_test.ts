/** Quotes of messages. */
import assert from "node:assert/strict";
import { quote } from "../../schema/values/quote.ts";

Deno.test("quotes show what cannot be seen by its number", () => {
  const table: [string, string][] = [
    ["", '""'],
    ["a b", '"a b"'],
    ['a"b\\', String.raw`"a\"b\\"`],
    ["\x07\b\f\n\r\t\v", String.raw`"\a\b\f\n\r\t\v"`],
    ["\x00\x1f\x7f\x80", String.raw`"\x00\x1f\x7f\u0080"`],
    ["é\u0301日😀\ufffd", '"é\u0301日😀\ufffd"'],
    ["\u00a0\u200b\ufeff\ue000\u{e0001}", String.raw`"\u00a0\u200b\ufeff\ue000\U000e0001"`],
  ];
  for (const [text, quoted] of table) assert.equal(quote(text), quoted);
});
