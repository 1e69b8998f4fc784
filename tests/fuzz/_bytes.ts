/** Inputs for decoders: good bodies cut, flipped, spliced, and pieces of the syntax put together at random. All by a seed. */
import { pick, seeded } from "../fixture/random.ts";
import { concat } from "../../schema/values/bytes.ts";

/** Makes `count` inputs from good bodies and from tokens of the syntax. */
export function* mutations(
  seed: number,
  count: number,
  good: readonly Uint8Array[],
  tokens: readonly Uint8Array[],
): Generator<Uint8Array> {
  const random = seeded(seed);
  const int = (n: number) => Math.floor(random() * n);
  const flips = (body: Uint8Array) => {
    const out = body.slice();
    for (let n = 1 + int(8); n > 0 && out.length; n--) out[int(out.length)]! ^= 1 << int(8);
    return out;
  };
  const cut = (body: Uint8Array) => body.subarray(0, int(body.length + 1));
  const insert = (body: Uint8Array) => {
    const at = int(body.length + 1);
    return concat([body.subarray(0, at), pick(random, tokens), body.subarray(at)]);
  };
  const splice = (body: Uint8Array) => {
    const other = pick(random, good), from = int(other.length);
    return concat([cut(body), other.subarray(from, from + int(64))]);
  };
  const repeat = () => concat(Array<Uint8Array>(1 + int(300)).fill(pick(random, tokens)));
  const scramble = () => concat(Array.from({ length: int(40) }, () => pick(random, tokens)));
  const kinds = [flips, cut, insert, splice, repeat, scramble, flips, (b: Uint8Array) => insert(cut(b))];
  for (let i = 0; i < count; i++) yield kinds[i % kinds.length]!(pick(random, good));
}

/** UTF-8 of each text. */
export function texts(...list: string[]): Uint8Array[] {
  const encoder = new TextEncoder();
  return list.map((t) => encoder.encode(t));
}

/** Small good bodies of every shape. */
export const TREES = [
  {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web", labels: { "a/b": "c", n: "12345678901234567" } },
    spec: { list: [1, -2.5, null, true] },
  },
  { a: [[[[{ b: [{}] }]]]], "": "", "é": "水\u{1F600}", big: 2 ** 53, small: -1e-7 },
  [1, "x", { deep: { deeper: { deepest: [false, "multi\nline\n", "yes", "0x10", " pad "] } } }],
];
