/** Values of options of nodes: from their texts. Every parser throws an Error that says what the text should be. */
import type { Taint } from "../api/core_v1.ts";
import { labelValue, qualifiedName } from "../values/names.ts";
import { parseQuantity } from "../values/quantity.ts";
import type { NumaMemory } from "./types.ts";

const EFFECTS: readonly string[] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
/** Types of memory that a NUMA node has. */
export const NUMA_MEMORY = /^(?:memory|hugepages-.+)$/;

const fail = (what: string): never => {
  throw new Error(what);
};

/** The two parts of `text` around the first character that is one of `marks`, trimmed. */
function parts(text: string, marks: RegExp, form: string): [string, string] {
  const at = text.search(marks);
  if (at < 0) fail(`${JSON.stringify(text)} should be ${form}`);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

const items = (texts: readonly string[]) => texts.flatMap((t) => t.split(",")).filter((t) => t !== "");

/** Pairs `key=value`; the last of a key wins. */
export const nodePairs = (texts: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(items(texts).map((t) => parts(t, /=/, "key=value")));

/** Pairs `key<value`, or `key=value` as the specification writes them; the last of a key wins. */
export const thresholds = (texts: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(items(texts).map((t) => parts(t, /[<=]/, "key<value")));

/** Headers `name:value`, values of a name in the order given. */
export function headers(texts: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const pairs = items(texts).map((t) => parts(t, /:/, "name:value"));
  return Object.fromEntries(
    pairs.map(([name]) => [name, pairs.filter(([other]) => other === name).map(([, value]) => value)]),
  );
}

/** What is wrong with a taint; undefined when it is good. */
export function taintFault({ key, value = "", effect }: Taint): string | undefined {
  const [fault] = [...qualifiedName(key), ...(value === "" ? [] : labelValue(value))];
  if (fault !== undefined) return fault;
  return EFFECTS.includes(effect) ? undefined : `the effect should be one of ${EFFECTS.join(", ")}`;
}

/** Taints `key=value:effect` or `key:effect`, each key and effect once. The last text counts. */
export function taints(texts: readonly string[]): readonly Taint[] {
  const seen = new Set<string>();
  return items(texts.slice(-1)).map((text) => {
    const m = /^([^:=]*)(?:=([^:=]*))?:([^:]+)$/.exec(text);
    if (!m) fail(`${JSON.stringify(text)} should be key=value:effect`);
    const taint = { key: m![1]!, ...(m![2] ? { value: m![2] } : {}), effect: m![3]! as Taint["effect"] };
    const fault = taintFault(taint);
    if (fault !== undefined) fail(`${JSON.stringify(text)}: ${fault}`);
    const name = `${taint.key}:${taint.effect}`;
    if (seen.has(name)) fail(`${name} stands there twice`);
    seen.add(name);
    return taint;
  });
}

/** Memory of NUMA nodes: `0:memory=1Gi,hugepages-2Mi=4Mi`, parted by semicolons or given again. */
export function numaMemory(texts: readonly string[]): readonly NumaMemory[] {
  return texts.filter((t) => t !== "").flatMap((t) => t.split(";")).map((text) => {
    const form = "numaNode:type=quantity,…";
    const [node, list] = parts(text, /:/, form);
    if (!/^\d+$/.test(node) || list.includes(":")) fail(`${JSON.stringify(text)} should be ${form}`);
    const limits = list.split(",").map((limit) => {
      const [type, quantity] = parts(limit, /=/, "type=quantity");
      if (!NUMA_MEMORY.test(type)) fail(`${JSON.stringify(type)} should be memory or hugepages-<size>`);
      parseQuantity(quantity);
      return [type, quantity];
    });
    return { numaNode: Number(node), limits: Object.fromEntries(limits) };
  });
}
