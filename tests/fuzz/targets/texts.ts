/** Decoders of text: JSON, YAML. What is read writes and reads again; what is not is refused with an error of our own. */
import assert from "node:assert/strict";
import { encodeJson, parseJson, stringifyJson } from "../../../schema/codec/json.ts";
import { parseYaml, stringifyYaml } from "../../../schema/codec/yaml.ts";
import { ValueError } from "../../../schema/values/error.ts";
import { pick, seeded } from "../../fixture/random.ts";
import { mutations, texts, TREES } from "../_bytes.ts";
import { target } from "./target.ts";

const JSON_TOKENS = texts(
  ...'{ } [ ] : , " \\ \\u \\ud800 null true false 0 - 1e 1. 12345678901234567 "a" "a": {"a": [[ \0 \x1f'.split(" "),
  " ",
  "é",
  "\ufeff",
  "//",
  "/*",
);
JSON_TOKENS.push(Uint8Array.of(0xff), Uint8Array.of(0xc3), Uint8Array.of(0xed, 0xa0, 0x80));

const JSON_BODIES = TREES.map((t) => encodeJson(t));

/** Runs `read`; undefined when it refuses. @throws what is no error of our own */
export function ours<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (e) {
    if (!(e instanceof ValueError)) throw e;
    return undefined;
  }
}

/** Next of a generator without end. */
const nextOf = <T>(inputs: Generator<T>) => () => inputs.next().value as T;

/** JSON of any bytes. */
export const json = target(40_000, (seed) => ({
  next: nextOf(mutations(seed, Infinity, JSON_BODIES, JSON_TOKENS)),
  try(body: Uint8Array) {
    const read = ours(() => parseJson(body, { duplicates: true }));
    if (!read) return false;
    assert.equal(stringifyJson(parseJson(encodeJson(read.tree)).tree), stringifyJson(read.tree));
    return true;
  },
}));

const strictly = new TextDecoder("utf-8", { ignoreBOM: true });

/** The runtime and we agree on what is JSON. */
export const jsonAgrees = target(10_000, (seed) => ({
  next: nextOf(mutations(seed, Infinity, JSON_BODIES, JSON_TOKENS)),
  try(body: Uint8Array) {
    const text = strictly.decode(body);
    let problem: unknown, isJson = true;
    try {
      parseJson(text);
    } catch (e) {
      problem = e;
    }
    try {
      JSON.parse(text);
    } catch {
      isJson = false;
    }
    const refused = problem !== undefined && !/out of range/.test(String(problem));
    assert.equal(refused, !isJson);
    // The scanner finds the place.
    if (refused) assert.notEqual((problem as Error).message, "invalid JSON");
    return isJson;
  },
}));

const YAML_TOKENS = texts(
  ..."{ } [ ] : , - ? | > ' \" # & * ! % @ ` ~ << --- ... a yes 0o7 .inf &a *a !!int !!str 1_0".split(" "),
  "- ",
  "? ",
  ": ",
  "\n",
  "\n  ",
  "\t",
  "a: ",
  "\n- ",
  "|\n",
  ">-\n",
  "&a ",
  "<<: *a\n",
  "\r\n",
  "\u0085",
  "\ufeff",
);
YAML_TOKENS.push(Uint8Array.of(0xff));

const YAML_BODIES = texts(
  ...TREES.map((t) => stringifyYaml(t)),
  "a: &x {b: [1, *y]}\nc: *x\n",
  "k: >\n  folded\n  text\nl: !!str 1\n",
);

/** YAML of any bytes. */
export const yaml = target(6_000, (seed) => ({
  next: nextOf(mutations(seed, Infinity, YAML_BODIES, YAML_TOKENS)),
  try(body: Uint8Array) {
    const read = ours(() => parseYaml(body, { duplicates: true }));
    if (!read) return false;
    assert.deepEqual(parseYaml(stringifyYaml(read.tree)).tree, read.tree);
    return true;
  },
}));

const YAML_PARTS = [
  ..." :-?#,[]{}&*!|>'\"%@`\n\t\r\\~=<.019_aeyYnNxo+",
  "é",
  "\u{1F600}",
  "\u2028",
  "\u0085",
  "\u00a0",
  "\ufffe",
  "\u0007",
  "word ",
];

/** Texts of the characters that YAML minds are written so that they read back. */
export const yamlTexts = target(3_000, (seed) => {
  const random = seeded(seed);
  let n = 0;
  return {
    next() {
      const length = Math.floor(random() * (++n % 50 === 0 ? 120 : 8));
      return Array.from({ length }, () => pick(random, YAML_PARTS)).join("");
    },
    try(value: string) {
      for (const tree of [{ [value]: [value] }, { k: value, l: [{ [value]: value }] }]) {
        const out = stringifyYaml(tree);
        assert.deepEqual(parseYaml(out).tree, tree, JSON.stringify(out));
      }
      return true;
    },
  };
});
