/** What the node has, and what of it pods may have. */
import { quantityOf } from "../../schema/values/quantity.ts";
import { boundOf, parseThresholds } from "../eviction/thresholds.ts";
import {
  allocatableOf,
  reservation,
  reservationFault,
  type Reservations,
  reservedOf,
} from "../resources/allocatable.ts";
import { amount, type Amounts } from "../resources/amounts.ts";
import { capacityOf, type Machine, parseCpuList } from "../resources/machine.ts";

/** Options that they follow from. */
export interface CapacityOptions extends Reservations {
  readonly maxPods: number;
  /** 0: no limit of its own. */
  readonly podsPerCore: number;
  /** Thresholds by signal: `memory.available`, `100Mi` or `10%`. */
  readonly evictionHard: Readonly<Record<string, string>>;
}

/** Lists of a node's status. */
export interface NodeAmounts {
  readonly capacity: Readonly<Record<string, string>>;
  readonly allocatable: Readonly<Record<string, string>>;
}

/** Signals of hard eviction that keep something from pods. */
const KEPT = [["memory.available", "memory"], ["nodefs.available", "ephemeral-storage"]] as const;
const NO_THRESHOLDS = {
  evictionSoft: {},
  evictionSoftGracePeriod: {},
  evictionMinimumReclaim: {},
  enforceNodeAllocatable: [],
};
const HUGE = "hugepages-";

/** @param storage bytes of the root directory's file system; undefined: not told. @throws ValueError for reservations that are none */
export function nodeAmounts(machine: Machine, storage: number | undefined, o: CapacityOptions): NodeAmounts {
  const pods = o.podsPerCore > 0 ? Math.min(machine.cpus.length * o.podsPerCore, o.maxPods) : o.maxPods;
  const capacity = new Map([
    ...[...capacityOf(machine)].filter(([name]) => name !== "pid"),
    ["pods", quantityOf(pods)] as const,
    ...(storage === undefined ? [] : [["ephemeral-storage", quantityOf(storage)] as const]),
  ]);
  const left = allocatableOf(capacity, keptFromPods(capacity, o));
  const huge = [...capacity].filter(([name]) => name.startsWith(HUGE)).map(([, pages]) => ["memory", pages] as const);
  const allocatable = huge.reduce((amounts, pages) => allocatableOf(amounts, new Map([pages])), left);
  return { capacity: texts(capacity), allocatable: texts(allocatable) };
}

/** What is reserved, and what hard eviction keeps free. @throws ValueError for reservations that are none */
function keptFromPods(capacity: Amounts, o: CapacityOptions): Amounts {
  return reservation(reservedOf(o, parseCpuList(o.reservedCpus)), hardEviction(o.evictionHard, capacity));
}

/** The same of a machine on which an agent is to start. @throws Error: it is more than there is */
export function checkedReservation(machine: Machine, o: CapacityOptions): Amounts {
  const capacity = capacityOf(machine), kept = keptFromPods(capacity, o), fault = reservationFault(capacity, kept);
  if (fault) throw new Error(fault);
  return kept;
}

/** What hard eviction keeps free. @throws ValueError */
export function hardEviction(evictionHard: Readonly<Record<string, string>>, capacity: Amounts): Amounts {
  const bounds = new Map(parseThresholds({ ...NO_THRESHOLDS, evictionHard }).map((t) => [t.signal, t.bound]));
  return new Map(KEPT.flatMap(([signal, resource]) => {
    const bound = bounds.get(signal);
    return bound ? [[resource, boundOf(bound, Number(amount(capacity, resource).value()))] as const] : [];
  }));
}

const texts = (amounts: Amounts) => Object.fromEntries([...amounts].map(([name, q]) => [name, q.toString()]));
