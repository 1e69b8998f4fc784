/** What a pod needs as a whole: sums over its containers, its own totals, its overhead. */
import { parseQuantity, type Quantity } from "../../values/quantity.ts";
import { isHugePages } from "../checks/resources.ts";
import { emptyMap, items, type Tree } from "../tree.ts";

/** Whether a pod may ask for the resource as a whole. */
export const isPodLevelResource = (name: string): boolean => name === "cpu" || name === "memory" || isHugePages(name);

/** Amounts by resource. */
export type Amounts = Map<string, Quantity>;

/** How totals are made. */
export interface TotalOptions {
  /** Resources of the pod as a whole take the place of the sums (gate PodLevelResources). */
  readonly podLevel: boolean;
  /** What the containers have now counts where it is more than what they ask for (gate InPlacePodVerticalScaling). */
  readonly status: boolean;
  /** The overhead of the runtime class is added. */
  readonly overhead: boolean;
}

/** Whether a pod has resources as a whole. */
export function hasPodLevel(spec: Tree): boolean {
  const r: Tree | undefined = spec["resources"];
  return !!r && [r["requests"], r["limits"]].some((list) => Object.keys(list ?? {}).some(isPodLevelResource));
}

/** Reads a resource list. */
export function amountsOf(list: Tree | null | undefined): Amounts {
  const out: Amounts = new Map();
  for (const k in list) out.set(k, parseQuantity(list[k]));
  return out;
}

/** Adds to the first. */
function addTo(to: Amounts, more: Amounts): void {
  for (const [k, q] of more) {
    const was = to.get(k);
    to.set(k, was ? was.add(q) : q);
  }
}

/** Raises the first to the second where that is more. */
function raiseTo(to: Amounts, other: Amounts): void {
  for (const [k, q] of other) {
    const was = to.get(k);
    if (!was || was.cmp(q) < 0) to.set(k, q);
  }
}

/** Requests or limits of a pod. */
export function podTotals(pod: Tree, which: "requests" | "limits", o: TotalOptions): Amounts {
  const { spec } = pod;
  const out = containerTotals(pod, which, o.status);
  const whole: Tree | undefined = spec.resources;
  if (o.podLevel && whole && !emptyMap(whole[which])) {
    for (const [k, q] of amountsOf(whole[which])) if (isPodLevelResource(k)) out.set(k, q);
  }
  if (!o.overhead) return out;
  for (const [k, q] of amountsOf(spec.overhead)) {
    const was = out.get(k);
    if (which === "requests") out.set(k, was ? was.add(q) : q);
    else if (was && !was.isZero()) out.set(k, was.add(q));
  }
  return out;
}

/** What the containers need at most at any time. */
export function aggregate(spec: Tree, which: "requests" | "limits"): Record<string, string> {
  return Object.fromEntries([...containerTotals({ spec }, which, false)].map(([k, q]) => [k, q.toString()]));
}

/** Init containers run one after another, each beside the sidecars that were started before it. */
function containerTotals(pod: Tree, which: "requests" | "limits", useStatus: boolean): Amounts {
  const { spec } = pod;
  const total: Amounts = new Map(), sidecars: Amounts = new Map(), peak: Amounts = new Map();
  const statuses = useStatus ? statusesOf(pod) : NO_STATUSES;
  for (const c of items(spec.containers)) addTo(total, own(pod, c, which, statuses));
  for (const c of items(spec.initContainers)) {
    const sidecar = c["restartPolicy"] === "Always";
    const mine = own(pod, c, which, sidecar ? statuses : NO_STATUSES);
    if (sidecar) {
      addTo(total, mine);
      addTo(sidecars, mine);
      raiseTo(peak, sidecars);
    } else {
      addTo(mine, sidecars);
      raiseTo(peak, mine);
    }
  }
  raiseTo(total, peak);
  return total;
}

/** Statuses of containers by name; of several with one name the first counts. */
type Statuses = ReadonlyMap<string, Tree>;
const NO_STATUSES: Statuses = new Map();

const statusesOf = ({ status }: Tree): Statuses =>
  new Map(
    [...items<Tree>(status?.containerStatuses), ...items<Tree>(status?.initContainerStatuses)]
      .reverse().map((s) => [s["name"], s]),
  );

function own(pod: Tree, container: Tree, which: "requests" | "limits", statuses: Statuses): Amounts {
  const asked = amountsOf(container["resources"]?.[which]), now = statuses.get(container["name"]);
  if (!now?.["resources"]) return asked;
  const out = isInfeasible(pod["status"]) ? new Map() : asked;
  raiseTo(out, amountsOf(now["resources"][which]));
  if (which === "requests") raiseTo(out, amountsOf(now["allocatedResources"]));
  return out;
}

const isInfeasible = (status: Tree): boolean =>
  items<Tree>(status["conditions"]).find((c) => c["type"] === "PodResizePending")?.["reason"] === "Infeasible";
