/** Objects as a public server returned them are canonical already: decoding them changes nothing. */
import assert from "node:assert/strict";
import { decodeObject } from "../../schema/codec/mod.ts";
import type { Json, JsonMap } from "../../schema/model/types.ts";
import { scheme, shared, sortedTree, text } from "./_kinds.ts";

const facts = shared("facts");

const MICRO = new Set(["renewTime", "acquireTime", "eventTime", "pingTime"]);
/** Values in place of what the records mask. */
const MASKS: Readonly<Record<string, Json>> = { "<node-port>": 30000, "<port>": 443, "<pem>": "AAAA" };

function unmask(value: Json, name = ""): Json {
  if (Array.isArray(value)) return value.map((x) => unmask(x, name));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, unmask(v, k)]));
  }
  if (value === "<time>") return MICRO.has(name) ? "2026-01-01T00:00:00.000000Z" : "2026-01-01T00:00:00Z";
  return typeof value === "string" && Object.hasOwn(MASKS, value) ? MASKS[value]! : value;
}

function* recorded(): Iterable<JsonMap> {
  const read = (name: string) => JSON.parse(Deno.readTextFileSync(`${facts}/${name}`));
  for (const entry of Deno.readDirSync(`${facts}/defaults`)) {
    for (const { returned } of read(`defaults/${entry.name}`).objects) if (returned?.kind) yield returned;
  }
  for (const list of Object.values(read("bootstrap.json").states.default.objects)) yield* list as JsonMap[];
}

Deno.test({
  name: "recorded objects decode to themselves",
  ignore: !facts, // only where the recorded facts lie beside the project
  fn: () => {
    let count = 0;
    for (const record of recorded()) {
      const kind = scheme.kind(String(record.apiVersion), String(record.kind));
      // Versions that the next release dropped, and a kind that gained a status in it.
      if (!kind || kind.kind === "CSINode") continue;
      const tree = unmask(record);
      const { object, unknown } = decodeObject(kind, tree, { strict: true });
      assert.deepEqual(unknown, []);
      assert.equal(text(sortedTree(object as Json)), text(sortedTree(tree)));
      count++;
    }
    assert.ok(count > 150, String(count));
  },
});
