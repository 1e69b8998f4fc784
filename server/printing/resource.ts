/** Printers of the dynamic resource group. */
import type { Json, Obj } from "../../schema/model/types.ts";
import { AGE, col, NAME, type Part, table } from "./parts.ts";
import { conditionsOf, holds, NONE } from "./text.ts";
import { Age, type Printers } from "./types.ts";

function claimState(o: Obj): string {
  const { allocation, reservedFor } = (o.status ?? {}) as { allocation?: Json; reservedFor?: Json[] };
  const deleted = o.metadata.deletionTimestamp !== undefined;
  const states = [
    ...(deleted ? ["deleted"] : allocation ? [] : ["pending"]),
    ...(allocation ? ["allocated"] : []),
    ...(allocation && reservedFor?.length ? ["reserved"] : []),
  ];
  return states.join(",");
}

const taint = (name: string, field: string): Part => col(name, (o) => o.spec?.taint?.[field] ?? "");

interface Pool {
  validationError?: string;
  totalDevices?: number;
  availableDevices?: number;
  allocatedDevices?: number;
  unavailableDevices?: number;
}
const pools = (o: Obj): Pool[] | undefined => o.status?.pools;

/** A sum over all pools; `-` before the request was answered. */
const sum = (name: string, of: (pool: Pool) => number): Part =>
  col(name, (o) => o.status ? `${(pools(o) ?? []).reduce((n, p) => n + of(p), 0)}` : "-");

const ENDS = ["Complete", "Failed"];
const completed = (o: Obj) => conditionsOf(o).find((c) => ENDS.includes(c.type) && c.status === "True");

/** Printers, by public id. */
export const RESOURCE: Printers = {
  "deviceclasses.resource.k8s.io": table(NAME, AGE),
  "devicetaintrules.resource.k8s.io": table(
    NAME,
    taint("Key", "key"),
    taint("Value", "value"),
    taint("Effect", "effect"),
    col("TimeAdded", (o) => o.spec?.taint?.timeAdded ? new Age(o.spec.taint.timeAdded) : ""),
    AGE,
  ),
  "resourceclaims.resource.k8s.io": table(NAME, col("State", claimState), AGE),
  "resourceclaimtemplates.resource.k8s.io": table(NAME, AGE),
  "resourcepoolstatusrequests.resource.k8s.io": table(
    NAME,
    col("Driver", (o) => o.spec?.driver ?? ""),
    sum("Total", (p) => p.totalDevices ?? 0),
    sum("Available", (p) => p.availableDevices ?? 0),
    sum("Allocated", (p) => p.allocatedDevices ?? 0),
    sum("Unavailable", (p) => p.unavailableDevices ?? 0),
    sum("Errors", (p) => p.validationError ? 1 : 0),
    col("Pools", (o) => o.status?.poolCount ?? 0, "integer"),
    col("Status", (o) => ENDS.find((type) => holds(o, type)) ?? "Pending"),
    col("Completed", (o) => completed(o) ? new Age(completed(o)!.lastTransitionTime) : NONE),
  ),
  "resourceslices.resource.k8s.io": table(
    NAME,
    col("Node", (o) => o.spec?.nodeName ?? ""),
    col("Driver", (o) => o.spec?.driver ?? ""),
    col("Pool", (o) => o.spec?.pool?.name ?? ""),
    AGE,
  ),
};
