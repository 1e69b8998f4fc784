/** What a service holds beside itself: `IPAddress` objects for its addresses, and a key of its own for each node port. */
import type { Kind, Obj } from "../../../schema/model/types.ts";
import { needsNodePort } from "../../../schema/rules/core/service_types.ts";
import { formatIp, parseIp } from "../../../schema/values/ip.ts";
import { familyOf } from "./service_families.ts";

/** Addresses and node ports of a service. */
export interface Held {
  readonly ips: readonly string[];
  readonly ports: readonly number[];
}

/** What a service holds; of none, nothing. Ports of one that opens none on nodes may name a node port, which is not its own. */
export function held(service: Obj | undefined): Held {
  const spec = service?.["spec"];
  if (!spec) return { ips: [], ports: [] };
  const ips = spec.clusterIP === "None" ? [] : (spec.clusterIPs ?? []) as string[];
  if (!needsNodePort(spec)) return { ips, ports: [] };
  const ports = [...(spec.ports ?? []).map((p: { nodePort?: number }) => p.nodePort), spec.healthCheckNodePort].filter(
    Boolean,
  );
  return { ips, ports: [...new Set<number>(ports)] };
}

/** Name of the object that holds an address: its canonical text. @throws ValueError for what is no address */
export const nameOf = (ip: string): string => formatIp(parseIp(ip, { legacy: true }));

/** Prefix of the keys that hold node ports, from that of services. */
export const nodePortPrefix = (services: string): string =>
  services.replace(/services\/specs\/$/, "ranges/servicenodeports/");

/** The key that holds a node port; its value names the service. */
export const nodePortKey = (services: string, port: number): string => `${nodePortPrefix(services)}${port}`;

/** Name of what manages addresses here: the value of their label. */
export const MANAGER = "ipallocator.k8s.io";
/** The label, in its public name. */
export const MANAGED_BY = "ipaddress.kubernetes.io/managed-by";

/** The object that holds an address for a service. */
export function addressObject(kind: Kind, ip: string, service: Obj, local: (name: string) => string): Obj {
  return {
    kind: kind.kind,
    apiVersion: kind.apiVersion,
    metadata: {
      name: nameOf(ip),
      labels: { [local("ipaddress.kubernetes.io/ip-family")]: familyOf(ip)!, [local(MANAGED_BY)]: local(MANAGER) },
    },
    spec: {
      parentRef: { resource: "services", namespace: service.metadata.namespace!, name: service.metadata.name! },
    },
  };
}
