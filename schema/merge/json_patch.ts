/** JSON Patch, RFC 6902, with the liberties that the public server takes. */
import { isMap, member, setMember } from "../model/members.ts";
import type { Json, JsonMap } from "../model/types.ts";
import { jsonEqual, jsonSize } from "./equal.ts";
import { PatchError } from "./errors.ts";

/** Bounds of one JSON patch. */
export interface JsonPatchLimits {
  /** Most operations in a patch. */
  readonly operations: number;
  /** Most bytes that all `copy` operations together may add. */
  readonly copyBytes: number;
}

/** The public server's bounds: 10,000 operations; copies up to the largest request body, 3 MiB. */
const JSON_PATCH_LIMITS: JsonPatchLimits = { operations: 10_000, copyBytes: 3 * 1024 * 1024 };

/** The document under change. Containers are copied the first time they change, so the caller's are never written. */
class Document {
  readonly #own = new Set<object>();
  copied = 0;
  constructor(public root: Json, readonly limits: JsonPatchLimits) {}

  /** The container that holds the last token of the path, writable, and that token; undefined if a parent is missing. */
  place(path: string): Place | undefined {
    const tokens = path.split("/");
    // What stands before the first slash is not looked at: clients send paths without it.
    if (tokens.length < 2) return undefined;
    if (typeof this.root !== "object" || this.root === null) return undefined;
    let at: Json[] | JsonMap = this.root = this.#writable(this.root);
    for (let i = 1; i < tokens.length - 1; i++) {
      const key = unescape(tokens[i]!);
      const next: Json | undefined = read(at, key);
      if (typeof next !== "object" || next === null) return undefined;
      const copy = this.#writable(next);
      if (copy !== next) {
        if (Array.isArray(at)) at[indexIn(key, at.length)!] = copy;
        else setMember(at, key, copy);
      }
      at = copy;
    }
    return { at, key: unescape(tokens[tokens.length - 1]!) };
  }

  #writable(v: Json[] | JsonMap): Json[] | JsonMap {
    if (this.#own.has(v)) return v;
    const copy = Array.isArray(v) ? v.slice() : { ...v };
    this.#own.add(copy);
    return copy;
  }

  /** A value that now stands in two places: neither may be written in place any more. */
  share(v: Json): void {
    if (typeof v !== "object" || v === null || !this.#own.delete(v)) return;
    for (const x of Array.isArray(v) ? v : Object.values(v)) this.share(x);
  }
}

interface Place {
  readonly at: Json[] | JsonMap;
  readonly key: string;
}

interface Operation {
  readonly op: string;
  readonly path: string | undefined;
  readonly from: string | undefined;
  readonly value: Json | undefined;
}

type Run = (doc: Document, op: Operation) => void;

const OPERATIONS: ReadonlyMap<string, Run> = new Map<string, Run>([
  ["add", (doc, op) => add(need(doc, pathOf(op), "add"), op.value ?? null, "add")],
  ["remove", (doc, op) => remove(need(doc, pathOf(op), "remove"), "remove")],
  ["replace", replace],
  ["move", move],
  ["copy", copy],
  ["test", test],
]);

/**
 * Applies a JSON patch (RFC 6902) and returns the new document; the old one is not changed, and the two may share parts.
 *
 * As on the public server: `remove` and `move` need a present member, `replace` of a missing member of an object adds
 * it, `copy` from one adds null, a missing `value` is null, an index may be negative (from the end), what stands before
 * a path's first slash is ignored. Numbers are compared by value.
 *
 * @throws {PatchError} `malformed` (not a list of operations with text members), `too-large` (operations),
 * `test-failed`, `missing-path` (also an unknown operation or bad index), `copy-limit`
 */
export function applyJsonPatch(doc: Json, patch: Json, limits: JsonPatchLimits = JSON_PATCH_LIMITS): Json {
  const operations = parsePatch(patch);
  if (operations.length > limits.operations) {
    throw new PatchError(
      "too-large",
      `a JSON patch of ${operations.length} operations is refused, at most ${limits.operations} are allowed`,
    );
  }
  const state = new Document(doc, limits);
  try {
    for (const op of operations) runOne(state, op);
  } catch (e) {
    // Moves can nest a document deeper than any that is read, and the walks over values recurse.
    if (e instanceof RangeError) throw new PatchError("missing-path", "a JSON patch nests the document too deep");
    throw e;
  }
  return state.root;
}

function runOne(doc: Document, op: Operation): void {
  const run = OPERATIONS.get(op.op);
  if (!run) throw new PatchError("missing-path", `unknown operation ${JSON.stringify(op.op)} in a JSON patch`);
  run(doc, op);
}

function parsePatch(patch: Json): Operation[] {
  if (patch === null) return [];
  if (!Array.isArray(patch)) throw new PatchError("malformed", "a JSON patch must be a list of operations");
  return patch.map((entry, i) => {
    if (entry !== null && !isMap(entry)) {
      throw new PatchError("malformed", `operation ${i} of a JSON patch must be an object`);
    }
    const map = entry ?? {};
    const op: Operation = {
      op: text(map, "op", i) ?? "",
      path: text(map, "path", i),
      from: text(map, "from", i),
      value: member(map, "value"),
    };
    return op;
  });
}

function text(map: JsonMap, name: string, i: number): string | undefined {
  const v = member(map, name);
  if (v === undefined || v === null) return undefined;
  if (typeof v !== "string") {
    throw new PatchError("mistyped", `"${name}" of operation ${i} of a JSON patch must be text`);
  }
  return v;
}

const MEMBERS = new Set(["op", "path", "from", "value"]);

/** Paths of members that RFC 6902 does not know (`[1].foo`), which strict field validation names `json patch unknown field`. */
export function unknownJsonPatchFields(patch: Json): string[] {
  if (!Array.isArray(patch)) return [];
  return patch.flatMap((op, i) =>
    isMap(op) ? Object.keys(op).filter((k) => !MEMBERS.has(k)).map((k) => `[${i}].${k}`) : []
  );
}

function replace(doc: Document, op: Operation): void {
  const path = pathOf(op);
  if (path === "") {
    if (typeof op.value !== "object" || op.value === null) {
      throw new PatchError("missing-path", "replace of the whole document needs an object or a list");
    }
    doc.root = op.value;
    return;
  }
  const place = need(doc, path, "replace");
  if (Array.isArray(place.at)) place.at[existing(place.at, place.key, "replace")] = op.value ?? null;
  else setMember(place.at, place.key, op.value ?? null);
}

function move(doc: Document, op: Operation): void {
  const source = need(doc, fromOf(op), "move");
  const value = readOrFail(source, "move");
  remove(source, "move");
  add(need(doc, pathOf(op), "move"), value ?? null, "move");
}

function copy(doc: Document, op: Operation): void {
  const value = readOrFail(need(doc, fromOf(op), "copy"), "copy") ?? null;
  doc.copied += jsonSize(value);
  if (doc.limits.copyBytes > 0 && doc.copied > doc.limits.copyBytes) {
    throw new PatchError(
      "copy-limit",
      `copies of ${doc.copied} bytes in a JSON patch are refused, at most ${doc.limits.copyBytes} are allowed`,
    );
  }
  // Shared before the way to the target is made writable: the target may lie within the value.
  doc.share(value);
  add(need(doc, pathOf(op), "copy"), value, "copy");
}

function test(doc: Document, op: Operation): void {
  const path = pathOf(op);
  const found = path === "" ? doc.root : readOrFail(need(doc, path, "test"), "test") ?? null;
  if (!jsonEqual(found, op.value ?? null)) throw new PatchError("test-failed", `test of ${quote(path)} failed`);
}

function add(place: Place, value: Json, op: string): void {
  if (!Array.isArray(place.at)) return setMember(place.at, place.key, value);
  if (place.key === "-") return void place.at.push(value);
  const i = indexIn(place.key, place.at.length + 1);
  if (i === undefined) throw missingIndex(op, place.key);
  place.at.splice(i, 0, value);
}

function remove(place: Place, op: string): void {
  if (Array.isArray(place.at)) return void place.at.splice(existing(place.at, place.key, op), 1);
  if (!Object.hasOwn(place.at, place.key)) {
    throw new PatchError("missing-path", `${op} needs a present member, ${quote(place.key)} is missing`);
  }
  delete place.at[place.key];
}

/** The value at a place; undefined for a missing member of an object, an error for a missing index. */
function readOrFail({ at, key }: Place, op: string): Json | undefined {
  return Array.isArray(at) ? at[existing(at, key, op)] : member(at, key);
}

function read(at: Json[] | JsonMap, key: string): Json | undefined {
  if (!Array.isArray(at)) return member(at, key);
  const i = indexIn(key, at.length);
  return i === undefined ? undefined : at[i];
}

function existing(list: Json[], key: string, op: string): number {
  const i = indexIn(key, list.length);
  if (i === undefined) throw missingIndex(op, key);
  return i;
}

/** The index below `size` that a token means; negative ones count from the end. */
function indexIn(token: string, size: number): number | undefined {
  if (!/^[+-]?\d{1,15}$/.test(token)) return undefined;
  const i = Number(token);
  const at = i < 0 ? i + size : i;
  return at >= 0 && at < size ? at : undefined;
}

function need(doc: Document, path: string, op: string): Place {
  const place = doc.place(path);
  if (!place) throw new PatchError("missing-path", `${op} does not apply: no place ${quote(path)} in the document`);
  return place;
}

const pathOf = (op: Operation) => present(op.path, op.op, "path");
const fromOf = (op: Operation) => present(op.from, op.op, "from");

function present(v: string | undefined, op: string, name: string): string {
  if (v === undefined) throw new PatchError("missing-path", `${op} needs a "${name}"`);
  return v;
}

const missingIndex = (op: string, key: string) =>
  new PatchError("missing-path", `${op} needs an index within the list, got ${quote(key)}`);
const unescape = (token: string) => (token.includes("~") ? token.replaceAll("~1", "/").replaceAll("~0", "~") : token);
const quote = (s: string) => JSON.stringify(s);
