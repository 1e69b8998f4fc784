/** Seeded specs of the widget: from few names and values, so that writers meet. */
import type { Json, JsonMap } from "../../schema/model/types.ts";
import type { Random } from "../fixture/random.ts";

const NAMES = ["a", "b", "c", "d"];

function some<T>(r: Random, most: number, make: () => T): T[] {
  return Array.from({ length: r.below(most + 1) }, make);
}

function unique<T>(list: T[], by: (v: T) => unknown): T[] {
  const seen = new Set<unknown>();
  return list.filter((v) => !seen.has(by(v)) && seen.add(by(v)));
}

const entries = (r: Random, most: number, value: () => Json): JsonMap =>
  Object.fromEntries(some(r, most, () => [r.pick(NAMES), value()]));

function open(r: Random, depth: number): Json {
  if (depth === 0 || r.once(3)) return r.pick<Json>(["x", 1, true, [1], ["a", { b: 1 }], {}]);
  return entries(r, 3, () => open(r, depth - 1));
}

function item(r: Random): JsonMap {
  const out: JsonMap = { name: r.pick(NAMES) };
  if (r.once(2)) out.value = r.below(3);
  if (r.once(3)) out.tags = unique(some(r, 3, () => r.pick(NAMES)), (v) => v);
  if (r.once(4)) out.part = part(r);
  return out;
}

const part = (r: Random): JsonMap => Object.fromEntries(some(r, 2, () => [r.pick(["x", "y"]), r.below(3)]));

function port(r: Random): JsonMap {
  const out: JsonMap = { port: r.below(3) };
  if (r.once(2)) out.protocol = r.pick(["TCP", "UDP"]);
  if (r.once(3)) out.note = r.pick(NAMES);
  return out;
}

const MEMBERS: Record<string, (r: Random) => Json> = {
  size: (r) => r.below(3),
  color: (r) => r.pick(NAMES),
  on: (r) => r.once(2),
  part,
  whole: part,
  labels: (r) => entries(r, 3, () => r.pick(NAMES)),
  wholeLabels: (r) => entries(r, 2, () => r.pick(NAMES)),
  parts: (r) => entries(r, 2, () => part(r)),
  set: (r) => unique(some(r, 4, () => r.pick(NAMES)), (v) => v),
  numbers: (r) => unique(some(r, 3, () => r.below(4)), (v) => v),
  items: (r) => unique(some(r, 4, () => item(r)), (v) => v.name),
  ports: (r) => unique(some(r, 3, () => port(r)), (v) => `${v.port} ${v.protocol ?? "TCP"}`),
  plain: (r) => some(r, 2, () => r.pick(NAMES)),
  merged: (r) => unique(some(r, 3, () => item(r)), (v) => v.name),
  atomicItems: (r) => some(r, 2, () => item(r)),
  any: (r) => open(r, 3),
  raw: (r) => open(r, 2),
  child: (r) => ({ ...(r.once(2) ? { known: r.pick(NAMES) } : {}), ...(r.once(2) ? { other: open(r, 2) } : {}) }),
};

/** A spec of some members, each list with unique items. */
export function randomSpec(r: Random): JsonMap {
  const out: JsonMap = {};
  for (const [name, make] of Object.entries(MEMBERS)) if (r.once(4)) out[name] = make(r);
  return out;
}
