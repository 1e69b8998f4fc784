/**
 * Strategic merge patch: a merge patch that merges lists by the kind's merge keys, and takes directives (public API
 * conventions: `$patch`, `$retainKeys`, `$deleteFromPrimitiveList/x`, `$setElementOrder/x`).
 */
import { isMap, member, setMember } from "../model/members.ts";
import type { Field, Json, JsonMap, Message } from "../model/types.ts";
import { type Identity, identityBy, inOrder } from "./_order.ts";
import { PatchError } from "./errors.ts";

const PATCH = "$patch";
const RETAIN = "$retainKeys";
const DELETE = "$deleteFromPrimitiveList";
const ORDER = "$setElementOrder";

/**
 * Applies a strategic merge patch to an object of the message. Inputs are not changed; the result may share parts with
 * both, and its members stand in no set order.
 *
 * As on the public server: null removes; a list merges by its merge key or, of scalars, as a set, if its field's strategy
 * says so, else it is replaced; `$patch: replace` and `$patch: delete` work on maps and, as an entry, on merged lists;
 * where the object has nothing yet, a part of the patch that holds `$patch` is dropped. Parts that the model does not
 * describe merge like a merge patch. The result is not checked against the message: the decoder does that, and its
 * failure is `patchResultInvalid`.
 *
 * @throws {PatchError} `malformed` for a bad directive, `not-mergeable` for a missing merge key or for lists that hold
 * lists or mixed types
 */
export function applyStrategicMerge(message: Message, original: JsonMap, patch: JsonMap): JsonMap {
  return mergeMap(message, original, patch);
}

function mergeMap(message: Message | undefined, original: JsonMap, patch: JsonMap): JsonMap {
  if (Object.hasOwn(patch, PATCH)) return directed(patch);
  const out = Object.hasOwn(patch, RETAIN) ? retained(original, patch) : { ...original };
  const keys = Object.keys(patch);
  const ordered = keys.some(isDirective) ? mergeDirectives(message, out, patch, keys) : undefined;
  for (const key of keys) {
    if (isDirective(key) || ordered?.has(key)) continue;
    mergeMember(message?.byName.get(key), out, key, patch[key]!);
  }
  return out;
}

const isDirective = (key: string) =>
  key.charCodeAt(0) === 36 && (key === RETAIN || key.startsWith(DELETE) || key.startsWith(ORDER));

function directed(patch: JsonMap): JsonMap {
  const directive = patch[PATCH];
  if (directive === "delete") return {};
  if (directive !== "replace") throw badDirective(directive);
  const out = { ...patch };
  delete out[PATCH];
  return out;
}

/** The members of the original that `$retainKeys` names. Every member that the patch sets must be among them. */
function retained(original: JsonMap, patch: JsonMap): JsonMap {
  const list = patch[RETAIN];
  if (!Array.isArray(list)) throw new PatchError("malformed", `${RETAIN} must be a list of names`);
  const keep = new Set(list);
  for (const key of Object.keys(patch)) {
    if (patch[key] === null || isDirective(key) || keep.has(key)) continue;
    throw new PatchError("malformed", `${RETAIN} must name every member that the patch sets, ${quote(key)} is missing`);
  }
  const out: JsonMap = {};
  for (const key of Object.keys(original)) if (keep.has(key)) setMember(out, key, original[key]!);
  return out;
}

/** Runs the parallel lists of a map; returns the members that are thereby merged already. */
function mergeDirectives(message: Message | undefined, out: JsonMap, patch: JsonMap, keys: string[]): Set<string> {
  const done = new Set<string>();
  for (const key of keys) {
    if (!key.startsWith(ORDER)) continue;
    const name = nameIn(key, ORDER);
    mergeOrdered(message?.byName.get(name), out, patch, name, listOf(patch[key]!, key));
    if (Object.hasOwn(patch, name) && patch[name] !== null) done.add(name);
  }
  for (const key of keys) if (key.startsWith(DELETE)) deletePrimitives(out, nameIn(key, DELETE), patch[key]!);
  return done;
}

function nameIn(key: string, directive: string): string {
  const name = key.slice(directive.length + 1);
  if (key[directive.length] !== "/" || name === "") {
    throw new PatchError("malformed", `${directive} must name its list as ${directive}/<name>, got ${quote(key)}`);
  }
  return name;
}

function listOf(v: Json, what: string): Json[] {
  if (!Array.isArray(v)) throw notAList(what);
  return v;
}

const notAList = (what: string) => new PatchError("malformed", `${quote(what)} must be a list`);

function deletePrimitives(out: JsonMap, name: string, list: Json): void {
  if (list === null) return void delete out[name];
  const live = member(out, name), gone = list;
  if (!Array.isArray(live) || !Array.isArray(gone)) return;
  if (gone.some((v) => typeof v === "object")) {
    throw new PatchError("malformed", `${DELETE}/${name} must hold scalars`);
  }
  const set = new Set(gone);
  out[name] = live.filter((v) => !set.has(v));
}

/** A list with `$setElementOrder`: merged, then put in that order. */
function mergeOrdered(field: Field | undefined, out: JsonMap, patch: JsonMap, name: string, order: Json[]): void {
  const was = member(out, name);
  const given = member(patch, name) ?? undefined;
  const live = was === undefined || was === null ? [] : listOf(was, name);
  if (field && !field.repeated) throw notAList(name);
  if (was === undefined && given === undefined) return;
  const mergeKey = field?.patchMergeKey;
  const items = given === undefined ? [] : listOf(given, name);
  checkOrder(items, order, mergeKey, name);
  let merged = live;
  if (given !== undefined) {
    merged = was === undefined ? withoutDirectives(items) as Json[] : mergeList(field, live, items, name);
  }
  if (mergeKey) { for (const item of [...merged, ...order]) mergeValue(item, mergeKey, name); }
  const before = mergeKey ? liveOrder(live, items, identityBy(mergeKey)) : live;
  setMember(out, name, inOrder(merged, order, before, identityBy(mergeKey)));
}

/**
 * The live order that counts where the patch also deletes: as on the public server, new items take the places of deleted
 * ones at the end of the row.
 */
function liveOrder(live: Json[], items: Json[], of: Identity): Json[] {
  const isDeletion = (item: Json) => isMap(item) && member(item, PATCH) === "delete";
  const gone = new Set(items.filter(isDeletion).map(of));
  if (gone.size === 0) return live;
  const kept = live.filter((item) => !gone.has(of(item)));
  const known = new Set(kept.map(of));
  const added = items.filter((item) => isMap(item) && !Object.hasOwn(item, PATCH) && !known.has(of(item)));
  return [...kept, ...added.slice(0, live.length - kept.length)];
}

/** Items of the patch must stand in the order's list, in the same relative order. */
function checkOrder(items: Json[], order: Json[], mergeKey: string | undefined, name: string): void {
  if (items.length === 0 || order.length === 0) return;
  const of = identityBy(mergeKey);
  let at = 0;
  for (const item of items) {
    if (isMap(item) && Object.hasOwn(item, PATCH)) continue;
    const id = mergeKey ? mergeValue(item, mergeKey, name) : item;
    while (at < order.length && of(order[at]!) !== id) at++;
    if (at++ === order.length) {
      throw new PatchError("malformed", `the order of ${quote(name)} does not match its ${ORDER}`);
    }
  }
}

function mergeMember(field: Field | undefined, out: JsonMap, key: string, value: Json): void {
  if (value === null) return void delete out[key];
  const was = member(out, key);
  if (isMap(value) && isMap(was)) {
    if (field?.patchStrategy === "replace") return setMember(out, key, value);
    return setMember(out, key, mergeMap(mapMessage(field), was, value));
  }
  if (Array.isArray(value) && Array.isArray(was)) return setMember(out, key, mergeList(field, was, value, key));
  const fresh = withoutDirectives(withoutNulls(value));
  if (fresh === undefined) delete out[key];
  else setMember(out, key, fresh);
}

/** The message that describes a map's members; none for a string-keyed map and for what the model does not describe. */
function mapMessage(field: Field | undefined): Message | undefined {
  return field && !field.map ? itemMessage(field) : undefined;
}
const itemMessage = (field: Field | undefined) =>
  field && typeof field.type !== "string" && !field.type.wrapper ? field.type : undefined;

function mergeList(field: Field | undefined, live: Json[], patch: Json[], name: string): Json[] {
  if (!field?.patchStrategy || !field.patchStrategy.split(",").includes("merge")) return patch;
  if (live.length === 0 && patch.length === 0) return live;
  if (itemShape(live, patch, name) !== "map") {
    if (field.patchMergeKey) throw new PatchError("not-mergeable", `items of ${quote(name)} must be objects`);
    return inOrder([...new Set([...live, ...patch])], patch, live, identityBy(undefined));
  }
  const key = field.patchMergeKey;
  if (!key) throw new PatchError("not-mergeable", `${quote(name)} has no merge key, its items must be scalars`);
  return mergeItems(itemMessage(field), live, patch, key, name);
}

function mergeItems(message: Message | undefined, live: Json[], patch: Json[], key: string, name: string): Json[] {
  const { kept, plain } = specialItems(live, patch as JsonMap[], key, name);
  const merged = kept.slice();
  const at = new Map<Json, number>();
  for (let i = merged.length - 1; i >= 0; i--) at.set(mergeValue(merged[i]!, key, name), i);
  for (const item of plain) {
    const id = mergeValue(item, key, name);
    const i = at.get(id);
    if (i === undefined) {
      at.set(id, merged.length);
      merged.push(item);
    } else merged[i] = mergeMap(message, merged[i] as JsonMap, item);
  }
  return inOrder(merged, plain, kept, identityBy(key));
}

/** Takes the items that hold `$patch` out of the patch, and does what they say. */
function specialItems(live: Json[], patch: JsonMap[], key: string, name: string): { kept: Json[]; plain: JsonMap[] } {
  const plain: JsonMap[] = [];
  const gone = new Set<Json>();
  let replace = false;
  for (const item of patch) {
    const directive = member(item, PATCH);
    if (directive === undefined) plain.push(item);
    else if (directive === "delete") gone.add(mergeValue(item, key, name));
    else if (directive === "replace") replace = true;
    else throw badDirective(directive);
  }
  if (replace) return { kept: plain, plain: [] };
  if (gone.size === 0) return { kept: live, plain };
  return { kept: live.filter((item) => !gone.has(mergeValue(item, key, name))), plain };
}

function mergeValue(item: Json, key: string, name: string): Json {
  const v = isMap(item) ? member(item, key) : undefined;
  if (v === undefined) {
    throw new PatchError(
      "not-mergeable",
      `an item of ${quote(name)} has no ${quote(key)}, by which its items are merged`,
    );
  }
  return v;
}

type Shape = "map" | "string" | "number" | "boolean";

/** The one shape of all items of both lists. */
function itemShape(live: Json[], patch: Json[], name: string): Shape {
  let found: Shape | undefined;
  for (const list of [live, patch]) {
    for (const item of list) {
      const shape = shapeOf(item);
      if (!shape) throw new PatchError("not-mergeable", `${quote(name)} cannot be merged, it holds lists or nulls`);
      if (found && found !== shape) {
        throw new PatchError("not-mergeable", `${quote(name)} cannot be merged, its items differ in type`);
      }
      found = shape;
    }
  }
  return found!;
}

function shapeOf(item: Json): Shape | undefined {
  if (isMap(item)) return "map";
  if (typeof item === "object") return undefined;
  return typeof item === "bigint" ? "number" : typeof item as Shape;
}

/** The value without null members, at any depth. */
function withoutNulls(v: Json): Json {
  if (Array.isArray(v)) return v.map(withoutNulls);
  if (!isMap(v)) return v;
  const out: JsonMap = {};
  for (const key of Object.keys(v)) if (v[key] !== null) setMember(out, key, withoutNulls(v[key]!));
  return out;
}

/** The value without the maps that hold `$patch`; undefined if it is one. */
function withoutDirectives(v: Json): Json | undefined {
  if (Array.isArray(v)) return v.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isMap(v)) return v;
  if (Object.hasOwn(v, PATCH)) return undefined;
  const out: JsonMap = {};
  for (const key of Object.keys(v)) {
    const kept = withoutDirectives(v[key]!);
    if (kept !== undefined) setMember(out, key, kept);
  }
  return out;
}

const badDirective = (v: Json | undefined) =>
  new PatchError(
    "malformed",
    `${PATCH} must be "replace" or "delete", got ${typeof v === "string" ? quote(v) : typeof v}`,
  );
const quote = (s: string) => JSON.stringify(s);
