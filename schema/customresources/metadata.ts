/** Metadata of custom resources and of the objects within them, read from what somebody wrote. */
import { DecodeError, decodeTyped } from "../codec/mod.ts";
import { builtInMessage } from "../messages.ts";
import { isMap } from "../model/members.ts";
import type { Json, JsonMap } from "../model/types.ts";

/** How an object is read. */
export interface Reading {
  /** Tells of what is not known. */
  readonly strict?: boolean;
  /** It was stored, under whatever rules held then: what is of a wrong JSON type in its metadata is left out. */
  readonly stored?: boolean;
}

/** Metadata, and the paths of what was not known in it. */
export interface ReadMetadata {
  readonly metadata: JsonMap;
  readonly unknown: string[];
}

/** Reads metadata. @throws DecodeError for what is no map, and for members of a wrong JSON type unless it was stored */
export function readMetadata(tree: Json, path: string, how: Reading): ReadMetadata {
  try {
    return whole(tree, path, how);
  } catch (e) {
    if (!how.stored || !isMap(tree) || !(e instanceof DecodeError)) throw e;
    return { metadata: members(tree, path), unknown: [] };
  }
}

function whole(tree: Json, path: string, { strict = false }: Reading): ReadMetadata {
  const unknown: string[] = [];
  const metadata = decodeTyped(builtInMessage("meta.v1.ObjectMeta")!, tree, { strict, path }, { unknown });
  return { metadata, unknown };
}

/** The members that can be read, each by itself. */
function members(tree: JsonMap, path: string): JsonMap {
  const out: JsonMap = {};
  for (const name of Object.keys(tree)) {
    try {
      Object.assign(out, whole({ [name]: tree[name]! }, path, {}).metadata);
    } catch (e) {
      if (!(e instanceof DecodeError)) throw e;
    }
  }
  return out;
}
