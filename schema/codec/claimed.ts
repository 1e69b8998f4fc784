/**
 * What a client said that a custom object is, where it is something else than its endpoint takes. The public server looks
 * at it when the object is validated: after names, existence and versions, and never where only the status is taken.
 */
import type { Json, Kind, Obj } from "../model/types.ts";

/** The type members of a body, as they came. */
export interface ClaimedType {
  readonly apiVersion: Json | undefined;
  readonly kind: Json | undefined;
}

/** Enumerable, so that copies of an object keep it; no JSON shows it. */
const CLAIMED = Symbol("claimed");
type Marked = { [CLAIMED]?: ClaimedType };

/** Gives an object its endpoint's type, and remembers what it was said to be where that is another. */
export function settleType(object: Obj, kind: Kind, { apiVersion, kind: name }: ClaimedType): void {
  object.apiVersion = kind.apiVersion;
  object.kind = kind.kind;
  if (apiVersion !== kind.apiVersion || name !== kind.kind) (object as Marked)[CLAIMED] = { apiVersion, kind: name };
}

/** What an object was said to be; undefined: what it is. */
export const claimedType = (object: object): ClaimedType | undefined => (object as Marked)[CLAIMED];

/** Remembers with a copy what the object that it comes from was said to be. */
export function carryClaimed(from: Obj, to: Obj): void {
  const claimed = (from as Marked)[CLAIMED];
  if (claimed) (to as Marked)[CLAIMED] = claimed;
}
