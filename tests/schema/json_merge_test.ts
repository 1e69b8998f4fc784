import assert from "node:assert/strict";
import { parseJson } from "../../schema/codec/json.ts";
import type { JsonMap } from "../../schema/model/types.ts";

const read = (text: string) => parseJson(text, { duplicates: true }).tree;

Deno.test("fields that stand twice: objects are put together, of all else the last one counts", () => {
  assert.deepEqual(read('{"a":{"x":1},"a":{"y":2}}'), { a: { x: 1, y: 2 } });
  assert.deepEqual(read('{"a":{"x":{"p":1}}, "a" : {"x":{"q":[1,{"z":null}]}}}'), {
    a: { x: { p: 1, q: [1, { z: null }] } },
  });
  assert.deepEqual(read('{"a":[1,2],"a":[3]}'), { a: [3] });
  assert.deepEqual(read('{"a":1,"a":"two","b":{},"b":[]}'), { a: "two", b: [] });
  assert.deepEqual(read('{"k\\"1":{"a":1},"k\\u00221":{"b":9007199254740993}}'), {
    'k"1': { a: 1, b: 9007199254740993n },
  });
  assert.deepEqual(read('{"a":1,"a":-9223372036854775808,"b":123456789012345678901}'), {
    a: -9223372036854775808n,
    b: 123456789012345678901,
  });
  const tree = read('{"a":1,"a":2,"b":3,"b":4}') as JsonMap;
  tree["a"] = 4; // as defaults are set
  delete tree["b"]; // as nulls are dropped
  assert.deepEqual(tree, { a: 4 });
  assert.equal(Object.getPrototypeOf(read('{"__proto__":{"a":1},"__proto__":{"b":2}}')), Object.prototype);
  assert.equal(({} as JsonMap)["b"], undefined, "what all objects inherit is left alone");
});
