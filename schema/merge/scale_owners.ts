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
 * who owns them there owns them here, in the version of the request. An updater is known by its version too, and that of a
 * Scale is another: its replicas stand in an entry of their own after a write, as the public server has it.
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
  const holders = decodeOwners(scale);
  for (const [id, owner] of before) {
    if (!paths.has(owner.apiVersion)) continue;
    const path = paths.get(owner.apiVersion);
    let kept = owner;
    if (path && owner.set.has(path) && !holders.delete(id)) {
      kept = { ...owner, set: owner.set.difference(FieldSet.of(path)) };
    }
    if (!kept.set.empty) out.set(id, kept);
  }
  const own = paths.get(apiVersion);
  for (const [id, holder] of holders) {
    if (!own || !holder.set.has(REPLICAS)) continue;
    // As on the public server, an owner that comes by its Scale brings no time.
    out.set(id, { ...holder, apiVersion, time: before.get(id)?.time, set: FieldSet.of(own) });
  }
  return encodeOwners(out);
}
