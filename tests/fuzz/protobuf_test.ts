/**
 * Random damage to encoded bodies. Each input ends in a value or in an error of our own, in bounded time: the test would
 * hang, run out of memory or fail otherwise. The same inputs in every run.
 */
import assert from "node:assert/strict";
import { decodeBody, encodeObject, type MediaKind } from "../../schema/codec/mod.ts";
import { encodeProtobuf } from "../../schema/codec/envelope.ts";
import { decodeMessage } from "../../schema/codec/protobuf.ts";
import { parseJson } from "../../schema/codec/json.ts";
import type { Json, Kind, Obj } from "../../schema/model/types.ts";
import { ValueError } from "../../schema/values/error.ts";
import { builtInMessage, messageIds } from "../../schema/messages.ts";
import { MODULES } from "../../schema/api/index.ts";
import { scheme } from "../schema/_kinds.ts";
import { Random } from "../fixture/random.ts";

interface Sample {
  readonly kind: Kind;
  readonly object: Obj;
}

function samples(): Sample[] {
  const directory = new URL("../schema/testdata/", import.meta.url);
  const files = [...Deno.readDirSync(directory)].map((e) => e.name).filter((n) => n.endsWith(".json")).sort();
  return files.map((name) => {
    const { object, kind } = decodeBody(scheme, Deno.readFileSync(new URL(name, directory)), "json", { strict: false });
    return { object, kind };
  });
}

/** The work either succeeds or fails with an error that a client may be told. */
function survives(work: () => unknown): void {
  try {
    work();
  } catch (err) {
    if (!(err instanceof ValueError)) throw err;
  }
}

const HUGE = [[0xff, 0xff, 0xff, 0xff, 0x0f], [0xff, 0xff, 0xff, 0x7f], [
  0x80,
  0x80,
  0x80,
  0x80,
  0x80,
  0x80,
  0x80,
  0x80,
  0x80,
  0x01,
]];

/** One kind of damage, chosen by chance. */
function damage(bytes: Uint8Array, random: Random): Uint8Array {
  const at = random.below(bytes.length), copy = bytes.slice();
  switch (random.below(5)) {
    case 0:
      return copy.subarray(0, at);
    case 1:
      copy[at]! ^= 1 << random.below(8);
      return copy;
    case 2:
      copy[at] = random.below(256);
      copy[random.below(bytes.length)] = random.below(256);
      return copy;
    case 3:
      copy.set(HUGE[random.below(HUGE.length)]!.slice(0, bytes.length - at), at);
      return copy;
    default: {
      const from = random.below(bytes.length), length = random.below(32);
      return new Uint8Array([...copy.subarray(0, at), ...copy.subarray(from, from + length), ...copy.subarray(at)]);
    }
  }
}

const ROUNDS: Readonly<Record<MediaKind, number>> = { protobuf: 3000, json: 1500, yaml: 300, cbor: 1500 };

for (const media of Object.keys(ROUNDS) as MediaKind[]) {
  Deno.test(`damaged ${media} bodies`, () => {
    const random = new Random(20260304);
    for (const { kind, object } of samples()) {
      const bytes = encodeObject(object, kind, media);
      for (let i = 0; i < ROUNDS[media]; i++) {
        const bad = damage(bytes, random);
        survives(() => decodeBody(scheme, bad, media, { defaultKind: kind, strict: i % 2 === 0 }));
      }
    }
  });
}

Deno.test("what a damaged Protobuf body decodes to can be encoded and decoded again", () => {
  const random = new Random(7);
  for (const { kind, object } of samples()) {
    const bytes = encodeProtobuf(kind, object);
    for (let i = 0; i < 300; i++) {
      survives(() => {
        const first = decodeBody(scheme, damage(bytes, random), "protobuf", { defaultKind: kind, strict: false });
        if (!first.kind.protobuf) return;
        const again = encodeProtobuf(first.kind, first.object);
        const second = decodeBody(scheme, again, "protobuf", { defaultKind: first.kind, strict: false });
        assert.deepEqual(encodeProtobuf(second.kind, second.object), again);
      });
    }
  }
});

Deno.test("random bytes as every message", () => {
  const random = new Random(99);
  const ids = MODULES.flatMap((m) => [...messageIds(m.short)]);
  for (let i = 0; i < 15_000; i++) {
    const bytes = Uint8Array.from(
      { length: random.below(64) },
      () => random.below(3) ? random.below(64) : random.below(256),
    );
    survives(() => decodeMessage(builtInMessage(ids[random.below(ids.length)]!)!, bytes));
  }
});

Deno.test("trees of every shape as every kind", () => {
  const random = new Random(31);
  const names = [
    "metadata",
    "spec",
    "status",
    "items",
    "name",
    "labels",
    "template",
    "containers",
    "data",
    "__proto__",
    "kind",
  ];
  const values: Json[] = [null, true, 0, -1, 1.5, 2n ** 63n, "", "x", "1Gi", "2026-01-01T00:00:00Z", "AA==", [], {}];
  const tree = (depth: number): Json => {
    if (depth === 0 || random.below(3) === 0) return values[random.below(values.length)]!;
    if (random.below(3) === 0) return Array.from({ length: random.below(3) }, () => tree(depth - 1));
    const entries = Array.from(
      { length: random.below(4) },
      () => [names[random.below(names.length)]!, tree(depth - 1)],
    );
    return Object.fromEntries(entries);
  };
  const kinds = [...scheme.kinds()];
  const encoder = new TextEncoder();
  for (let i = 0; i < 15_000; i++) {
    const kind = kinds[random.below(kinds.length)]!;
    const text = JSON.stringify(tree(6), (_k, v) => typeof v === "bigint" ? String(v) : v);
    survives(() => decodeBody(scheme, encoder.encode(text), "json", { defaultKind: kind, strict: true }));
  }
  assert.equal(({} as Record<string, unknown>).name, undefined);
});

Deno.test("nesting and repetition without end", () => {
  const kind = scheme.kind("apiextensions.k8s.io/v1", "CustomResourceDefinition")!;
  const encoder = new TextEncoder();
  const read = (text: string, media: MediaKind) =>
    survives(() => decodeBody(scheme, encoder.encode(text), media, { defaultKind: kind, strict: true }));
  for (const n of [100, 900, 5_000, 200_000]) {
    read("[".repeat(n), "json");
    read('{"a":'.repeat(n) + "1" + "}".repeat(n), "json");
    read(
      '{"spec":{"versions":[{"schema":{"openAPIV3Schema":' + '{"not":'.repeat(n) + "{}" + "}".repeat(n) + "}}]}}",
      "json",
    );
    read("[".repeat(n) + "]".repeat(n), "yaml");
  }
  survives(() => parseJson("[" + "1,".repeat(100_000)));
});
