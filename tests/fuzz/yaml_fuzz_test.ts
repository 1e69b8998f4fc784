import assert from "node:assert/strict";
import { parseYaml, stringifyYaml } from "../../schema/codec/yaml.ts";
import { ValueError } from "../../schema/values/error.ts";
import { pick, seeded } from "../values/_random.ts";
import { mutations, texts, TREES } from "./_bytes.ts";

const TOKENS = texts(
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
TOKENS.push(Uint8Array.of(0xff));

Deno.test("fuzz: 10,000 YAML bodies are read, or refused with an error of our own; what is read writes and reads again", () => {
  const good = [
    ...TREES.map((t) => stringifyYaml(t)),
    "a: &x {b: [1, *y]}\nc: *x\n",
    "k: >\n  folded\n  text\nl: !!str 1\n",
  ];
  let read = 0;
  for (const body of mutations(3, 10_000, texts(...good), TOKENS)) {
    let tree;
    try {
      tree = parseYaml(body, { duplicates: true }).tree;
    } catch (e) {
      if (!(e instanceof ValueError)) throw e;
      continue;
    }
    read++;
    assert.deepEqual(parseYaml(stringifyYaml(tree)).tree, tree, new TextDecoder().decode(body));
  }
  assert.ok(read > 500 && read < 9_500, `both ways are tried: ${read} were read`);
});

Deno.test("fuzz: 5,000 texts of the characters that YAML minds are written so that they read back", () => {
  const random = seeded(4);
  const parts = [
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
  for (let i = 0; i < 5_000; i++) {
    const value = Array.from({ length: Math.floor(random() * (i % 50 === 0 ? 120 : 8)) }, () => pick(random, parts))
      .join("");
    const tree = i % 2 ? { [value]: [value] } : { k: value, l: [{ [value]: value }] };
    const out = stringifyYaml(tree);
    assert.deepEqual(parseYaml(out).tree, tree, JSON.stringify(out));
  }
});
