/** Printers of the core group. */
import type { JsonMap, Obj } from "../../schema/model/types.ts";
import { hostPort } from "../../schema/values/host_port.ts";
import { AGE, col, NAME, type Read, table, wide } from "./parts.ts";
import { EVENT_PRINTER } from "./events.ts";
import { nodePrinter } from "./nodes.ts";
import { POD_PRINTER } from "./pods.ts";
import { containerImages, containerNames, count, firstOf, labelsText, orNone, size } from "./text.ts";
import { serviceAddress, servicePorts } from "./services.ts";
import type { Printers } from "./types.ts";
import { claimPrinter, volumePrinter } from "./volumes.ts";

interface Subset {
  addresses?: { ip: string }[];
  ports?: { port: number }[];
}

/** `ip:port` of every address and port, the first three shown; addresses alone where there is no port. */
function endpoints(o: Obj): string {
  const subsets = (o.subsets ?? []) as Subset[];
  if (subsets.length === 0) return orNone("");
  const all = subsets.flatMap(({ addresses = [], ports }) =>
    ports?.length ? ports.flatMap((p) => addresses.map((a) => hostPort(a.ip, p.port))) : addresses.map((a) => a.ip)
  );
  return firstOf(all, 3);
}

/** `name: used/hard` of a quota's limits, or of all else. */
function quota(limits: boolean): Read {
  return (o) => {
    const hard = (o.status?.hard ?? {}) as JsonMap, used = (o.status?.used ?? {}) as JsonMap;
    return Object.keys(hard).filter((name) => name.startsWith("limits.") === limits).sort()
      .map((name) => `${name}: ${used[name] ?? "0"}/${hard[name]}`).join(", ");
  };
}

/** A component's health: kept for old clients. */
const health = (read: (c: { status: string; message?: string; error?: string }) => string, none = ""): Read => (o) => {
  const c = o.conditions?.find((x: { type: string }) => x.type === "Healthy");
  return c ? read(c) : none;
};

/** Printers, with public names in the dialect of the server. */
export const core = (local: (name: string) => string): Printers => ({
  "componentstatuses": table(
    NAME,
    col("Status", health((c) => c.status === "True" ? "Healthy" : "Unhealthy", "Unknown")),
    col("Message", health((c) => c.message ?? "")),
    col("Error", health((c) => c.error ?? "")),
  ),
  "configmaps": table(NAME, col("Data", (o) => size(o.data) + size(o.binaryData)), AGE),
  "endpoints": table(NAME, col("Endpoints", endpoints), AGE),
  "events": EVENT_PRINTER,
  "namespaces": table(NAME, col("Status", (o) => o.status?.phase ?? ""), AGE),
  "nodes": nodePrinter(local),
  "persistentvolumeclaims": claimPrinter(local),
  "persistentvolumes": volumePrinter(local),
  "pods": POD_PRINTER,
  "podtemplates": table(
    NAME,
    col("Containers", (o) => containerNames(o.template?.spec)),
    col("Images", (o) => containerImages(o.template?.spec)),
    col("Pod Labels", (o) => labelsText(o.template?.metadata?.labels)),
  ),
  "replicationcontrollers": table(
    NAME,
    col("Desired", (o) => count(o.spec?.replicas), "integer"),
    col("Current", (o) => count(o.status?.replicas), "integer"),
    col("Ready", (o) => count(o.status?.readyReplicas), "integer"),
    AGE,
    wide("Containers", (o) => containerNames(o.spec?.template?.spec)),
    wide("Images", (o) => containerImages(o.spec?.template?.spec)),
    wide("Selector", (o) => labelsText(o.spec?.selector)),
  ),
  "resourcequotas": table(NAME, col("Request", quota(false)), col("Limit", quota(true)), AGE),
  "secrets": table(NAME, col("Type", (o) => o.type ?? ""), col("Data", (o) => size(o.data)), AGE),
  "serviceaccounts": table(NAME, AGE),
  "services": table(
    NAME,
    col("Type", (o) => o.spec?.type ?? ""),
    col("Cluster-IP", (o) => o.spec?.clusterIPs?.[0] ?? orNone("")),
    col("External-IP", serviceAddress),
    col("Port(s)", servicePorts),
    AGE,
    wide("Selector", (o) => labelsText(o.spec?.selector)),
  ),
});
