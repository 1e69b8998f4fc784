/** Ownership through the `scale` subresource: who owns `spec.replicas` of a Scale owns the replicas of the object behind it. */
import type { Json, ManagedFieldsEntry } from "../model/types.ts";
import type { Path } from "./fieldpath.ts";
import { FieldSet } from "./fieldset.ts";
import { decodeOwners, encodeOwners, ownerId, type Owners } from "./owners.ts";

const SCALE_VERSION = "autoscaling/v1";
const REPLICAS: Path = ["f:spec", "f:replicas"];

/** The path of the replicas in each version of the object's kind; undefined for a version that has none. */
export type ReplicasPaths = ReadonlyMap<string, Path | undefined>;

/**
 * The managed fields of the Scale that is made of an object: those owners of the object that hold its replicas.
 *
 * @throws {FieldSetError}
 */
export function scaleOwners(parent: Json | undefined, paths: ReplicasPaths): ManagedFieldsEntry[] | undefined {
  const out: Owners = new Map();
  for (const owner of decodeOwners(parent).values()) {
    const path = paths.get(owner.apiVersion);
    if (!path || !owner.set.has(path)) continue;
    const scale = { ...owner, apiVersion: SCALE_VERSION, set: FieldSet.of(REPLICAS) };
    out.set(ownerId(scale), scale);
  }
  return encodeOwners(out);
}

/**
 * The managed fields of an object after its Scale was written as `scale`: who lost the replicas there loses them here, and
 * who came to own them there owns them here, in the version of the request.
 *
 * @throws {FieldSetError}
 */
export function parentOwners(
  parent: Json | undefined,
  scale: Json | undefined,
  paths: ReplicasPaths,
  apiVersion: string,
): ManagedFieldsEntry[] | undefined {
  const out: Owners = new Map();
  const before = decodeOwners(parent);
  const holders = new Map([...decodeOwners(scale).values()].map((o) => [nameOf(o), o]));
  for (const owner of before.values()) {
    if (!paths.has(owner.apiVersion)) continue;
    const path = paths.get(owner.apiVersion);
    let kept = owner;
    if (path && owner.set.has(path)) {
      if (holders.delete(nameOf(owner))) kept = owner;
      else kept = { ...owner, set: owner.set.difference(FieldSet.of(path)) };
    }
    if (!kept.set.empty) out.set(ownerId(kept), kept);
  }
  const own = paths.get(apiVersion);
  for (const holder of holders.values()) {
    if (!own || !holder.set.has(REPLICAS)) continue;
    // As on the public server, an owner that comes by its Scale brings no time.
    const owner = { ...holder, apiVersion, time: before.get(ownerId(holder))?.time, set: FieldSet.of(own) };
    out.set(ownerId(owner), owner);
  }
  return encodeOwners(out);
}

/** An owner of a Scale and of its object are one when manager, operation and subresource are. */
const nameOf = (o: { manager: string; operation: string; subresource: string }) =>
  JSON.stringify([o.manager, o.operation, o.subresource]);
