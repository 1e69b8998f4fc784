import assert from "node:assert/strict";
import { encodeJson, parseJson, stringifyJson } from "../../schema/codec/json.ts";
import { ValueError } from "../../schema/values/error.ts";
import { mutations, texts, TREES } from "./_bytes.ts";

const TOKENS = texts(
  ...'{ } [ ] : , " \\ \\u \\ud800 null true false 0 - 1e 1. 12345678901234567 "a" "a": {"a": [[ \0 \x1f'.split(" "),
  " ",
  "é",
  "\ufeff",
  "//",
  "/*",
);
TOKENS.push(Uint8Array.of(0xff), Uint8Array.of(0xc3), Uint8Array.of(0xed, 0xa0, 0x80));

Deno.test("fuzz: 60,000 JSON bodies are read, or refused with an error of our own; what is read writes and reads again", () => {
  const good = TREES.map((t) => encodeJson(t));
  let read = 0;
  for (const body of mutations(1, 60_000, good, TOKENS)) {
    let tree;
    try {
      tree = parseJson(body, { duplicates: true }).tree;
    } catch (e) {
      if (!(e instanceof ValueError)) throw e;
      assert.ok(e.message.length < 200);
      continue;
    }
    read++;
    assert.equal(stringifyJson(parseJson(encodeJson(tree)).tree), stringifyJson(tree));
  }
  assert.ok(read > 500 && read < 50_000, `both ways are tried: ${read} were read`);
});

Deno.test("fuzz: JSON agrees with the runtime on what is JSON", () => {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const isJson = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  for (const body of mutations(2, 10_000, TREES.map((t) => encodeJson(t)), TOKENS)) {
    const text = decoder.decode(body);
    let problem: unknown;
    try {
      parseJson(text);
    } catch (e) {
      problem = e;
    }
    const refused = problem !== undefined && !/out of range/.test(String(problem));
    assert.equal(refused, !isJson(text));
    if (refused) {
      assert.notEqual(
        (problem as Error).message,
        "invalid JSON",
        `the scanner finds the place in ${JSON.stringify(text)}`,
      );
    }
  }
});
