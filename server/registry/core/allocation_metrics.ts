/** What is given to services of addresses and node ports, and what is left; names are public ones in the dialect. */
import { ByLabels, counterOf, type DerivedMetric } from "../../metrics/by_labels.ts";

/** How something was asked for: by itself, or any that is free. */
export type Scope = "static" | "dynamic";

/** How much of a range services have, and how much is left. */
export interface Usage {
  readonly allocated: number;
  readonly available: number;
}

/** What stands when metrics are read; nothing while the caches load that tell it. */
export interface Usages {
  /** By range; empty where addresses have no objects, too. */
  addresses(): ReadonlyMap<string, Usage>;
  ports(): Usage | undefined;
}

/** See the top of the file. Dry runs do not count. */
export class AllocationMetrics {
  readonly #addresses = { total: new ByLabels(() => 0), errors: new ByLabels(() => 0) };
  readonly #ports = { total: new ByLabels(() => 0), errors: new ByLabels(() => 0) };

  /** An address was given, or could not be. */
  address(outcome: "total" | "errors", cidr: string, scope: Scope): void {
    this.#addresses[outcome].at({ cidr, scope }).value++;
  }

  /** The same of a node port. */
  port(outcome: "total" | "errors", scope: Scope): void {
    this.#ports[outcome].at({ scope }).value++;
  }

  /** All metrics. `component`: who gives, at the head of their names (`kube_apiserver`). */
  rows(usages: Usages, component: string): readonly DerivedMetric[] {
    return [
      ...rowsOf(
        `${component}_clusterip_allocator`,
        "ips",
        "Cluster addresses",
        this.#addresses,
        () => usages.addresses(),
      ),
      ...rowsOf(`${component}_nodeport_allocator`, "ports", "Node ports", this.#ports, () => {
        const ports = usages.ports();
        return new Map(ports && [["", ports]]);
      }),
    ];
  }
}

function rowsOf(
  allocator: string,
  unit: string,
  what: string,
  counted: Readonly<Record<"total" | "errors", ByLabels<number>>>,
  usages: () => ReadonlyMap<string, Usage>,
): DerivedMetric[] {
  const row = (name: string, help: string, type: "counter" | "gauge", samples: DerivedMetric["samples"]) => ({
    name: `${allocator}_${name}`,
    help: `${what} of services: ${help}`,
    type,
    samples,
  });
  const standing = (which: keyof Usage): DerivedMetric["samples"] => (metricName) =>
    [...usages()].map(([cidr, usage]) => ({ metricName, labels: cidr ? { cidr } : {}, value: usage[which] }));
  return [
    row(`allocated_${unit}`, "those that services have", "gauge", standing("allocated")),
    row(`available_${unit}`, "those that are free", "gauge", standing("available")),
    row("allocation_total", "those that were given", "counter", counterOf(counted.total)),
    row("allocation_errors_total", "those that could not be given", "counter", counterOf(counted.errors)),
  ];
}
