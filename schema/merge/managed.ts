/**
 * The field manager: who owns which fields of an object, after each write, and server-side apply (specification,
 * "Endpoints", patch types). Objects are JSON trees in the request's version; none is changed.
 */
import { isMap, member } from "../model/members.ts";
import type { Json, JsonMap, ManagedFieldsEntry, Message } from "../model/types.ts";
import { zeroOf } from "../codec/presence.ts";
import { splitApiVersion } from "../scheme.ts";
import { badRequest } from "../status.ts";
import { applyConfiguration, reconcileOwners, transfer, Versioned, type Versions } from "./_updater.ts";
import { ApplyConflict } from "./apply_conflict.ts";
import { atomOf } from "./atoms.ts";
import { allBut, type FieldFilter } from "./field_filter.ts";
import { FieldSetError } from "./fieldpath.ts";
import { FieldSet } from "./fieldset.ts";
import { CLIENT, conflictBeyondLastApplied, LAST_APPLIED, lastApplied, withLastApplied } from "./last_applied.ts";
import {
  capUpdaters,
  decodeOwners,
  encodeOwners,
  type Owner,
  ownerId,
  type Owners,
  ownersForUpdate,
} from "./owners.ts";
import { typedErrors } from "./validate_typed.ts";
import { TypedError } from "./walk.ts";

/** What is written, and how its versions relate. Made once per kind and subresource. */
export interface ManagedKind {
  /** Version and kind of the request. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly message: Message;
  /**
   * What is written, or one member of it, may be of other types than the message says: nobody else looks at its values
   * before.
   */
  readonly untyped?: boolean | "status";
  /** Name of the subresource written to; empty or absent for the object itself. */
  readonly subresource?: string;
  /** Messages of the kind's other versions. Without it there is only one version. */
  readonly messageOf?: (apiVersion: string) => Message | undefined;
  /** The object in another of its versions. It may lack fields, or hold null for what was emptied. */
  readonly convert?: (object: JsonMap, apiVersion: string) => JsonMap;
  /** Fields that this (sub)resource does not write, or a filter that takes them out: nobody comes to own them through it. */
  readonly resetFields?: FieldSet | FieldFilter;
  /** An object with nothing set. Default: what the JSON form of the message always writes. */
  readonly empty?: JsonMap;
  /** Most updaters before the oldest become one. Default 10. */
  readonly maxUpdaters?: number;
  /** Name of client-side apply's annotation in the server's dialect. */
  readonly lastAppliedAnnotation?: string;
}

/** A write that is not an apply. */
export interface UpdateRequest {
  /** The stored object; undefined for a create. */
  readonly live: JsonMap | undefined;
  /** The object as it is to be. */
  readonly object: JsonMap;
  /**
   * `metadata.managedFields` as the client sent it, before a decoder dropped an empty list. Default: that of `object`.
   */
  readonly sent?: Json | undefined;
  readonly manager: string;
  /** Now, RFC 3339 in whole seconds. */
  readonly time: string;
}

/** A server-side apply. */
export interface ApplyRequest {
  /** The stored object; undefined when it is to be created. */
  readonly live: JsonMap | undefined;
  /** The configuration as sent, not defaulted or converted. */
  readonly applied: JsonMap;
  readonly manager: string;
  readonly force: boolean;
  /** Now, RFC 3339 in whole seconds. */
  readonly time: string;
}

/** Result of an apply. */
export interface Applied {
  /** The merged object with its managed fields: to be decoded and defaulted like every other write. */
  readonly object: JsonMap;
  /** False when nothing but ownership may differ from the stored object. */
  readonly changed: boolean;
  readonly managedFields: ManagedFieldsEntry[] | undefined;
}

const BEFORE_FIRST_APPLY = "before-first-apply";
const SELF = "current operation";
/** Group and version, or a version alone: what is owned in anything else says that nobody owns anything. */
const VERSION = /^[^/]*(\/[^/]*)?$/;

/** Fields that nobody owns. */
const UNOWNED = FieldSet.ofFields(
  ["apiVersion"],
  ["kind"],
  ["metadata"],
  ...["name", "namespace", "creationTimestamp", "selfLink", "uid", "clusterName", "generation", "managedFields"]
    .map((name) => ["metadata", name]),
  ["metadata", "resourceVersion"],
);

/**
 * Sets the managed fields of an object that a create, an update or a patch other than apply writes: the manager owns what
 * it changed, the others lose that. An object that nobody owns stays so. Never fails: when an object does not fit its
 * model or cannot be converted, it is owned as the stored one is.
 */
export function updateManaged(kind: ManagedKind, request: UpdateRequest): JsonMap {
  return isMap(request.object.metadata) ? withManaged(request.object, updatedEntries(kind, request)) : request.object;
}

/** The managed fields that {@linkcode updateManaged} sets, in the public order; undefined for none. */
export function updatedEntries(kind: ManagedKind, request: UpdateRequest): ManagedFieldsEntry[] | undefined {
  const before = request.live && managedFieldsOf(request.live);
  // A subresource writes no managed fields of its own.
  const sent = kind.subresource ? undefined : "sent" in request ? request.sent : managedFieldsOf(request.object);
  const owners = ownersForUpdate(sent, before);
  if (owners.size === 0 && hasUid(request.live)) return undefined;
  if ([...owners.values()].some(({ apiVersion }) => !VERSION.test(apiVersion))) return undefined;
  try {
    trackUpdate(kind, request, owners);
  } catch (e) {
    if (!(e instanceof TypedError)) throw e;
    return ownedAsStored(request.live);
  }
  return encodeOwners(owners);
}

function ownedAsStored(live: JsonMap | undefined): ManagedFieldsEntry[] | undefined {
  const entries = live && managedFieldsOf(live);
  return Array.isArray(entries) && entries.length > 0 ? entries as ManagedFieldsEntry[] : undefined;
}

function trackUpdate(kind: ManagedKind, r: Omit<UpdateRequest, "sent">, owners: Owners): void {
  const versions = versionsOf(kind);
  const live = Versioned.of(versions, kind.apiVersion, unmanaged(r.live ?? emptyFor(kind)));
  const next = live.with(unmanaged(r.object));
  const fault = untypedFault(kind, next);
  if (fault) throw new TypedError("", fault);
  reconcileOwners(live, owners);
  const changes = transfer(live, next, owners, SELF, { force: true, filter: filterOf(kind) });
  const set = changes.modified.union(changes.added).difference(UNOWNED);
  if (!set.empty) {
    const owner = ownerOf(kind, r.manager, "Update", r.time);
    const id = ownerId(owner);
    owners.set(id, { ...owner, set: set.union(owners.get(id)?.set ?? FieldSet.EMPTY) });
  }
  capUpdaters(owners, kind.maxUpdaters ?? 10);
}

function untypedFault({ untyped }: ManagedKind, { atom, value }: Versioned): string | undefined {
  if (!untyped || (untyped === "status" && value.status === undefined)) return undefined;
  return typedErrors(atom, untyped === "status" ? { status: value.status! } : value, true)[0];
}

/**
 * Applies a configuration (server-side apply): merges it into the stored object, removes what the manager applied before
 * and gave up, and records that it owns what it mentions.
 *
 * @throws {StatusError} 400 for a configuration of another kind or version, with managed fields, or that does not fit the
 * model (an unknown field, a wrong type, an item twice)
 * @throws {ApplyConflict} 409 unless forced
 * @throws {FieldSetError} for malformed managed fields in the stored object
 * @throws {TypedError} for a stored object that does not fit its model or cannot be converted
 */
export function applyManaged(kind: ManagedKind, request: ApplyRequest): Applied {
  checkConfiguration(kind, request.applied);
  const versions = versionsOf(kind);
  const stored = request.live ?? emptyFor(kind);
  const live = Versioned.of(versions, kind.apiVersion, unmanaged(stored));
  const known = decodeOwners(managedFieldsOf(stored));
  if (known.size === 0 && request.live) {
    trackUpdate(kind, { live: undefined, object: stored, manager: BEFORE_FIRST_APPLY, time: request.time }, known);
  }
  const annotation = kind.lastAppliedAnnotation ?? LAST_APPLIED;
  const { value, owners } = applyOrTakeOver(kind, request, live, known, annotation);
  const synced = request.manager === CLIENT && lastApplied(value, annotation);
  const object = synced ? withLastApplied(value, request.applied, annotation) : value;
  const managedFields = encodeOwners(owners);
  return { object: withManaged(object, managedFields), changed: object !== live.value, managedFields };
}

function checkConfiguration(kind: ManagedKind, applied: JsonMap): void {
  if (applied.apiVersion !== kind.apiVersion || applied.kind !== kind.kind) {
    const got = `${text(applied.apiVersion)}, kind ${text(applied.kind)}`;
    throw badRequest(`an applied configuration must be of ${kind.apiVersion}, kind ${kind.kind}, got ${got}`);
  }
  const metadata = member(applied, "metadata");
  if (isMap(metadata) && Array.isArray(metadata.managedFields)) {
    throw badRequest("metadata.managedFields must not be set in an applied configuration");
  }
  const errors = typedErrors(atomOf(kind.message), applied);
  if (!errors.length) return;
  const what = errors.length === 1 ? errors[0]! : ["errors:", ...errors.map((e) => `  ${e}`)].join("\n");
  throw badRequest(`the applied configuration (${shown(applied)}) does not fit its kind: ${what}`);
}

/** An object by its place and type, as the public server shows it. */
function shown({ apiVersion, kind, metadata }: JsonMap): string {
  const { namespace, name } = isMap(metadata) ? metadata : {}, { group, version } = splitApiVersion(String(apiVersion));
  const [where, called] = [namespace, name].map((v) => typeof v === "string" ? v : "");
  return `${where}/${called}; ${group}/${version}, Kind=${kind}`;
}

const text = (v: Json | undefined) => (typeof v === "string" ? JSON.stringify(v) : "none");

/** Applies; a client that applied on its side before takes over what it set there. */
function applyOrTakeOver(
  kind: ManagedKind,
  request: ApplyRequest,
  live: Versioned,
  known: Owners,
  annotation: string,
): { value: JsonMap; owners: Owners } {
  try {
    return apply(kind, request, live, new Map(known), request.force);
  } catch (e) {
    if (!(e instanceof ApplyConflict) || request.manager !== CLIENT) throw e;
    const left = conflictBeyondLastApplied(e, live, annotation);
    if (left) throw left;
    return apply(kind, request, live, new Map(known), true);
  }
}

function apply(
  kind: ManagedKind,
  request: ApplyRequest,
  live: Versioned,
  owners: Owners,
  force: boolean,
): { value: JsonMap; owners: Owners } {
  const owner = ownerOf(kind, request.manager, "Apply", undefined);
  const id = ownerId(owner);
  const time = owners.get(id)?.time;
  const value = applyConfiguration(live, request.applied, owners, id, owner, { force, filter: filterOf(kind) });
  const own = owners.get(id);
  const set = own?.set.difference(UNOWNED);
  if (!own || !set || set.empty) owners.delete(id);
  else owners.set(id, { ...own, set, time: value === live.value ? time : request.time });
  return { value, owners };
}

function ownerOf(
  kind: ManagedKind,
  manager: string,
  operation: Owner["operation"],
  time: string | undefined,
): Omit<Owner, "set"> {
  return {
    manager: manager || "unknown",
    operation,
    apiVersion: kind.apiVersion,
    subresource: kind.subresource ?? "",
    time,
  };
}

function filterOf({ resetFields }: ManagedKind): FieldFilter | undefined {
  return resetFields instanceof FieldSet ? allBut(resetFields) : resetFields;
}

const emptyFor = (kind: ManagedKind): JsonMap =>
  kind.empty ?? { apiVersion: kind.apiVersion, kind: kind.kind, ...zeroOf(kind.message) };

function versionsOf(kind: ManagedKind): Versions {
  return {
    message: (apiVersion) => (apiVersion === kind.apiVersion ? kind.message : kind.messageOf?.(apiVersion)),
    convert(object, apiVersion) {
      if (!kind.convert) throw new TypedError("", `no conversion to ${apiVersion}`);
      try {
        return kind.convert(object, apiVersion);
      } catch (cause) {
        throw new TypedError("", `the object cannot be converted to ${apiVersion}`, { cause });
      }
    },
  };
}

function managedFieldsOf(object: JsonMap): Json | undefined {
  const metadata = member(object, "metadata");
  return isMap(metadata) ? member(metadata, "managedFields") : undefined;
}

function hasUid(object: JsonMap | undefined): boolean {
  const metadata = object && member(object, "metadata");
  return isMap(metadata) && !!metadata.uid;
}

/** The object without managed fields: the same object if it has none. */
function unmanaged(object: JsonMap): JsonMap {
  return managedFieldsOf(object) === undefined ? object : withManaged(object, undefined);
}

function withManaged(object: JsonMap, entries: ManagedFieldsEntry[] | undefined): JsonMap {
  const metadata: JsonMap = isMap(object.metadata) ? { ...object.metadata } : {};
  if (entries?.length) metadata.managedFields = entries;
  else delete metadata.managedFields;
  return { ...object, metadata };
}

export { ApplyConflict, FieldSetError };
