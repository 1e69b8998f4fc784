/** The public encoding of a field set, `fieldsV1`: nested objects by element; `"."` says that an element with more below it is a member too. */
import { isMap } from "../model/members.ts";
import type { Json, JsonMap } from "../model/types.ts";
import { compareElements, FieldSetError, parseElement, type PathElement } from "./fieldpath.ts";
import { type FieldNode, fieldNode, FieldSet, LEAF } from "./fieldset.ts";

const SELF = ".";
/** Sets decoded before. Entries of stored objects are shared and not changed, so an object is read once. */
const DECODED = new WeakMap<JsonMap, FieldSet>();
const NOTHING: JsonMap = LEAF.encoded!;

/** The set as `fieldsV1`, members in the public order. The object is shared and must not be changed. */
export function encodeFields(set: FieldSet): JsonMap {
  let out = set.encoded;
  if (!out) {
    set.encoded = out = {};
    encodeInto(out, set);
    DECODED.set(out, set);
  }
  return out;
}

function encodeNode(node: FieldNode): JsonMap {
  let out = node.encoded;
  if (!out) {
    node.encoded = out = {};
    if (node.member) out[SELF] = NOTHING;
    encodeInto(out, node.children!);
  }
  return out;
}

function encodeInto(out: JsonMap, set: FieldSet): void {
  const elements = [...set.nodes.keys()];
  if (elements.length > 1) elements.sort(compareElements);
  for (const element of elements) out[element] = encodeNode(set.nodes.get(element)!);
}

/**
 * Reads `fieldsV1`. Elements of unknown types are dropped. The object must not be changed after.
 *
 * @throws {FieldSetError} for anything but nested objects with elements as names
 */
export function decodeFields(fields: Json): FieldSet {
  if (!isMap(fields)) throw new FieldSetError("a field set must be an object");
  let set = DECODED.get(fields);
  if (!set) {
    const read = below(fields);
    set = read.children ?? FieldSet.EMPTY;
    DECODED.set(fields, set);
    if (read.canonical && read.children) set.encoded = fields;
  }
  return set;
}

interface Below {
  readonly member: boolean;
  readonly children: FieldSet | undefined;
  /** Whether encoding what was read would give the same text. */
  readonly canonical: boolean;
}

function below(fields: Json): Below {
  if (fields === null) return { member: true, children: undefined, canonical: false };
  if (!isMap(fields)) throw new FieldSetError("what is below an element of a field set must be an object");
  let member = false;
  let canonical = true;
  let last: PathElement | undefined;
  let nodes: Map<PathElement, FieldNode> | undefined;
  for (const key of Object.keys(fields)) {
    if (key === SELF) {
      member = true;
      canonical &&= !nodes && isMap(fields[key]) && Object.keys(fields[key]).length === 0;
      continue;
    }
    const element = parseElement(key);
    canonical &&= element === key && (last === undefined || compareElements(last, element) < 0);
    if (element === undefined) continue;
    last = element;
    nodes ??= new Map();
    if (isNothing(fields[key]!)) {
      nodes.set(element, LEAF);
      continue;
    }
    const read = below(fields[key]!);
    const node = fieldNode(read.member, read.children)!;
    if (read.canonical && read.children) node.encoded = fields[key] as JsonMap;
    canonical &&= read.canonical;
    nodes.set(element, node);
  }
  if (nodes) return { member, children: new FieldSet(nodes), canonical };
  return { member: true, children: undefined, canonical: canonical && !member };
}

/** True for `{}`, as most nodes are. */
function isNothing(v: Json): boolean {
  if (!isMap(v)) return false;
  for (const _ in v) return false;
  return true;
}
