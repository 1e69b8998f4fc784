/**
 * Order of a merged list: items of the patch keep the order that the patch wants, the others keep the live order, and the
 * two rows are interleaved by the live order where it knows both.
 */
import { isMap, member } from "../model/members.ts";
import type { Json } from "../model/types.ts";

/** What an item is known by: its merge key's value, or the item itself in a list of scalars. */
export type Identity = (item: Json) => Json | undefined;

/** Identity of the items of a list with this merge key; without one, of scalars. */
export function identityBy(mergeKey: string | undefined): Identity {
  if (!mergeKey) return (item) => item;
  return (item) => (isMap(item) ? member(item, mergeKey) : undefined);
}

type Ranks = ReadonlyMap<Json | undefined, number>;

function ranks(list: readonly Json[], of: Identity): Ranks {
  const out = new Map<Json | undefined, number>();
  for (let i = 0; i < list.length; i++) {
    const id = of(list[i]!);
    if (!out.has(id)) out.set(id, i);
  }
  return out;
}

/** Puts `merged` in order. `wanted`: the patch's order; `live`: the order before the patch. */
export function inOrder(merged: Json[], wanted: readonly Json[], live: readonly Json[], of: Identity): Json[] {
  const byPatch = ranks(wanted, of);
  const byLive = ranks(live, of);
  const patched: Json[] = [];
  const others: Json[] = [];
  for (const item of merged) (byPatch.has(of(item)) ? patched : others).push(item);
  sortBy(patched, byPatch, of);
  sortBy(others, byLive, of);
  return interleave(others, patched, byLive, of);
}

function sortBy(list: Json[], order: Ranks, of: Identity): void {
  const last = order.size + list.length;
  list.sort((a, b) => (order.get(of(a)) ?? last) - (order.get(of(b)) ?? last));
}

function interleave(others: Json[], patched: Json[], live: Ranks, of: Identity): Json[] {
  const out: Json[] = [];
  let i = 0;
  for (const item of patched) {
    const limit = live.get(of(item));
    if (limit !== undefined) {
      while (i < others.length && (live.get(of(others[i]!)) ?? Infinity) < limit) out.push(others[i++]!);
    }
    out.push(item);
  }
  while (i < others.length) out.push(others[i++]!);
  return out;
}
