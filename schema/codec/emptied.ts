/**
 * What a request says that its decoded object does not show: empty lists and maps where the form leaves them out, and
 * quantities in another notation. The public server's objects hold these until they are stored, and some of its comparisons
 * see them: within lists that are owned whole, in what is immutable, in generations.
 *
 * Nearly all objects have none of it; those pay nothing.
 */
import type { Json, JsonMap, Obj } from "../model/types.ts";
import { copyTree } from "../values/copy.ts";
import { carryClaimed } from "./claimed.ts";

/** Members and indices from an object down. */
export type Steps = readonly (string | number)[];

/** What decoding found; paths are those of the request's version. */
export interface Unshown {
  readonly emptied: readonly Steps[];
  /** Quantities in lists that were not in canonical notation. */
  readonly recast: readonly Steps[];
}

/** Enumerable, so that copies of an object keep it; no JSON shows it. */
const UNSHOWN = Symbol("unshown");
type Marked = { [UNSHOWN]?: Unshown };

/** Names of members that were left out as empty, by what would hold them. */
const NAMES = new WeakMap<object, string[]>();

/** Remembers with an object what it does not show. */
export function noteUnshown(object: Obj, unshown: Unshown): void {
  (object as Marked)[UNSHOWN] = unshown;
  for (const path of unshown.emptied) {
    const holder = holderOf(object, path), name = path.at(-1);
    if (!holder || typeof name !== "string") continue;
    const names = NAMES.get(holder);
    if (!names) NAMES.set(holder, [name]);
    else if (!names.includes(name)) names.push(name);
  }
}

/** Remembers with a converted object what the one that it comes from does not show. `place`: where a place stands now. */
export function carryUnshown(from: Obj, to: Obj, place: (path: Steps) => Steps = (path) => path): void {
  const unshown = (from as Marked)[UNSHOWN];
  if (!unshown) return;
  noteUnshown(to, { emptied: unshown.emptied.map(place), recast: unshown.recast.map(place) });
}

/** An independent copy of an object, with what it does not show. */
export function copyObject(object: Obj): Obj {
  const copy = copyTree(object);
  carryUnshown(object, copy);
  carryClaimed(object, copy);
  return copy;
}

/** Whether a decoded part was sent with that list or map, and it was empty. False for copies of the part. */
export const wasSentEmpty = (part: object, name: string): boolean => !!NAMES.get(part)?.includes(name);

/** Takes such a list or map for one that was not sent. */
export function forgetSentEmpty(part: object, name: string): void {
  const names = NAMES.get(part);
  if (names) NAMES.set(part, names.filter((n) => n !== name));
}

/** Members of a part of an object that were sent empty and left out, and that nothing has come in the place of. */
export function emptiedIn(holder: unknown): readonly string[] {
  if (typeof holder !== "object" || holder === null) return [];
  return NAMES.get(holder)?.filter((name) => (holder as JsonMap)[name] === undefined) ?? [];
}

/** Whether a member of an object, or something below it, was sent empty and left out. */
export function wasEmptied(object: Obj, member: string): boolean {
  const all = (object as Marked)[UNSHOWN]?.emptied;
  return !!all?.some((path) => path[0] === member && stillAbsent(object, path));
}

/** Whether just this member of a part of an object was sent empty and left out. True of copies of the object, too. */
export function wasEmptiedAt(object: Obj, path: Steps): boolean {
  const all = (object as Marked)[UNSHOWN]?.emptied;
  return !!all?.some((p) => p.length === path.length && p.every((step, i) => step === path[i])) &&
    stillAbsent(object, path);
}

/** The parts of an object right below which something is not shown; undefined: none. */
export function holdersOfUnshown(object: JsonMap): ReadonlySet<object> | undefined {
  const unshown = (object as Marked)[UNSHOWN];
  if (!unshown) return undefined;
  const holders = new Set<object>();
  for (const path of [...unshown.emptied.filter((p) => stillAbsent(object, p)), ...unshown.recast]) {
    const holder = holderOf(object, path);
    if (holder) holders.add(holder);
  }
  return holders;
}

function stillAbsent(object: object, path: Steps): boolean {
  const holder = holderOf(object, path) as JsonMap | undefined;
  return !!holder && holder[path.at(-1)!] === undefined;
}

/** What a path's last step is a member of. */
function holderOf(object: object, path: Steps): object | undefined {
  let at: Json | undefined = object as JsonMap;
  for (const step of path.slice(0, -1)) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as JsonMap)[step];
  }
  return typeof at === "object" && at !== null ? at : undefined;
}
