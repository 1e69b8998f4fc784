/** On which NUMA nodes devices can be had. */
import { type Hint, nodeChoices, type Nodes } from "../resources/managers/hints.ts";
import type { Device } from "./stock.ts";

/** What is asked for. */
export interface HintInput {
  /** All of the resource. */
  readonly devices: ReadonlyMap<string, Device>;
  /** The machine's. */
  readonly nodes: Nodes;
  /** Ids. */
  readonly free: ReadonlySet<string>;
  /** Ids that must be among those that are taken. */
  readonly reusable: ReadonlySet<string>;
  readonly count: number;
}

/** Choices of nodes, of those that have devices, that have enough; as few nodes as could do are preferred. */
export function deviceHints({ devices, nodes, free, reusable, count }: HintInput): readonly Hint[] {
  const all = [...devices.values()];
  const bearing = nodes.filter((node) => all.some((device) => device.nodes.includes(node)));
  const choices = bearing.length > 0 ? bearing : nodes;
  const liesIn = (device: Device | undefined, choice: Nodes) =>
    device?.nodes.some((node) => choice.includes(node)) ?? false;
  let least = choices.length;
  const out: Nodes[] = [];
  for (const choice of nodeChoices(choices)) {
    if (all.filter((device) => liesIn(device, choice)).length >= count) least = Math.min(least, choice.length);
    const again = [...reusable].map((id) => devices.get(id)).filter((device) => (device?.nodes.length ?? 0) > 0);
    if (!again.every((device) => liesIn(device, choice))) continue;
    const fresh = [...free].filter((id) => liesIn(devices.get(id), choice));
    if (again.length + fresh.length >= count) out.push(choice);
  }
  return out.map((choice) => ({ nodes: choice, preferred: choice.length === least }));
}
