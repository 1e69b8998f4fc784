/** The public encoding of a field set, `fieldsV1`: nested objects by element; `"."` says that an element with more below it is a member too. */
import type { Json, JsonMap } from "../model/types.ts";
import { isMap, setMember } from "./_tree.ts";
import { compareElements, FieldSetError, parseElement, type PathElement } from "./fieldpath.ts";
import { type FieldNode, fieldNode, FieldSet } from "./fieldset.ts";

const SELF = ".";
/** Sets decoded before. Entries of stored objects are shared and not changed, so an object is read once. */
const DECODED = new WeakMap<JsonMap, FieldSet>();

/** The set as `fieldsV1`, members in the public order. */
export function encodeFields(set: FieldSet): JsonMap {
  const out = encode(set, false);
  DECODED.set(out, set);
  return out;
}

function encode(set: FieldSet, self: boolean): JsonMap {
  const out: JsonMap = {};
  if (self) out[SELF] = {};
  const elements = [...set.nodes.keys()];
  if (elements.length > 1) elements.sort(compareElements);
  for (const element of elements) {
    const node = set.nodes.get(element)!;
    setMember(out, element, node.children ? encode(node.children, node.member) : {});
  }
  return out;
}

/**
 * Reads `fieldsV1`. Elements of unknown types are dropped.
 *
 * @throws {FieldSetError} for anything but nested objects with elements as names
 */
export function decodeFields(fields: Json): FieldSet {
  if (!isMap(fields)) throw new FieldSetError("a field set must be an object");
  let set = DECODED.get(fields);
  if (!set) {
    set = decode(fields).children ?? FieldSet.EMPTY;
    DECODED.set(fields, set);
  }
  return set;
}

function decode(fields: Json): { member: boolean; children: FieldSet | undefined } {
  if (fields === null) return { member: true, children: undefined };
  if (!isMap(fields)) throw new FieldSetError("what is below an element of a field set must be an object");
  let member = false;
  let nodes: Map<PathElement, FieldNode> | undefined;
  for (const key of Object.keys(fields)) {
    if (key === SELF) {
      member = true;
      continue;
    }
    const element = parseElement(key);
    if (element === undefined) continue;
    const below = decode(fields[key]!);
    nodes ??= new Map();
    nodes.set(element, fieldNode(below.member, below.children)!);
  }
  return nodes ? { member, children: new FieldSet(nodes) } : { member: true, children: undefined };
}
