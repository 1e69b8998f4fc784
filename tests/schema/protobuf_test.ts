/** The Protobuf form: wire facts, the envelope, and what is done on encoded bytes. */
import assert from "node:assert/strict";
import { decodeObject, decodeTyped } from "../../schema/codec/mod.ts";
import {
  decodeProtobuf,
  encodeProtobuf,
  listEnvelopeParts,
  unwrap,
  watchEventMessage,
  wrap,
} from "../../schema/codec/envelope.ts";
import { DecodeError } from "../../schema/codec/error.ts";
import { decodeMessage, encodeMessage } from "../../schema/codec/protobuf.ts";
import type { Json, JsonMap, Obj } from "../../schema/model/types.ts";
import { kindOf, scheme, text } from "./_kinds.ts";

const bytes = (...parts: (number | string | number[])[]) =>
  new Uint8Array(parts.flatMap((p) => typeof p === "string" ? [...new TextEncoder().encode(p)] : p));
const hex = (b: Uint8Array) => b.toHex();
const message = (id: string) => scheme.message(id);
const encode = (id: string, tree: Json) =>
  hex(encodeMessage(message(id), decodeTyped(message(id), tree, {}, { unknown: [] })));
const decode = (id: string, ...parts: Parameters<typeof bytes>) => decodeMessage(message(id), bytes(...parts));
const refused = (work: () => unknown, pattern: RegExp) =>
  assert.throws(work, (e) => e instanceof DecodeError && pattern.test(e.message));

Deno.test("zero scalars are written, absent pointers are not", () => {
  assert.equal(encode("meta.v1.StatusCause", {}), "0a0012001a00");
  assert.equal(encode("meta.v1.Preconditions", {}), "");
  assert.equal(encode("admissionregistration.v1.WebhookClientConfig", {}), "");
  assert.equal(encode("meta.v1.Preconditions", { uid: "" }), "0a00");
});

Deno.test("negative integers take ten bytes; 64 bits are exact", () => {
  assert.equal(encode("core.v1.PodDNSConfig", {}), "");
  assert.equal(encode("meta.v1.DeleteOptions", { gracePeriodSeconds: -1 }), "08ffffffffffffffffff01");
  const all = { gracePeriodSeconds: 9223372036854775807n };
  assert.equal(
    decodeMessage(message("meta.v1.DeleteOptions"), bytes([0x08, ...Array(8).fill(0xff), 0x7f])).gracePeriodSeconds,
    all.gracePeriodSeconds,
  );
  for (const n of [0, 1, 127, 128, 2 ** 28, 2 ** 32 - 1, 2 ** 32, 2 ** 35, Number.MAX_SAFE_INTEGER, -(2 ** 31)]) {
    const id = "meta.v1.DeleteOptions";
    assert.equal(
      decodeMessage(message(id), encodeMessage(message(id), { gracePeriodSeconds: n })).gracePeriodSeconds,
      n,
    );
  }
});

Deno.test("32 bits keep the lower ones of what is longer", () => {
  const port = (...varint: number[]) => decode("core.v1.ContainerPort", [0x10, ...varint]).hostPort;
  assert.deepEqual([port(0xff, 0xff, 0xff, 0xff, 0x0f), port(...Array(9).fill(0xff), 1)], [-1, -1]);
  assert.equal(port(0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40), 1);
});

Deno.test("map keys are written in the order of their bytes", () => {
  const astral = "\u{1f600}", high = "\uffee";
  const data = { [astral]: "1", [high]: "2", b: "3", a: "4" };
  const raw = encodeMessage(message("core.v1.ConfigMap"), { metadata: {}, data });
  assert.deepEqual(Object.keys(decodeMessage(message("core.v1.ConfigMap"), raw).data as JsonMap), [
    "a",
    "b",
    high,
    astral,
  ]);
  const at = (s: string) => hex(raw).indexOf(hex(bytes(s)));
  assert.ok(at(high) < at(astral));
  const sent = [["b", "1"], ["a", "2"], ["b", "3"]].map(([k, v]) => [0x12, 6, ...bytes([0x0a, 1], k!, [0x12, 1], v!)]);
  assert.equal(text(decode("core.v1.ConfigMap", ...sent).data), '{"a":"2","b":"3"}', "whoever wrote them, once each");
  const inherited = decode("core.v1.ConfigMap", [0x12, 14, 0x0a, 9], "__proto__", [0x12, 1], "v").data as JsonMap;
  assert.deepEqual(Object.entries(inherited), [["__proto__", "v"]]);
});

Deno.test("a map entry without a value has a zero", () => {
  assert.deepEqual(decode("core.v1.ConfigMap", [0x12, 3, 0x0a, 1], "a").data, { a: "" });
  assert.deepEqual(decode("core.v1.Secret", [0x12, 3, 0x0a, 1], "a").data, { a: "" });
});

Deno.test("unknown numbers are skipped, whatever their wire type; groups too", () => {
  const id = "meta.v1.Preconditions";
  assert.deepEqual(
    decode(id, [0x78, 5], [0x7d, 1, 2, 3, 4], [0x79, 1, 2, 3, 4, 5, 6, 7, 8], [0x7a, 1, 9], [0x0a, 1], "u"),
    { uid: "u" },
  );
  assert.deepEqual(decode(id, [0x7b, 0x08, 1, 0x7c], [0x0a, 1], "u"), { uid: "u" });
});

Deno.test("packed numbers are read as well", () => {
  assert.deepEqual(decode("core.v1.PodSecurityContext", [0x22, 3, 1, 2, 3]), { supplementalGroups: [1, 2, 3] });
  assert.deepEqual(decode("core.v1.PodSecurityContext", [0x20, 1, 0x20, 2]), { supplementalGroups: [1, 2] });
});

Deno.test("times, quantities and raw JSON", () => {
  assert.equal(
    encode("policy.v1.PodDisruptionBudgetStatus", { disruptedPods: { a: "1970-01-01T00:00:01Z" } }),
    "080012090a01611204080110001800200028003000",
  );
  assert.equal(decode("core.v1.PodCondition", [0x22, 0]).lastTransitionTime, null);
  assert.equal(decode("core.v1.PodCondition", [0x22, 4, 8, 0, 16, 5]).lastTransitionTime, "1970-01-01T00:00:00Z");
  refused(() => decode("core.v1.PodCondition", [0x22, 10, 8], Array(8).fill(0xff), [0x7f]), /./);
  const data = { b: [1, { c: null }], a: 1.5 };
  const raw = encodeMessage(message("apps.v1.ControllerRevision"), { metadata: {}, data, revision: 1 });
  assert.equal(text(decodeMessage(message("apps.v1.ControllerRevision"), raw).data), text(data));
  refused(() => decode("apps.v1.ControllerRevision", [0x12, 3, 0x0a, 1], "{"), /JSON|json/);
  const limits = (quantity: string) =>
    decode("core.v1.ResourceRequirements", [0x0a, 14], [0x0a, 3], "cpu", [0x12, 7, 0x0a, 5], quantity).limits;
  assert.deepEqual(limits("1000m"), { cpu: "1" });
  refused(() => limits("1000x"), /quantit/);
  assert.equal(decode("core.v1.ServicePort", [0x22, 2, 8, 1]).targetPort, "");
});

Deno.test("embedded Protobuf objects are read with the scheme", () => {
  const secret = { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "x" } } as Obj;
  const inner = encodeProtobuf(kindOf("v1", "ConfigMap"), secret);
  const metadata = [0x0a, 4, 0x12, 0, 0x1a, 0], item = [0x12, inner.length + 2, 0x0a, inner.length, ...inner];
  const list = wrap("v1", "List", bytes(metadata, item));
  const { object } = decodeProtobuf(list, scheme);
  assert.deepEqual(object.items, [{ kind: "ConfigMap", apiVersion: "v1", metadata: { name: "x" } }]);
  refused(() => decodeMessage(message("core.v1.List"), unwrap(list).raw), /embedded object/);
  // An embedded object is no way round what holds of the whole: the list, its metadata, a config map and its metadata.
  assert.ok(decodeProtobuf(list, scheme, { maxMessages: 4 }));
  refused(() => decodeProtobuf(list, scheme, { maxMessages: 3 }), /too many values/);
  const two = wrap("v1", "List", bytes(metadata, item, item));
  assert.ok(decodeProtobuf(two, scheme, { maxMessages: 6 }));
  refused(() => decodeProtobuf(two, scheme, { maxMessages: 5 }), /too many values/);
  let nested = inner;
  for (let i = 0; i < 600; i++) {
    const item = bytes([0x0a], length(nested.length), [...nested]);
    nested = wrap("v1", "List", bytes([0x12], length(item.length), [...item]));
  }
  refused(() => decodeProtobuf(nested, scheme), /max depth/);
});

Deno.test("envelopes: missing names are the default's, unknown kinds are named", () => {
  const kind = kindOf("v1", "ConfigMap");
  const bare = wrap("", "", encodeMessage(kind.message, { metadata: { name: "x" } }));
  assert.equal(decodeProtobuf(bare, scheme, { defaultKind: kind }).object.metadata.name, "x");
  refused(() => decodeProtobuf(bare, scheme), /'Kind' is missing/);
  refused(() => decodeProtobuf(wrap("v1", "Nope", bytes()), scheme), /no kind "Nope" is registered for version "v1"/);
  refused(() => decodeProtobuf(bytes("{}"), scheme), /expected prefix/);
  refused(() => decodeProtobuf(wrap("meta.k8s.io/v1", "Table", bytes()), scheme), /no Protobuf form/);
  assert.throws(() => encodeProtobuf(kindOf("meta.k8s.io/v1", "Table"), {} as Obj), /no Protobuf form/);
});

Deno.test("a bad body is an error of the codec, before anything is allocated", () => {
  const pod = "core.v1.Pod";
  refused(() => decode(pod, [0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]), /end of data/);
  refused(() => decode(pod, [0x0a, 5, 1]), /end of data/);
  refused(() => decode(pod, [0x12, 1, 0x20, 5]), /end of data/);
  refused(() => decode(pod, [0x0b]), /proto:/);
  refused(() => decode(pod, [0x08, 1]), /wrong wireType = 0 for field 1 of core\.v1\.Pod/);
  refused(() => decode(pod, [0x00, 1]), /proto:/);
  refused(() => decode(pod, [0x0a]), /proto:/);
  refused(() => decode("apiextensions.v1.JSONSchemaProps", [0x49, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f]), /not finite/);
  refused(
    () => decodeMessage(message(pod), bytes([0x12, 6, 0x12, 0, 0x12, 0, 0x12, 0]), { maxMessages: 3 }),
    /too many values/,
  );
  let deep: number[] = [];
  for (let i = 0; i < 2000; i++) deep = [0xea, 1, ...length(entry(deep).length), ...entry(deep)];
  refused(() => decode("apiextensions.v1.JSONSchemaProps", deep), /max depth/);
});

Deno.test("what stands beside each other is no depth, however much of it there is", () => {
  const many = <T>(one: T) => Array.from({ length: 1500 }, () => one);
  for (
    const [id, tree] of [
      ["core.v1.Endpoints", { metadata: {}, subsets: many({}) }],
      ["meta.v1.ObjectMeta", { managedFields: many({ time: "2026-01-01T00:00:00Z" }) }],
    ] as const
  ) assert.deepEqual(decodeMessage(message(id), encodeMessage(message(id), tree)), tree);
});

Deno.test("what could not be written leaves nothing before what is written next", () => {
  const write = (data: JsonMap) => encodeMessage(message("core.v1.Secret"), { metadata: {}, data });
  const good = hex(write({ a: "Yg==" }));
  assert.throws(() => write({ a: "Yg==", b: "no base64!" }));
  assert.equal(hex(write({ a: "Yg==" })), good);
});

const length = (n: number): number[] => n < 128 ? [n] : [n % 128 | 128, ...length(Math.floor(n / 128))];
const entry = (value: number[]) => [0x0a, 1, 97, 0x12, ...length(value.length), ...value];

Deno.test("a list is the join of its parts", () => {
  for (
    const [apiVersion, name, item] of [
      ["v1", "ConfigMapList", "core.v1.ConfigMap"],
      ["meta.k8s.io/v1beta1", "PartialObjectMetadataList", "meta.v1.PartialObjectMetadata"],
    ] as const
  ) {
    const kind = kindOf(apiVersion, name);
    const items = ["a", "b".repeat(200), "c"].map((n) => ({ metadata: { name: n } }));
    const raws = items.map((x) => encodeMessage(message(item), x));
    const parts = listEnvelopeParts(kind, { resourceVersion: "9", continue: "t" }, raws.map((r) => r.length));
    const joined = [parts.header, ...raws.flatMap((r) => [parts.itemPrefix(r.length), r]), parts.trailer];
    const whole = bytes(...joined.map((b) => [...b]));
    assert.equal(whole.length, parts.length);
    const object = decodeObject(kind, { metadata: { resourceVersion: "9", continue: "t" }, items } as Json).object;
    assert.deepEqual(whole, encodeProtobuf(kind, object));
  }
  assert.throws(() => listEnvelopeParts(kindOf("v1", "Pod"), {}, []), /not a list/);
});

Deno.test("a watch event is the bare message around an object's bytes", () => {
  const event = watchEventMessage("ADDED", bytes("{}"));
  assert.deepEqual(decodeMessage(message("meta.v1.WatchEvent"), event), { type: "ADDED", object: {} });
  assert.equal(hex(event), hex(encodeMessage(message("meta.v1.WatchEvent"), { type: "ADDED", object: {} })));
});
