/** Who owns which fields of an object: the entries of `metadata.managedFields`, decoded, and their rules. */
import { isMap } from "../model/members.ts";
import type { Json, JsonMap, ManagedFieldsEntry } from "../model/types.ts";
import { jsonEqual } from "./equal.ts";
import { FieldSetError } from "./fieldpath.ts";
import { decodeFields, encodeFields } from "./fields_v1.ts";
import { FieldSet } from "./fieldset.ts";
import { compareUtf8 } from "../values/utf8.ts";

/** What one manager owns, by one way of writing. */
export interface Owner {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** RFC 3339, whole seconds. Absent for one that has not changed anything since it came. */
  readonly time: string | undefined;
  readonly set: FieldSet;
}

/** Owners by {@linkcode ownerId}. */
export type Owners = Map<string, Owner>;

/** What makes two entries the same owner: an applier stays one through versions, an updater is one per version. */
export function ownerId(o: Pick<Owner, "manager" | "operation" | "apiVersion" | "subresource">): string {
  return JSON.stringify([o.manager, o.operation, o.operation === "Apply" ? "" : o.apiVersion, o.subresource]);
}

const OPERATIONS: ReadonlySet<unknown> = new Set(["Apply", "Update"]);

/**
 * Reads `metadata.managedFields`; of entries of one owner the last holds.
 *
 * @throws {FieldSetError} for entries that no server would have written
 */
export function decodeOwners(entries: Json | undefined): Owners {
  const owners: Owners = new Map();
  if (entries === undefined || entries === null) return owners;
  if (!Array.isArray(entries)) throw new FieldSetError("managedFields must be a list");
  for (const entry of entries) {
    const owner = decodeOwner(entry);
    owners.set(ownerId(owner), owner);
  }
  return owners;
}

function decodeOwner(entry: Json): Owner {
  if (!isMap(entry)) throw new FieldSetError("an entry of managedFields must be an object");
  if (!OPERATIONS.has(entry.operation)) {
    throw new FieldSetError('operation of managedFields must be "Apply" or "Update"');
  }
  const apiVersion = text(entry.apiVersion);
  if (!apiVersion) throw new FieldSetError("an entry of managedFields needs an apiVersion");
  if (entry.fieldsType !== "FieldsV1") throw new FieldSetError('fieldsType of managedFields must be "FieldsV1"');
  return {
    manager: text(entry.manager),
    operation: entry.operation as Owner["operation"],
    apiVersion,
    subresource: text(entry.subresource),
    time: typeof entry.time === "string" ? entry.time : undefined,
    set: decodeFields(entry.fieldsV1 ?? {}),
  };
}

const text = (v: Json | undefined) => (typeof v === "string" ? v : "");

/** The entries of `metadata.managedFields` in the public order; undefined when there are none. */
export function encodeOwners(owners: Owners): ManagedFieldsEntry[] | undefined {
  if (owners.size === 0) return undefined;
  return [...owners.values()].sort(compareOwners).map(encodeOwner);
}

function encodeOwner(o: Owner): ManagedFieldsEntry {
  return {
    ...(o.manager ? { manager: o.manager } : {}),
    operation: o.operation,
    apiVersion: o.apiVersion,
    ...(o.time ? { time: o.time } : {}),
    fieldsType: "FieldsV1",
    fieldsV1: encodeFields(o.set),
    ...(o.subresource ? { subresource: o.subresource } : {}),
  };
}

/** Appliers first, then by second of the time, manager, version, subresource. */
function compareOwners(a: Owner, b: Owner): number {
  return compareUtf8(a.operation, b.operation) || seconds(a) - seconds(b) || compareUtf8(a.manager, b.manager) ||
    compareUtf8(a.apiVersion, b.apiVersion) || compareUtf8(a.subresource, b.subresource);
}

const seconds = (o: Owner) => (o.time ? Math.floor(Date.parse(o.time) / 1000) || 0 : 0);

/** True for an empty list, or a list of one empty entry: by it a client asks that nobody own anything. */
function isReset(entries: Json | undefined): boolean {
  if (!Array.isArray(entries)) return false;
  if (entries.length === 0) return true;
  return entries.length === 1 && isMap(entries[0]) && Object.values(entries[0]).every((v) => v === null || v === "");
}

/** What an update is reckoned by: the owners that the client sent if they are any and in order, else those of the live object. */
export function ownersForUpdate(sent: Json | undefined, live: Json | undefined): Owners {
  if (isReset(sent)) return new Map();
  const given = orNone(sent);
  return given.size ? given : orNone(live);
}

/** The owners; none when the entries are malformed. */
function orNone(entries: Json | undefined): Owners {
  try {
    return decodeOwners(entries);
  } catch (e) {
    if (e instanceof FieldSetError) return new Map();
    throw e;
  }
}

const ANCIENT = "ancient-changes";

/**
 * Keeps the number of updaters within a bound: the oldest ones of a version become one, `ancient-changes`. One updater of
 * each version stays, however many versions there are.
 */
export function capUpdaters(owners: Owners, most: number): void {
  if (owners.size <= most) return;
  const updaters = [...owners].filter(([, o]) => o.operation === "Update");
  if (updaters.length <= most) return;
  updaters.sort(([a, x], [b, y]) => seconds(x) - seconds(y) || compareUtf8(a, b));
  const first = new Map<string, string>(), gathered = new Map<string, FieldSet[]>();
  let count = updaters.length;
  for (const [id, owner] of updaters) {
    if (count <= most) break;
    const oldest = first.get(owner.apiVersion);
    if (oldest === undefined) {
      first.set(owner.apiVersion, id);
      continue;
    }
    const bucket = {
      manager: ANCIENT,
      operation: "Update" as const,
      apiVersion: owner.apiVersion,
      subresource: "",
      time: owner.time,
    };
    const bucketId = ownerId(bucket);
    const sets = gathered.get(bucketId) ?? [(owners.get(bucketId) ?? owners.get(oldest)!).set];
    gathered.set(bucketId, sets);
    sets.push(owner.set);
    if (!owners.has(bucketId)) owners.delete(oldest);
    if (bucketId !== id) owners.delete(id);
    owners.set(bucketId, { ...bucket, set: owner.set });
    count--;
  }
  for (const [id, sets] of gathered) owners.set(id, { ...owners.get(id)!, set: FieldSet.unionOf(sets) });
}

/**
 * The new object, with the managed fields of the old one if nothing but their timestamps differs: a write that changes
 * nothing is none. The versions (`metadata.resourceVersion`) are not compared.
 */
export function keepTimestamps<T extends { metadata: { managedFields?: ManagedFieldsEntry[] } }>(next: T, old: T): T {
  const a = next.metadata.managedFields;
  const b = old.metadata.managedFields;
  if (!a?.length || a.length !== b?.length || a.every((e, i) => e.time === b[i]!.time)) return next;
  if (!a.every((e, i) => sameButTime(e, b[i]!))) return next;
  if (!jsonEqual(withoutBookkeeping(next), withoutBookkeeping(old))) return next;
  return { ...next, metadata: { ...next.metadata, managedFields: b } };
}

const sameButTime = (a: ManagedFieldsEntry, b: ManagedFieldsEntry) =>
  jsonEqual({ ...a, time: "" }, { ...b, time: "" } as JsonMap);

function withoutBookkeeping(object: { metadata: object }): JsonMap {
  const metadata: JsonMap = { ...object.metadata };
  delete metadata.managedFields;
  delete metadata.resourceVersion;
  return { ...object, metadata };
}
