/** The strategic merge patch between two objects, as `kubectl` would make it. */
import { isMap, member, setMember } from "../../schema/model/members.ts";
import type { Field, Json, JsonMap, Message } from "../../schema/model/types.ts";
import { identityBy } from "../../schema/merge/_order.ts";
import { jsonEqual } from "../../schema/merge/equal.ts";

/**
 * The patch that makes `b` of `a`, both objects of the message without null members, with unique merge keys and unique
 * items in merged lists.
 */
export function createStrategicMerge(message: Message, a: JsonMap, b: JsonMap): JsonMap {
  return diffMap(message, a, b);
}

function diffMap(message: Message | undefined, a: JsonMap, b: JsonMap): JsonMap {
  const out: JsonMap = {};
  for (const key of Object.keys(b)) {
    if (!jsonEqual(member(a, key), b[key])) diffMember(message?.byName.get(key), out, key, member(a, key), b[key]!);
  }
  for (const key of Object.keys(a)) if (!Object.hasOwn(b, key)) setMember(out, key, null);
  return out;
}

function diffMember(field: Field | undefined, out: JsonMap, key: string, was: Json | undefined, is: Json): void {
  const strategies = field?.patchStrategy?.split(",") ?? [];
  if (isMap(was) && isMap(is)) {
    const inner = strategies.includes("replace") ? is : diffMap(field?.map ? undefined : itemOf(field), was, is);
    setMember(out, key, strategies.includes("retainKeys") ? { ...inner, $retainKeys: Object.keys(is) } : inner);
  } else if (Array.isArray(was) && Array.isArray(is) && strategies.includes("merge")) {
    if (field!.patchMergeKey) diffItems(field!, strategies.includes("retainKeys"), out, key, was, is);
    else diffScalars(out, key, was, is);
  } else setMember(out, key, is);
}

const itemOf = (field: Field | undefined) =>
  field && typeof field.type !== "string" && !field.type.wrapper ? field.type : undefined;

function diffItems(field: Field, retain: boolean, out: JsonMap, key: string, was: Json[], is: Json[]): void {
  const mergeKey = field.patchMergeKey!;
  const of = identityBy(mergeKey);
  const old = new Map(was.map((item) => [of(item), item as JsonMap]));
  const patch: Json[] = [];
  for (const item of is as JsonMap[]) {
    const before = old.get(of(item));
    old.delete(of(item));
    if (jsonEqual(before, item)) continue;
    if (!before) {
      patch.push(item);
      continue;
    }
    const change: JsonMap = { ...diffMap(itemOf(field), before, item), [mergeKey]: of(item)! };
    if (retain) change.$retainKeys = Object.keys(item);
    patch.push(change);
  }
  for (const id of old.keys()) patch.push({ [mergeKey]: id!, $patch: "delete" });
  if (patch.length) out[key] = patch;
  out[`$setElementOrder/${key}`] = is.map((item) => ({ [mergeKey]: of(item)! }));
}

function diffScalars(out: JsonMap, key: string, was: Json[], is: Json[]): void {
  const gone = was.filter((v) => !is.includes(v));
  const added = is.filter((v) => !was.includes(v));
  if (gone.length) out[`$deleteFromPrimitiveList/${key}`] = gone;
  if (added.length) out[key] = added;
  out[`$setElementOrder/${key}`] = is;
}
