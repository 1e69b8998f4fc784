/** How owners change with an object, over the versions in which they own it. */
import type { Json, JsonMap, Message } from "../model/types.ts";
import { holdersOfUnshown } from "../codec/emptied.ts";
import { jsonEqual } from "./equal.ts";
import { ApplyConflict, type Conflict } from "./apply_conflict.ts";
import { type Atom, atomOf } from "./atoms.ts";
import { compareTyped, type Comparison, filtered } from "./compare.ts";
import { fieldSetOf } from "./field_set_of.ts";
import type { FieldFilter } from "./field_filter.ts";
import { FieldSet } from "./fieldset.ts";
import { reconcile, withNamedFields } from "./fieldset_schema.ts";
import { mergeTyped } from "./merge_typed.ts";
import type { Owner, Owners } from "./owners.ts";
import { removeFields } from "./remove.ts";
import { typedErrors } from "./validate_typed.ts";
import { TypedError } from "./walk.ts";

/** The versions of a kind. */
export interface Versions {
  /** The message of a version; undefined when there is no such version (any more). */
  message(apiVersion: string): Message | undefined;
  /** The object in another version. Objects may lack fields, or hold null for what was emptied. */
  convert(object: JsonMap, apiVersion: string): JsonMap;
}

/** An object that can be had in each version of its kind; conversions are kept. */
export class Versioned {
  #others: Map<string, Versioned | undefined> | undefined;
  #mentions: FieldSet | undefined;
  constructor(
    readonly versions: Versions,
    readonly apiVersion: string,
    readonly value: JsonMap,
    readonly atom: Atom,
  ) {}

  static of(versions: Versions, apiVersion: string, value: JsonMap): Versioned {
    const message = versions.message(apiVersion);
    if (!message) throw new Error(`no version ${apiVersion} of the object's own kind`);
    return new Versioned(versions, apiVersion, value, atomOf(message));
  }
  /** The object in a version; undefined when there is no such version. */
  at(apiVersion: string): Versioned | undefined {
    if (apiVersion === this.apiVersion) return this;
    const others = this.#others ??= new Map();
    if (others.has(apiVersion)) return others.get(apiVersion);
    const message = this.versions.message(apiVersion);
    const other = message && this.#converted(apiVersion, atomOf(message));
    others.set(apiVersion, other);
    return other;
  }
  /** Items that stand twice in a list are borne with in the version of a request alone. */
  #converted(apiVersion: string, atom: Atom): Versioned {
    const value = this.versions.convert(this.value, apiVersion), fault = typedErrors(atom, value)[0];
    if (fault) throw new TypedError("", fault);
    return new Versioned(this.versions, apiVersion, value, atom);
  }
  /** The same version with another value. */
  with(value: Json): Versioned {
    return value === this.value ? this : new Versioned(this.versions, this.apiVersion, value as JsonMap, this.atom);
  }
  without(fields: FieldSet): Versioned {
    return this.with(removeFields(this.atom, this.value, fields));
  }
  named(set: FieldSet): FieldSet {
    return withNamedFields(set, this.atom);
  }
  /** What the object mentions, with the declared members on the way. */
  mentions(): FieldSet {
    return this.#mentions ??= this.named(fieldSetOf(this.atom, this.value));
  }
}

/** Brings all owners' sets in order with the descriptors; those of versions that are gone lose all. */
export function reconcileOwners(live: Versioned, owners: Owners): void {
  for (const [id, owner] of owners) {
    const message = live.versions.message(owner.apiVersion);
    if (!message) {
      owners.delete(id);
      continue;
    }
    const set = reconcile(owner.set, atomOf(message));
    if (set !== owner.set) owners.set(id, { ...owner, set });
  }
}

/**
 * Takes from all owners but `self` what changed, and returns what did, in the version of the request.
 *
 * @throws {ApplyConflict} unless forced, if another owner holds what changed
 */
export function transfer(
  before: Versioned,
  after: Versioned,
  owners: Owners,
  self: string,
  options: { force: boolean; filter: FieldFilter | undefined },
): Comparison {
  const { apiVersion } = before;
  const own = changes(before, after, apiVersion, options.filter)!;
  if (owners.size === 0) return own;
  const seen = new Map<string, Touched>([[apiVersion, touched(own)]]);
  const changesAt = (apiVersion: string): Touched | undefined => {
    const known = seen.get(apiVersion), found = known ? undefined : changes(before, after, apiVersion, options.filter);
    if (!found) return known;
    const made = touched(found);
    seen.set(apiVersion, made);
    return made;
  };
  const conflicts: Conflict[] = [];
  const rest = new Map<string, Owner>();
  for (const [id, owner] of owners) {
    if (id === self) continue;
    const changed = changesAt(owner.apiVersion);
    if (!changed) {
      owners.delete(id);
      continue;
    }
    const fields = owner.set.intersection(changed.written);
    if (!fields.empty) conflicts.push({ owner, fields });
    rest.set(id, { ...owner, set: owner.set.difference(fields).difference(changed.removed) });
  }
  if (conflicts.length && !options.force) throw new ApplyConflict(conflicts);
  for (const [id, owner] of rest) owners.set(id, owner);
  for (const [id, owner] of owners) if (owner.set.empty) owners.delete(id);
  return own;
}

/** What owners lose by a change: fields that are written, and such as are not there any more. */
interface Touched {
  readonly written: FieldSet;
  readonly removed: FieldSet;
}

const touched = ({ modified, added, removed }: Comparison): Touched => ({ written: modified.union(added), removed });

/** What differs in a version; undefined when there is no such version. */
function changes(
  before: Versioned,
  after: Versioned,
  apiVersion: string,
  filter: FieldFilter | undefined,
): Comparison | undefined {
  const a = before.at(apiVersion), b = after.at(apiVersion);
  if (!a || !b) return undefined;
  return filtered(compareTyped(a.atom, a.value, b.value, holdersOfUnshown(b.value)), filter);
}

/**
 * Merges a configuration into the live object, removes what `owner` applied last time and does not mention now (unless
 * another owns it), and moves ownership. Returns the new object; the same value when nothing changed.
 *
 * @throws {ApplyConflict}
 */
export function applyConfiguration(
  live: Versioned,
  config: JsonMap,
  owners: Owners,
  self: string,
  owner: Omit<Owner, "set">,
  options: { force: boolean; filter: FieldFilter | undefined },
): JsonMap {
  reconcileOwners(live, owners);
  const last = owners.get(self);
  const mentioned = fieldSetOf(live.atom, config);
  owners.set(self, { ...owner, set: options.filter?.apply(mentioned) ?? mentioned });
  const merged = live.with(mergeTyped(live.atom, live.value, config));
  const next = prune(merged, owners, self, last);
  transfer(live, next, owners, self, options);
  return jsonEqual(live.value, next.value) ? live.value : next.value;
}

function prune(merged: Versioned, owners: Owners, self: string, last: Owner | undefined): Versioned {
  if (!last || last.set.empty) return merged;
  const atLast = merged.at(last.apiVersion);
  if (!atLast) return merged;
  const gone = atLast.named(last.set);
  const now = owners.get(self)!;
  // Nothing that was applied last time is missing this time: the usual case.
  if (now.apiVersion === last.apiVersion && gone.difference(atLast.named(now.set)).empty) return merged;
  const kept = addBackOwned(atLast, atLast.without(gone), owners);
  const pruned = addBackDangling(atLast, kept, gone);
  return pruned.at(merged.apiVersion)!;
}

/** Puts back what any owner claims, this one in its new configuration included. */
function addBackOwned(merged: Versioned, pruned: Versioned, owners: Owners): Versioned {
  const claims = new Map<string, FieldSet[]>([[pruned.apiVersion, []]]);
  for (const { apiVersion, set } of owners.values()) {
    const sets = claims.get(apiVersion);
    if (sets) sets.push(set);
    else claims.set(apiVersion, [set]);
  }
  // The version of the pruned object comes first: conversion may need the fields that come back.
  for (const [apiVersion, sets] of claims) {
    const claimed = FieldSet.unionOf(sets), all = merged.at(apiVersion);
    const left = pruned.at(apiVersion);
    if (!all || !left) continue;
    pruned = all.without(all.mentions().difference(left.mentions().union(all.named(claimed))));
  }
  return pruned.at(merged.apiVersion)!;
}

/** Puts back what this owner did not own last time: fields without an owner, defaults. */
function addBackDangling(merged: Versioned, pruned: Versioned, last: FieldSet): Versioned {
  return merged.without(merged.mentions().difference(pruned.mentions()).intersection(last));
}
