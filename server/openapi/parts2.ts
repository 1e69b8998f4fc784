/** A document of version 2 in parts: it can have many megabytes, and is written, merged and encoded slice by slice. */
import { createHash } from "node:crypto";
import type { JsonMap } from "../../schema/model/types.ts";
import { concat } from "../../schema/values/bytes.ts";
import type { Document } from "./document.ts";
import { mergedDocument, type OtherDocument } from "./merge2.ts";
import { Pace } from "./pace.ts";
import { encodeDocument2, MAPS2 } from "./protobuf.ts";
import { encoded, lengthHead } from "./protobuf_fields.ts";

/** Paths and definitions are texts in JSON by name, sorted. */
export interface Parts2 {
  /** Members before the paths. */
  readonly head: JsonMap;
  readonly paths: ReadonlyMap<string, string>;
  readonly definitions: ReadonlyMap<string, string>;
  /** Members after the definitions; `parameters` is one. */
  readonly tail: JsonMap;
}

const UTF8 = new TextEncoder();
const inner = (tree: JsonMap): string => JSON.stringify(tree).slice(1, -1);

/** Entries by name, sorted. */
export const sortedTexts = (texts: Iterable<readonly [string, string]>): Map<string, string> =>
  new Map([...texts].sort(([a], [b]) => a < b ? -1 : 1));

function* written({ head, paths, definitions, tail }: Parts2): Generator<string> {
  yield `{${inner(head)}`;
  for (const [member, texts] of [["paths", paths], ["definitions", definitions]] as const) {
    yield `,"${member}":{`;
    let comma = "";
    for (const [name, text] of texts) {
      yield `${comma}${JSON.stringify(name)}:${text}`;
      comma = ",";
    }
    yield "}";
  }
  yield `,${inner(tail)}}`;
}

/** Pieces of a document, as one. */
class Sum {
  readonly #hash = createHash("sha512");
  readonly #pieces: Uint8Array[] = [];

  add(piece: Uint8Array): void {
    this.#hash.update(piece);
    this.#pieces.push(piece);
  }

  document(): Document {
    return { bytes: concat(this.#pieces), hash: this.#hash.digest("hex").toUpperCase() };
  }
}

/** The document in JSON. */
export async function jsonOf(parts: Parts2): Promise<Document> {
  const sum = new Sum(), pace = new Pace();
  let text = "";
  for (const piece of written(parts)) {
    text += piece;
    const rest = pace.made(piece.length);
    if (!rest) continue;
    sum.add(UTF8.encode(text));
    text = "";
    await rest;
  }
  sum.add(UTF8.encode(text));
  return sum.document();
}

/** The document in Protobuf. */
export async function protobufOf(parts: Parts2): Promise<Document> {
  const sum = new Sum(), pace = new Pace();
  sum.add(encodeDocument2(parts.head));
  for (const member of ["paths", "definitions"] as const) {
    const [number, write] = MAPS2[member], entries: Uint8Array[] = [];
    let size = 0;
    for (const [name, text] of parts[member]) {
      const bytes = encoded(write, { [name]: JSON.parse(text) });
      entries.push(bytes);
      size += bytes.length;
      const rest = pace.made(text.length);
      if (rest) await rest;
    }
    sum.add(lengthHead(number, size));
    for (const bytes of entries) {
      sum.add(bytes);
      const rest = pace.made(bytes.length / HASHED_FASTER);
      if (rest) await rest;
    }
  }
  sum.add(encodeDocument2(parts.tail));
  return sum.document();
}

/** How many times less work bytes are to be hashed than to be made. */
const HASHED_FASTER = 16;

/** Stands for a definition that others have nothing of the name of. */
const ELSEWHERE: JsonMap = {};

/** The parts with what others have: see {@linkcode mergedDocument}. */
export function mergedParts(own: Parts2, others: readonly OtherDocument[]): Parts2 {
  const known = new Set(others.flatMap(({ document }) => Object.keys(document["definitions"] ?? {})));
  const tree = (texts: ReadonlyMap<string, string>, whole: (name: string) => boolean): JsonMap =>
    Object.fromEntries([...texts].map(([name, text]) => [name, whole(name) ? JSON.parse(text) : ELSEWHERE]));
  const paths = tree(own.paths, () => false), definitions = tree(own.definitions, (name) => known.has(name));
  const { paths: allPaths, definitions: allDefinitions, ...rest } = mergedDocument(
    { paths, definitions, ...own.tail },
    others,
  );
  const texts = (merged: JsonMap, was: JsonMap, kept: ReadonlyMap<string, string>) =>
    sortedTexts(
      Object.entries(merged).map(([name, value]) =>
        [name, Object.hasOwn(was, name) && was[name] === value ? kept.get(name)! : JSON.stringify(value)] as const
      ),
    );
  return {
    head: own.head,
    paths: texts(allPaths as JsonMap, paths, own.paths),
    definitions: texts(allDefinitions as JsonMap, definitions, own.definitions),
    tail: rest,
  };
}
