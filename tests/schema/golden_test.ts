/** Every form of every sample object decodes to the same object and is written again as it was. */
import assert from "node:assert/strict";
import { decodeBody, encodeObject } from "../../schema/codec/mod.ts";
import { encodeProtobuf } from "../../schema/codec/envelope.ts";
import { parseJson, stringifyJson } from "../../schema/codec/json.ts";
import type { Json, Kind } from "../../schema/model/types.ts";
import { kindOf, scheme, shared, sortedTree } from "./_kinds.ts";

const golden = shared("golden");
const own = new URL("./testdata/", import.meta.url).pathname;

/** `<group>.<version>.<Kind>` of a file name; the core group is written out. */
function kindOfFile(name: string): Kind {
  const parts = name.replace(/\.json$/, "").split(".");
  const kind = parts.pop()!, version = parts.pop()!, group = parts.join(".");
  return kindOf(group === "core" ? version : `${group}/${version}`, kind);
}

function check(directory: string, file: string): void {
  const kind = kindOfFile(file);
  const read = (ext: string) => Deno.readFileSync(`${directory}/${file.replace(/json$/, ext)}`);
  const json = read("json"), yaml = read("yaml"), pb = read("pb");
  const wanted = parseJson(json).tree;
  const decoded = decodeBody(scheme, json, "json", { defaultKind: kind, strict: true });
  assert.deepEqual(decoded.strictErrors, []);
  assert.equal(stringifyJson(decoded.object as Json), stringifyJson(wanted), "JSON, with the order of members");
  assert.equal(
    stringifyJson(parseJson(encodeObject(decoded.object, kind, "json")).tree),
    stringifyJson(wanted),
  );
  for (const [media, bytes] of [["yaml", yaml], ["protobuf", pb]] as const) {
    const { object, strictErrors } = decodeBody(scheme, bytes, media, { defaultKind: kind, strict: true });
    assert.deepEqual(strictErrors, []);
    assert.equal(stringifyJson(object as Json), stringifyJson(decoded.object as Json), media);
  }
  assert.deepEqual(encodeProtobuf(kind, decoded.object), pb, "Protobuf bytes");
  for (const media of ["yaml", "cbor"] as const) {
    const bytes = encodeObject(decoded.object, kind, media);
    const { object } = decodeBody(scheme, bytes, media, { defaultKind: kind, strict: true });
    assert.deepEqual(sortedTree(object as Json), sortedTree(decoded.object as Json), `${media} there and back`);
  }
}

Deno.test("samples of the project: all forms agree", async (t) => {
  const files = [...Deno.readDirSync(own)].map((e) => e.name).filter((n) => n.endsWith(".json")).sort();
  assert.ok(files.length >= 12);
  for (const file of files) await t.step(file, () => check(own, file));
});

Deno.test({
  name: "public golden objects: all forms agree",
  ignore: !golden, // only where the public samples lie beside the project
  fn: async (t) => {
    const files = [...Deno.readDirSync(golden!)].map((e) => e.name).filter((n) => n.endsWith(".json")).sort();
    assert.equal(files.length, 193);
    for (const file of files) await t.step(file, () => check(golden!, file));
  },
});
