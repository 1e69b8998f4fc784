import { decode as decodeOther } from "../libraries/cbor.ts";
import assert from "node:assert/strict";
import { parseCbor } from "../../schema/codec/cbor.ts";
import { encodeObject } from "../../schema/codec/mod.ts";
import { encodeCbor } from "../../schema/codec/cbor_write.ts";
import { MAX_DEPTH } from "../../schema/codec/json.ts";
import type { Json, JsonMap } from "../../schema/model/types.ts";
import { ValueError } from "../../schema/values/error.ts";
import { samples } from "./_golden.ts";
import { kindOf, obj } from "./_kinds.ts";

const bytes = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (h) => parseInt(h, 16));
const hex = (b: Uint8Array) => Array.from(b, (x) => x.toString(16).padStart(2, "0")).join("");
/** Without the tag that every body begins with. */
const body = (value: Parameters<typeof encodeCbor>[0]) => hex(encodeCbor(value)).replace(/^d9d9f7/, "");

/** The examples of RFC 8949, Appendix A, that this profile takes: bytes, value, and how it is written when that differs. */
const TAKEN: [string, Json, string?][] = [
  ["00", 0],
  ["01", 1],
  ["0a", 10],
  ["17", 23],
  ["1818", 24],
  ["1819", 25],
  ["1864", 100],
  ["1903e8", 1000],
  ["1a000f4240", 1000000],
  ["1b000000e8d4a51000", 1000000000000],
  ["1b7fffffffffffffff", 9223372036854775807n],
  ["20", -1],
  ["29", -10],
  ["3863", -100],
  ["3903e7", -1000],
  ["3b7fffffffffffffff", -9223372036854775808n],
  ["3b001fffffffffffff", -9007199254740992n],
  ["f98000", -0],
  ["fb3ff199999999999a", 1.1],
  ["f93e00", 1.5],
  ["fb7e37e43c8800759c", 1e300],
  ["fa7f7fffff", 3.4028234663852886e+38],
  ["f90001", 5.960464477539063e-8],
  ["f90400", 0.00006103515625],
  ["fbc010666666666666", -4.1],
  // Whole floats come as whole numbers: the tree has one type of number.
  ["f90000", 0, "00"],
  ["f93c00", 1, "01"],
  ["f97bff", 65504, "19ffe0"],
  ["fa47c35000", 100000, "1a000186a0"],
  ["f9c400", -4, "23"],
  ["f4", false],
  ["f5", true],
  ["f6", null],
  [
    "c074323031332d30332d32315432303a30343a30305a",
    "2013-03-21T20:04:00Z",
    "54323031332d30332d32315432303a30343a30305a",
  ],
  ["c11a514b67b0", "2013-03-21T20:04:00Z", "54323031332d30332d32315432303a30343a30305a"],
  ["c1fb41d452d9ec200000", "2013-03-21T20:04:00.5Z", "56323031332d30332d32315432303a30343a30302e355a"],
  ["d74401020304", "01020304", "483031303230333034"],
  ["d6430102ff", "AQL/", "4441514c2f"],
  ["d543fbff01", "-_8B", "442d5f3842"],
  ["d541fb", "-w", "422d77"],
  ["d818456449455446", "dIETF", "456449455446"],
  [
    "d82076687474703a2f2f7777772e6578616d706c652e636f6d",
    "http://www.example.com",
    "56687474703a2f2f7777772e6578616d706c652e636f6d",
  ],
  ["40", ""],
  ["4401020304", "\x01\x02\x03\x04"],
  ["60", "", "40"],
  ["6449455446", "IETF", "4449455446"],
  ["62225c", '"\\', "42225c"],
  ["62c3bc", "ü", "42c3bc"],
  ["64f0908591", "\u{10151}", "44f0908591"],
  ["80", []],
  ["83010203", [1, 2, 3]],
  ["8301820203820405", [1, [2, 3], [4, 5]]],
  ["98190102030405060708090a0b0c0d0e0f101112131415161718181819", Array.from({ length: 25 }, (_, i) => i + 1)],
  ["a0", {}],
  ["a26161016162820203", { a: 1, b: [2, 3] }, "a24161014162820203"],
  ["826161a161626163", ["a", { b: "c" }], "824161a141624163"],
  ["5f42010243030405ff", "\x01\x02\x03\x04\x05", "450102030405"],
  ["7f657374726561646d696e67ff", "streaming", "4973747265616d696e67"],
  ["9fff", [], "80"],
  ["9f018202039f0405ffff", [1, [2, 3], [4, 5]], "8301820203820405"],
  ["83018202039f0405ff", [1, [2, 3], [4, 5]], "8301820203820405"],
  ["bf61610161629f0203ffff", { a: 1, b: [2, 3] }, "a24161014162820203"],
  ["826161bf61626163ff", ["a", { b: "c" }], "824161a141624163"],
  ["bf6346756ef563416d7421ff", { Amt: -2, Fun: true }, "a243416d74214346756ef5"],
  ["a14b636f6e7374727563746f7201", { constructor: 1 }],
  ["a141ff01", { "\ufffd": 1 }, "a143efbfbd01"],
  ["d9d9f7a0", {}, "a0"],
];

Deno.test("cbor: the examples of the standard", () => {
  for (const [input, want, written] of TAKEN) {
    assert.deepEqual(parseCbor(bytes(input)).tree, want, input);
    assert.equal(body(want), written ?? input, input);
  }
});

Deno.test("cbor: what the profile refuses", () => {
  const table: [string, RegExp][] = [
    ["", /unexpected EOF/],
    ["1bffffffffffffffff", /overflows a 64-bit integer/],
    ["1b8000000000000000", /overflows/],
    ["3bffffffffffffffff", /overflows/],
    ["3b8000000000000000", /overflows/],
    ["c249010000000000000000", /beyond 64 bits/],
    ["c349010000000000000000", /beyond 64 bits/],
    ["f97c00", /NaN and infinities/],
    ["f97e00", /NaN/],
    ["fa7f800000", /NaN/],
    ["fb7ff8000000000000", /NaN/],
    ["f7", /simple values/],
    ["f0", /simple values/],
    ["f8ff", /simple values/],
    ["f818", /ill-formed/],
    ["fc", /ill-formed/],
    ["a201020304", /map key is not a string/],
    ["a1f601", /map key is not a string/],
    ["a2616101616102", /duplicate map key "a"/],
    ["a2616101416102", /duplicate map key "a"/],
    ["bf616101616102ff", /duplicate map key "a"/],
    ["61ff", /invalid UTF-8/],
    ["7f61c361a9ff", /invalid UTF-8/],
    ["ff", /break/],
    ["81ff", /break/],
    ["9f01", /unexpected EOF/],
    ["bf6161ff", /break/],
    ["5f6161ff", /wrong chunk/],
    ["5f5f4161ffff", /wrong chunk/],
    ["1c", /ill-formed/],
    ["1f", /ill-formed/],
    ["df00", /ill-formed/],
    ["18", /EOF/],
    ["0000", /1 bytes of extraneous data/],
    ["9bffffffffffffffff", /EOF/],
    ["bbffffffffffffffff", /EOF/],
    ["5bffffffffffffffff", /EOF/],
    ["7b7fffffffffffffff61", /EOF/],
    ["9a7fffffff01", /EOF/],
    ["c06161", /parsing time/],
    ["c1f5", /wrong content in tag 1/],
    ["c1fb7e37e43c8800759c", /outside of the years/],
  ];
  for (const [input, why] of table) {
    assert.throws(() => parseCbor(bytes(input)), (e: unknown) => e instanceof ValueError && why.test(e.message), input);
  }
  for (const bad of [NaN, Infinity, 10n ** 400n, -(10n ** 400n)]) {
    assert.throws(() => encodeCbor({ a: bad }), ValueError);
  }
});

Deno.test("cbor: whole numbers of more than 64 bits are floats", () => {
  for (const n of [1n << 63n, -(1n << 63n) - 1n]) assert.equal(parseCbor(bytes(body(n))).tree, Number(n));
  assert.equal(body((1n << 63n) - 1n), "1b7fffffffffffffff");
  assert.equal(body(-(1n << 63n)), "3b7fffffffffffffff");
});

Deno.test("cbor: depth is bounded both ways", () => {
  const lists = (n: number) => Uint8Array.from([...Array<number>(n).fill(0x81), 0x80]);
  parseCbor(lists(MAX_DEPTH - 1));
  assert.throws(() => parseCbor(lists(MAX_DEPTH)), /max depth/);
  for (const head of [0x81, 0x9f, 0xd8, 0xc6]) {
    assert.throws(() => parseCbor(new Uint8Array(3_000_000).fill(head)), ValueError);
  }
  let deep: Json = [];
  for (let i = 0; i < 5000; i++) deep = [deep];
  assert.throws(() => encodeCbor(deep), /max depth/);
});

Deno.test("cbor: keys by encoded bytes: the shorter first", () => {
  assert.equal(body({ a: undefined as unknown as Json, b: 1 }), "a1416201", "what is not there is not written");
  assert.equal(body({ bb: 1, a: 2, c: 3, é: 4, "": 5 }), "a54005416102416303426262" + "01" + "42c3a904");
  const keys = ["z", "aa", "a".repeat(24), "b".repeat(23), "é", "ba", "\u{1F600}"];
  const order = Object.keys(parseCbor(encodeCbor(Object.fromEntries(keys.map((k) => [k, 0])))).tree as object);
  assert.deepEqual(order, ["z", "aa", "ba", "é", "\u{1F600}", "b".repeat(23), "a".repeat(24)]);
});

Deno.test("cbor: bytes are written behind tag 22 and come back as base64", () => {
  assert.equal(body({ data: Uint8Array.of(1, 2, 255) }), "a14464617461d6430102ff");
  assert.deepEqual(parseCbor(encodeCbor({ data: Uint8Array.of(1, 2, 255) })).tree, { data: "AQL/" });
});

const AS_BYTES: readonly [apiVersion: string, kind: string, members: JsonMap, bytes: number, texts: number][] = [
  ["v1", "Secret", { data: { a: "AQL/", b: "AQL/" }, stringData: { a: "AQL/" }, type: "AQL/" }, 2, 2],
  ["v1", "Secret", { data: null }, 0, 0],
  ["v1", "ConfigMap", { data: { a: "AQL/" }, binaryData: { a: "AQL/" } }, 1, 1],
  ["v1", "Pod", { metadata: { name: "AQL/" } }, 0, 1],
  ["v1", "SecretList", { items: [{ data: { a: "AQL/" } }, { type: "AQL/" }] }, 1, 1],
  ["certificates.k8s.io/v1", "CertificateSigningRequest", { spec: { request: "AQL/", signerName: "AQL/" } }, 1, 1],
  ["apps/v1", "ControllerRevision", { data: { raw: "AQL/", Raw: "AQL/" } }, 0, 2],
  [
    "admissionregistration.k8s.io/v1",
    "ValidatingWebhookConfiguration",
    {
      webhooks: [{ name: "AQL/", clientConfig: { caBundle: "AQL/" } }],
    },
    1,
    1,
  ],
];

Deno.test("cbor: what a kind holds as bytes is written as bytes, wherever it stands, and texts that look so as texts", () => {
  for (const [apiVersion, kind, members, bytes, texts] of AS_BYTES) {
    const written = hex(encodeObject(obj({ apiVersion, kind, ...members }), kindOf(apiVersion, kind), "cbor"));
    const times = (what: string) => written.split(what).length - 1;
    assert.deepEqual([times("d6430102ff"), times("4441514c2f")], [bytes, texts], kind);
  }
});

Deno.test("cbor: samples round-trip, are deterministic, and are read alike by another library", () => {
  for (const { name, json } of samples()) {
    const encoded = encodeCbor(json);
    assert.deepEqual(parseCbor(encoded).tree, json, name);
    assert.deepEqual(encodeCbor(parseCbor(encoded).tree), encoded, name);
    assert.deepEqual(plain(decodeOther(encoded)), plain(json), name);
  }
});

/** The other library gives byte strings, and its own bigints. */
function plain(value: unknown): unknown {
  const o = value as { contents?: unknown; tag?: unknown };
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return Object.fromEntries([...value].map(([k, v]) => [plain(k), plain(v)]));
  if (o && typeof o === "object" && "tag" in o) return plain(o.contents);
  if (o && typeof o === "object") return Object.fromEntries(Object.entries(o).map(([k, v]) => [k, plain(v)]));
  return value;
}

Deno.test("cbor: long and wide texts", () => {
  for (
    const text of [
      "a".repeat(21),
      "é".repeat(21),
      "a".repeat(255),
      "a".repeat(256),
      "水".repeat(30_000),
      "a".repeat(70_000),
    ]
  ) {
    assert.deepEqual(parseCbor(encodeCbor([text, { [text]: 1 }])).tree, [text, { [text]: 1 }]);
  }
});
