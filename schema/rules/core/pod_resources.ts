/** Sums over the containers of a pod. */
import { parseQuantity, type Quantity } from "../../values/quantity.ts";
import { items, type Tree } from "../tree.ts";

/** Whether a resource is huge pages of some size. */
export const isHugePages = (name: string): boolean => name.startsWith("hugepages-");
/** Whether a pod may ask for the resource as a whole. */
export const isPodLevelResource = (name: string): boolean => name === "cpu" || name === "memory" || isHugePages(name);

type Sums = Map<string, Quantity>;

function add(to: Sums, list: Tree | undefined): void {
  for (const k in list) {
    const q = parseQuantity(list[k]), was = to.get(k);
    to.set(k, was ? was.add(q) : q);
  }
}
function atLeast(to: Sums, other: Sums): void {
  for (const [k, q] of other) {
    const was = to.get(k);
    if (!was || was.cmp(q) < 0) to.set(k, q);
  }
}

/** What the containers need at most at any time: side by side or, for init containers, one after another beside sidecars. */
export function aggregate(spec: Tree, which: "requests" | "limits"): Record<string, string> {
  const total: Sums = new Map(), sidecars: Sums = new Map(), peak: Sums = new Map();
  for (const c of items(spec["containers"])) add(total, c["resources"]?.[which]);
  for (const c of items(spec["initContainers"])) {
    const own = c["resources"]?.[which];
    if (c["restartPolicy"] === "Always") {
      add(total, own);
      add(sidecars, own);
      atLeast(peak, sidecars);
    } else {
      const beside: Sums = new Map(sidecars);
      add(beside, own);
      atLeast(peak, beside);
    }
  }
  atLeast(total, peak);
  return Object.fromEntries([...total].map(([k, q]) => [k, q.toString()]));
}
