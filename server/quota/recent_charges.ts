/** What was charged to a quota lately, as its log tells: objects that it was charged for may not be stored yet. */
import type { Obj } from "../../schema/model/types.ts";
import type { Tree } from "../../schema/rules/tree.ts";
import { parseQuantity, type Quantity, ZERO_QUANTITY } from "../../schema/values/quantity.ts";

/** See the top of the file. Times in ms, by one clock. */
export class RecentCharges {
  readonly #charges: { readonly at: number; readonly more: ReadonlyMap<string, Quantity> }[] = [];

  /** `holdMs`: how long a charge counts as recent. */
  constructor(readonly holdMs: number) {}

  /** Takes in a change of the quota. */
  changed(previous: Obj, quota: Obj, now: number): void {
    this.#forget(now);
    const more = growth(usedOf(previous), usedOf(quota));
    if (more.size > 0) this.#charges.push({ at: now, more });
  }

  /** Something was charged lately. */
  any(now: number): boolean {
    this.#forget(now);
    return this.#charges.length > 0;
  }

  /** What may be written as used where so much was counted: what was charged lately is only given back later. */
  atLeast(quota: Obj, counted: ReadonlyMap<string, Quantity>, now: number): Map<string, Quantity> {
    this.#forget(now);
    const out = new Map(counted), said = usedOf(quota);
    for (const [name, count] of counted) {
      if (said[name] === undefined) continue;
      const used = parseQuantity(said[name]);
      const most = this.#charges.reduce((sum, { more }) => sum.add(more.get(name) ?? ZERO_QUANTITY), count);
      const kept = most.cmp(used) < 0 ? most : used;
      if (kept.cmp(count) > 0) out.set(name, kept);
    }
    return out;
  }

  #forget(now: number): void {
    const kept = this.#charges.findIndex(({ at }) => now - at < this.holdMs);
    this.#charges.splice(0, kept < 0 ? this.#charges.length : kept);
  }
}

const usedOf = (quota: Obj): Record<string, string> => (quota as Tree)["status"]?.used ?? {};

function growth(before: Record<string, string>, now: Record<string, string>): Map<string, Quantity> {
  const out = new Map<string, Quantity>();
  for (const [name, text] of Object.entries(now)) {
    if (before[name] === text) continue;
    const more = parseQuantity(text).sub(parseQuantity(before[name] ?? "0"));
    if (more.sign() > 0) out.set(name, more);
  }
  return out;
}
