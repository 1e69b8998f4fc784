/** Reading and joining lists of tolerations. */
import { same, type Tree } from "../../../schema/rules/tree.ts";

/** Whether all that `t` tolerates is tolerated by `by` too. */
function covers(by: Tree, t: Tree): boolean {
  if (same(by, t)) return true;
  const everyKey = !by["key"] && by["operator"] === "Exists";
  if (!everyKey && (t["key"] ?? "") !== (by["key"] ?? "")) return false;
  if (by["effect"] && t["effect"] !== by["effect"]) return false;
  if (by["effect"] === "NoExecute" && typeof by["tolerationSeconds"] === "number") {
    if (typeof t["tolerationSeconds"] !== "number" || t["tolerationSeconds"] > by["tolerationSeconds"]) return false;
  }
  if (by["operator"] === "Exists") return true;
  // No operator means Equal, of the one that covers; the other one has to say it.
  return (by["operator"] || "Equal") === "Equal" && t["operator"] === "Equal" &&
    (t["value"] ?? "") === (by["value"] ?? "");
}

/** Lists up to that length are cleared of what is covered: each toleration is held against each, and the first list is a client's. */
const CLEARED = 500;

/** Both lists in their order, without what another one covers; where they are long only without what the first covers of the second. */
export function mergeTolerations(first: readonly Tree[], second: readonly Tree[]): Tree[] {
  const all = [...first, ...second];
  if (all.length > CLEARED) return [...first, ...second.filter((t) => !first.some((by) => covers(by, t)))];
  const merged: Tree[] = [];
  all.forEach((t, i) => {
    if (merged.some((m) => covers(m, t))) return;
    if (all.slice(i + 1).some((later) => !same(t, later) && covers(later, t))) return;
    merged.push(t);
  });
  return merged;
}

/** Whether each of a pod's tolerations is covered by one of the allowed. No list allows all. */
export function withinTolerations(given: readonly Tree[], allowed: readonly Tree[]): boolean {
  return allowed.length === 0 || given.every((t) => allowed.some((by) => covers(by, t)));
}

const TEXTS = ["key", "operator", "value", "effect"], SECONDS = "tolerationSeconds";

/** Reads tolerations from a text: empty is none, unknown members are left out. A string says what is wrong. */
export function readTolerations(text: string): Tree[] | string {
  if (text === "") return [];
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch (e) {
    return (e as Error).message;
  }
  if (list === null) return [];
  if (!Array.isArray(list)) return "should be a list";
  const out: Tree[] = [];
  for (const [i, item] of list.entries()) {
    if (typeof item !== "object" || Array.isArray(item)) return `[${i}]: should be an object`;
    const t: Tree = {};
    for (const name of [...TEXTS, SECONDS]) {
      const value = item?.[name];
      if (value === undefined || value === null) continue;
      if (name === SECONDS && typeof value !== "number") return `[${i}].${name}: should be a number`;
      if (name !== SECONDS && typeof value !== "string") return `[${i}].${name}: should be a string`;
      t[name] = value;
    }
    out.push(t);
  }
  return out;
}
