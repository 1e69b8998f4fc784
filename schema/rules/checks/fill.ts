/** Small steps of defaulting: give a member a value when it has none. All may run twice. */
import { parseQuantity, quantityOf } from "../../values/quantity.ts";
import { isSet, type Tree } from "../tree.ts";

/** Gives each absent or null member of `values` its value. For pointers, where zero is a value. Values must be scalars. */
export function fill(target: Tree, values: Readonly<Record<string, string | number | boolean>>): void {
  for (const k in values) if (!isSet(target[k])) target[k] = values[k];
}

/** The same for members that are not pointers: `""`, 0 and false count as absent. */
export function fillZero(target: Tree, values: Readonly<Record<string, string | number | boolean>>): void {
  for (const k in values) if (!target[k]) target[k] = values[k];
}

/** The member as an object, made when absent. */
export function part(target: Tree, name: string): Tree {
  return target[name] ??= {};
}

/**
 * Makes lists absent that have no item. For those that are always shown: what is stored does not tell empty from absent, and
 * clients see `null`.
 */
export function forgetEmpty(target: Tree | null | undefined, ...names: readonly string[]): void {
  for (const n of names) if (Array.isArray(target?.[n]) && !target[n].length) target[n] = null;
}

/** What may be finer than a thousandth: canonical text with such a suffix, a fraction, or a negative exponent. */
const FINE = /[nu]$|\.|e-/;

function thousandths(amount: string): string {
  const q = parseQuantity(amount);
  return q.exactAt(-3) ? amount : quantityOf(q.milliValue(), q.format, -3).toString();
}

/** Rounds the quantities of each resource list up to thousandths. */
export function roundResources(...lists: (Tree | null | undefined)[]): void {
  for (const list of lists) {
    for (const k in list ?? {}) {
      if (FINE.test(list![k])) list![k] = thousandths(list![k]);
    }
  }
}
