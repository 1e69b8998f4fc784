/** Embedded objects (`x-kubernetes-embedded-resource`): their type and metadata (specification, "Object metadata"). */
import { DecodeError, decodeTyped } from "../codec/mod.ts";
import { builtInMessage } from "../messages.ts";
import { isMap } from "../model/members.ts";
import type { Json, JsonMap, ObjectMeta } from "../model/types.ts";
import { ErrorList } from "../rules/errors.ts";
import { validateObjectMeta } from "../rules/object_meta.ts";
import { Path } from "../rules/path.ts";
import { dns1035Label } from "../values/names.ts";
import { type Reading, type ReadMetadata, readMetadata } from "./metadata.ts";
import { isEmbedded, propertyOf, type Schema, valuesOf } from "./schema.ts";

type See = (v: JsonMap, at: Path) => unknown;

/** Visits every embedded object below the root. */
function visit(v: Json, s: Schema | undefined, path: Path | undefined, see: See): void {
  if (!s) return;
  if (Array.isArray(v)) v.forEach((item, i) => visit(item, s.items, path!.index(i), see));
  else if (isMap(v)) {
    if (path && isEmbedded(s)) see(v, path);
    for (const name of Object.keys(v)) {
      const own = propertyOf(s, name);
      const at = !path ? Path.of(name) : own ? path.child(name) : path.key(name);
      visit(v[name]!, own ?? valuesOf(s), at, see);
    }
  }
}

const META = () => builtInMessage("meta.v1.ObjectMeta")!;

/**
 * Reads the metadata of embedded objects as metadata, in place: what it does not know or leaves empty goes. Gives the
 * paths of what was not known.
 * @throws DecodeError for a type or metadata of a wrong JSON type; of what was stored, those are left out
 */
export function coerceEmbedded(object: JsonMap, schema: Schema, how: Reading): string[] {
  const unknown: string[] = [];
  visit(object, schema, undefined, (v, at) => {
    for (const name of ["apiVersion", "kind"]) {
      if (v[name] === undefined || typeof v[name] === "string") continue;
      if (!how.stored) throw unfit(at.child(name), v[name]!, "must be a string");
      delete v[name];
    }
    const found = v["metadata"];
    if (found === undefined || (how.stored && found !== null && !isMap(found))) return;
    const read = readAt(at.child("metadata"), found ?? {}, how);
    unknown.push(...read.unknown);
    v["metadata"] = read.metadata;
  });
  return unknown;
}

function readAt(at: Path, metadata: Json, how: Reading): ReadMetadata {
  try {
    return readMetadata(metadata, String(at), how);
  } catch (e) {
    throw e instanceof DecodeError ? unfit(at, metadata, e.message) : e;
  }
}

/** What cannot be read, told as validation tells it. */
function unfit(at: Path, value: Json, why: string): DecodeError {
  const errors = new ErrorList();
  errors.invalid(at, value, why);
  return new DecodeError(`${at}: ${errors.causes[0]!.message}`);
}

/** Checks the type and the metadata of embedded objects. */
export function validateEmbedded(object: JsonMap, schema: Schema, errors: ErrorList): void {
  visit(object, schema, undefined, (v, at) => whole(v, at, errors));
}

/**
 * Checks the embedded objects of a value by itself, the value too when its schema says that it is one. What is no text or
 * no metadata at all is told alone.
 */
export function validateEmbeddedPart(value: Json, schema: Schema, at: Path, errors: ErrorList): void {
  const before = errors.causes.length;
  visit(value, schema, at, (v, p) => errors.causes.length === before && unreadable(v, p, errors));
  if (errors.causes.length > before) return;
  visit(value, schema, at, (v, p) => whole(v, p, errors));
}

function unreadable(v: JsonMap, at: Path, errors: ErrorList): void {
  for (const name of ["apiVersion", "kind"]) {
    if (v[name] !== undefined && typeof v[name] !== "string") {
      return errors.invalid(at.child(name), v[name], "must be a string");
    }
  }
  try {
    decodeTyped(META(), v["metadata"] ?? {}, {}, { unknown: [] });
  } catch (e) {
    if (!(e instanceof DecodeError)) throw e;
    errors.invalid(at.child("metadata"), v["metadata"], e.message);
  }
}

/** Faults of a kind, as one. */
function kindFaults(kind: string): readonly string[] {
  const faults = dns1035Label(kind.toLowerCase());
  return faults.length ? [faults.join(",")] : faults;
}

function whole(v: JsonMap, at: Path, errors: ErrorList): void {
  text(v, "apiVersion", at, errors, (s) => s.split("/").length > 2 ? ["must be a group and a version"] : []);
  text(v, "kind", at, errors, kindFaults);
  if (v["metadata"] !== undefined) metadata(v["metadata"], at.child("metadata"), errors);
}

function text(v: JsonMap, name: string, at: Path, errors: ErrorList, faults: (s: string) => readonly string[]): void {
  const value = v[name];
  if (value === undefined) errors.required(at.child(name));
  else if (typeof value !== "string") errors.invalid(at.child(name), value, "must be a string");
  else if (value === "") errors.invalid(at.child(name), value, "must not be empty");
  else for (const f of faults(value)) errors.invalid(at.child(name), value, f);
}

function metadata(v: Json, at: Path, errors: ErrorList): void {
  try {
    const meta = decodeTyped(META(), v, {}, { unknown: [] }) as ObjectMeta;
    const named = { ...meta, name: meta.name || "unnamed" };
    validateObjectMeta(named, { namespaced: !!meta.namespace, name: "path" }, at, errors);
  } catch (e) {
    if (!(e instanceof DecodeError)) throw e;
    errors.invalid(at, v, e.message);
  }
}
