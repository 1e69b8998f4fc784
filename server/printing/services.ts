/** Cells of services. */
import type { Obj } from "../../schema/model/types.ts";
import { ingressAddresses, orNone } from "./text.ts";

const PENDING = "<pending>";

/** Where a service is reached from outside. */
export function serviceAddress(o: Obj): string {
  const { type, externalIPs = [], externalName = "" } = (o.spec ?? {}) as {
    type?: string;
    externalIPs?: string[];
    externalName?: string;
  };
  const fixed = externalIPs.join(",");
  switch (type) {
    case "ClusterIP":
    case "NodePort":
      return orNone(fixed);
    case "LoadBalancer":
      return [ingressAddresses(o.status?.loadBalancer), fixed].filter((x) => x !== "").join(",") || PENDING;
    case "ExternalName":
      return externalName;
    default:
      return "<unknown>";
  }
}

/** `80/TCP`, `80:30080/TCP` where nodes have a port too. */
export function servicePorts(o: Obj): string {
  const ports = (o.spec?.ports ?? []) as { port: number; nodePort?: number; protocol?: string }[];
  return orNone(
    ports.map((p) => `${p.port}${p.nodePort ? `:${p.nodePort}` : ""}/${p.protocol ?? "TCP"}`).join(","),
  );
}
