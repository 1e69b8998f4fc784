/** Lists in Protobuf. */
import { listEnvelopeParts } from "../../schema/codec/envelope.ts";
import type { JsonMap, Kind } from "../../schema/model/types.ts";
import { pause } from "../pause.ts";
import { type Body, pieces, piecesLater } from "./pieces.ts";
import type { ListForms, Source } from "./sources.ts";

/** How long a look goes on before others have their turn, ms: most lists are done by then, as the cache has the forms of their objects. */
const AT_ONCE_MS = 10;
/** Objects between two looks at the clock. */
const UNTIMED = 32;

/**
 * A list in Protobuf, whose head tells the length of all objects: they are looked through for it first. Of a long list the first look
 * keeps lengths alone, and takes turns with other requests.
 */
export function protobufList(kind: Kind, meta: JsonMap, sources: readonly Source[], forms: ListForms): Body {
  const list = new Looked(sources, forms);
  if (list.go()) return pieces(list.parts(kind, meta));
  return piecesLater(async (gone) => {
    while (!gone() && !list.go()) await pause(0);
    return list.parts(kind, meta);
  });
}

class Looked {
  readonly #lengths: number[] = [];
  /** Unless they are fleeting. */
  readonly #held: Uint8Array[] = [];

  constructor(readonly sources: readonly Source[], readonly forms: ListForms) {}

  /** Looks on for a while; whether it has seen all. */
  go(): boolean {
    const { sources, forms } = this, lengths = this.#lengths;
    for (const end = performance.now() + AT_ONCE_MS; lengths.length < sources.length;) {
      if (lengths.length % UNTIMED === 0 && performance.now() > end) return false;
      const item = forms.of(sources[lengths.length]!);
      lengths.push(item.length);
      if (!forms.fleeting) this.#held.push(item);
    }
    return true;
  }

  *parts(kind: Kind, meta: JsonMap): Generator<Uint8Array> {
    const lengths = this.#lengths, { header, itemPrefix, trailer } = listEnvelopeParts(kind, meta, lengths);
    yield header;
    for (let i = 0; i < lengths.length; i++) {
      yield itemPrefix(lengths[i]!);
      yield this.#held[i] ?? this.forms.of(this.sources[i]!);
    }
    yield trailer;
  }
}
