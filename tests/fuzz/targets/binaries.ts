/** Decoders of binary forms: CBOR, Protobuf as every message and in its envelope. */
import assert from "node:assert/strict";
import { MODULES } from "../../../schema/api/index.ts";
import { parseCbor } from "../../../schema/codec/cbor.ts";
import { encodeCbor } from "../../../schema/codec/cbor_write.ts";
import { encodeProtobuf, unwrap } from "../../../schema/codec/envelope.ts";
import { decodeBody, encodeObject, type MediaKind } from "../../../schema/codec/mod.ts";
import { decodeMessage } from "../../../schema/codec/protobuf.ts";
import { builtInMessage, messageIds } from "../../../schema/messages.ts";
import type { Kind } from "../../../schema/model/types.ts";
import { scheme } from "../../schema/_kinds.ts";
import { mutations, TREES } from "../_bytes.ts";
import { target } from "./target.ts";
import { ours } from "./texts.ts";
import { Random } from "../../fixture/random.ts";

/** Each head byte, widest arguments, breaks and tags. */
const CBOR_TOKENS = Array.from({ length: 256 }, (_, i) => Uint8Array.of(i));
for (const head of [0x1b, 0x3b, 0x5b, 0x7b, 0x9b, 0xbb, 0xdb]) {
  CBOR_TOKENS.push(
    Uint8Array.of(head, 255, 255, 255, 255, 255, 255, 255, 255),
    Uint8Array.of(head - 1, 127, 255, 255, 255),
  );
}
CBOR_TOKENS.push(
  Uint8Array.of(0xd9, 0xd9, 0xf7),
  Uint8Array.of(0xc0),
  Uint8Array.of(0xc1, 0xfb),
  Uint8Array.of(0x61, 0x61),
  Uint8Array.of(0xf9, 0x7e, 0),
);

/** CBOR of any bytes: what is read writes and reads again. */
export const cbor = target(40_000, (seed) => {
  const inputs = mutations(seed, Infinity, TREES.map((t) => encodeCbor(t)), CBOR_TOKENS);
  return {
    next: () => inputs.next().value as Uint8Array,
    try(body: Uint8Array) {
      const read = ours(() => parseCbor(body));
      if (!read) return false;
      const again = encodeCbor(read.tree);
      assert.deepEqual(encodeCbor(parseCbor(again).tree), again);
      return true;
    },
  };
});

/** Field heads of all wire types, lengths that lie, numbers of ten bytes. */
const WIRE_TOKENS = Array.from({ length: 128 }, (_, i) => Uint8Array.of(i));
WIRE_TOKENS.push(
  Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f),
  Uint8Array.of(0xff, 0xff, 0xff, 0x7f),
  Uint8Array.of(0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01),
  Uint8Array.of(0x0a, 0xff, 0xff, 0x03),
  Uint8Array.of(0x6b, 0x38, 0x73, 0),
);

interface Body {
  readonly kind: Kind;
  readonly bytes: Uint8Array;
}

/** The small objects that the codecs' tests have, in one form. */
function bodies(media: MediaKind): Body[] {
  const directory = new URL("../../schema/testdata/", import.meta.url);
  const names = [...Deno.readDirSync(directory)].map((e) => e.name).filter((n) => n.endsWith(".json")).sort();
  return names.map((name) => {
    const json = Deno.readFileSync(new URL(name, directory));
    const { object, kind } = decodeBody(scheme, json, "json", { strict: false });
    return { kind, bytes: encodeObject(object, kind, media) };
  });
}

/** Damaged objects of built-in kinds in one form, decoded as that kind. */
function objects(media: MediaKind, count: number) {
  return target(count, (seed) => {
    const random = new Random(seed), good = bodies(media);
    const inputs = mutations(seed, Infinity, good.map((b) => b.bytes), WIRE_TOKENS);
    return {
      next: () => ({ kind: random.pick(good).kind, strict: random.once(2), bytes: inputs.next().value as Uint8Array }),
      try({ kind, strict, bytes }) {
        const read = ours(() => decodeBody(scheme, bytes, media, { defaultKind: kind, strict }));
        if (media === "protobuf") ours(() => unwrap(bytes));
        if (!read) return false;
        if (read.kind.protobuf) again(read.kind, read.object);
        return true;
      },
    };
  });
}

/** What was decoded can be encoded and decoded again. */
function again(kind: Kind, object: Parameters<typeof encodeProtobuf>[1]): void {
  const bytes = ours(() => encodeProtobuf(kind, object));
  if (!bytes) return;
  const read = decodeBody(scheme, bytes, "protobuf", { defaultKind: kind, strict: false });
  assert.deepEqual(encodeProtobuf(read.kind, read.object), bytes);
}

export const protobufObjects = objects("protobuf", 5_000);
export const jsonObjects = objects("json", 3_000);
export const cborObjects = objects("cbor", 3_000);

/** Random bytes as every message. */
export const protobufMessages = target(15_000, (seed) => {
  const random = new Random(seed), ids = MODULES.flatMap((m) => [...messageIds(m.short)]);
  return {
    next: () => ({
      id: random.pick(ids),
      bytes: Uint8Array.from({ length: random.below(64) }, () => random.below(random.once(3) ? 256 : 64)),
    }),
    try: ({ id, bytes }) => ours(() => decodeMessage(builtInMessage(id)!, bytes)) !== undefined,
  };
});
