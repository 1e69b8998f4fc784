/** Texts that the cells of several kinds share. Objects have the shape of the storage version. */
import type { Json, JsonMap, Obj } from "../../schema/model/types.ts";
import {
  formatSelector,
  type Labels,
  type LabelSelector,
  selectorFromLabelSelector,
  selectorFromSet,
} from "../../schema/values/labels.ts";

/** What stands for an empty value. */
export const NONE = "<none>";
/** What stands for a value that nobody set. */
export const UNSET = "<unset>";

/** A text, or what stands for none. */
export const orNone = (text: string | undefined): string => text || NONE;
/** A text, or what stands for one that was not set; an empty text was set. */
export const orUnset = (text: string | undefined): string => text ?? UNSET;

/** The first items of a list: `a,b,c + 2 more...`. Empty for an empty list. */
export function firstOf(list: readonly string[], max: number, separator = ",", total = list.length): string {
  const shown = list.slice(0, max).join(separator);
  return total > max && list.length >= max ? `${shown} + ${total - max} more...` : shown;
}

/** `a=b,c=d`, sorted. */
export const labelsText = (labels: Labels): string => orNone(formatSelector(selectorFromSet(labels)));

/** A selector's text, empty when it selects all or nothing; `invalid` for one that cannot be read. */
export function selectorText(selector: LabelSelector | undefined, invalid: string): string {
  try {
    return formatSelector(selectorFromLabelSelector(selector) ?? []);
  } catch {
    return invalid;
  }
}
/** A selector's text, never empty. */
export const selectorCell = (s: LabelSelector | undefined): string => orNone(selectorText(s, "<error>"));

interface Container {
  name?: string;
  image?: string;
}
/** Names of a pod spec's containers. */
export const containerNames = (spec: { containers?: Container[] } | undefined): string =>
  (spec?.containers ?? []).map((c) => c.name ?? "").join(",");
/** Images of a pod spec's containers. */
export const containerImages = (spec: { containers?: Container[] } | undefined): string =>
  (spec?.containers ?? []).map((c) => c.image ?? "").join(",");

/** A condition of a status. */
export interface Condition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
}
/** Conditions of an object's status. */
export const conditionsOf = (o: Obj): readonly Condition[] => (o.status?.conditions ?? []) as Condition[];
/** The first condition of a type. */
export const conditionOf = (o: Obj, type: string): Condition | undefined =>
  conditionsOf(o).find((c) => c.type === type);
/** Whether the first condition of a type holds. */
export const holds = (o: Obj, type: string): boolean => conditionOf(o, type)?.status === "True";

/** A number that the JSON form omits when it is zero. */
export const count = (n: Json | undefined): Json => n ?? 0;
/** Number of a list's items, or of a map's entries. */
export const size = (v: readonly unknown[] | JsonMap | undefined): number => Object.keys(v ?? {}).length;

/** Addresses of a load balancer, sorted, each once. */
export function ingressAddresses(status: { ingress?: { ip?: string; hostname?: string }[] } | undefined): string {
  const all = (status?.ingress ?? []).map((i) => i.ip || i.hostname || "").filter((a) => a !== "");
  return [...new Set(all)].sort().join(",");
}
