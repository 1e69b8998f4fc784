/** How rules look at objects: members by name, and an absent, null or empty list or map read the same. */
import { member } from "../model/members.ts";
import type { Untyped } from "../model/types.ts";

/**
 * A part of a decoded object. Rules know its members from the kind they belong to; the decoder has already checked every
 * member's type.
 */
export type Tree = { [field: string]: Untyped };

const NONE: readonly never[] = Object.freeze([]);

/** The items of a list; none when it is absent or null. */
export function items<T = Tree>(list: readonly T[] | null | undefined): readonly T[] {
  return list ?? NONE;
}

/** Number of items, 0 when absent. */
export function count(list: readonly unknown[] | null | undefined): number {
  return list ? list.length : 0;
}

/** Whether a map has no entry or is absent. Allocates nothing. */
export function emptyMap(map: object | null | undefined): boolean {
  if (map) { for (const _ in map) return false; }
  return true;
}

/** Whether a member has a value: null and undefined are no value. */
export function isSet<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null;
}

/** An entry of a map by a key that a client chose: what every object inherits (`constructor`, `toString`) is no entry. */
export function entryOf(map: Tree | null | undefined, key: string): Untyped {
  return map ? member(map, key) : undefined;
}

/**
 * Deep equality of two parts of decoded objects: member order does not matter; absent, null, and empty lists are equal.
 * Decoded objects are canonical, so quantities and times compare as text.
 */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isBlank(a)) return isBlank(b);
  if (isBlank(b) || typeof a !== "object" || typeof b !== "object") return false;
  if (Array.isArray(a)) return Array.isArray(b) && sameList(a, b);
  return !Array.isArray(b) && sameMap(a as Tree, b as Tree);
}

/** A text that two values have in common when they are the {@linkcode same}. */
export function identityOf(v: unknown): string {
  if (isBlank(v)) return "null";
  if (typeof v !== "object") return typeof v === "bigint" ? String(v) : JSON.stringify(v);
  if (Array.isArray(v)) return `[${v.map(identityOf).join()}]`;
  const map = v as Tree;
  const names = Object.keys(map).filter((k) => !isBlank(map[k])).sort();
  return `{${names.map((k) => `${JSON.stringify(k)}:${identityOf(map[k])}`).join()}}`;
}

const NOWHERE: ReadonlySet<number> = new Set();

/**
 * Positions of the items that stand earlier in the list too, by what `of` makes of them. In one pass: a list may be as long
 * as a body can hold.
 */
export function repeats<T>(list: readonly T[], of: (item: T) => unknown = (item) => item): ReadonlySet<number> {
  if (list.length < 2) return NOWHERE;
  const seen = new Set<unknown>(), out = new Set<number>();
  for (let i = 0; i < list.length; i++) if (seen.size === seen.add(of(list[i]!)).size) out.add(i);
  return out.size ? out : NOWHERE;
}

function isBlank(v: unknown): boolean {
  return v === undefined || v === null || (Array.isArray(v) && v.length === 0);
}

function sameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!same(a[i], b[i])) return false;
  return true;
}

function sameMap(a: Tree, b: Tree): boolean {
  for (const k in a) if (!same(a[k], Object.hasOwn(b, k) ? b[k] : undefined)) return false;
  for (const k in b) if (!Object.hasOwn(a, k) && !isBlank(b[k])) return false;
  return true;
}
