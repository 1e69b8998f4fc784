/** What the allocation of services' addresses and ports needs, and one write of a service. */
import type { Obj } from "../../../schema/model/types.ts";
import type { ErrorList } from "../../../schema/rules/errors.ts";
import type { Tree } from "../../../schema/rules/tree.ts";
import { invalid } from "../../../schema/status.ts";
import type { DerivedMetric } from "../../metrics/by_labels.ts";
import type { Store } from "../store.ts";
import type { PortAccount, PortRange } from "./port_account.ts";
import type { Held } from "./service_holdings.ts";

/** What allocation needs. */
export interface ServiceOptions {
  /** `--service-cluster-ip-range`. */
  readonly ranges: readonly string[];
  /** `--service-node-port-range`, both ends inclusive. */
  readonly nodePorts: PortRange;
  /** Registry of `ipaddresses`; undefined where they are not served. */
  addresses(): Store | undefined;
  /** Registry of `servicecidrs`; undefined where they are not served. */
  blocks(): Store | undefined;
  services(): Store;
  /** Deletes the endpoints of that name. @throws StatusError */
  deleteEndpoints(namespace: string, name: string): Promise<void>;
  local(name: string): string;
  /** A number in [0, 1). */
  random(): number;
  /** Takes the metrics of allocation, once. */
  measured(rows: readonly DerivedMetric[]): void;
}

/** Names of addresses, and ports, that writes in flight have picked. */
export type Pending = ReadonlySet<string | number>;

/** One write of a service. */
export interface ServiceWork {
  readonly service: Obj;
  /** The spec before an update. */
  readonly old: Tree | undefined;
  /** What the service held before. */
  readonly had: Held;
  readonly dryRun: boolean;
  readonly errors: ErrorList;
  /** What public servers say of node ports. */
  readonly account: PortAccount | undefined;
  /** The highest node port that was given or asked for; 0: none was yet. */
  highest: number;
  /** Keeps others from picking the same until the write is over. */
  reserve<T extends string | number>(what: T): T;
}

/** @throws StatusError 422 where something is wrong so far */
export function refuse({ service, errors }: ServiceWork): void {
  if (!errors.empty) throw invalid("", "Service", service.metadata.name ?? "", errors.causes);
}
