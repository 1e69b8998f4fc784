/** Where a handler asks: host and port. */
import { readFileSync } from "node:fs";
import type { IntOrString } from "../../schema/api/intstr.ts";
import { hostPort } from "../../schema/values/host_port.ts";
import { parseResolvConf } from "../network/resolv_conf.ts";
import type { ContainerTarget } from "../types.ts";

/** The port by number or by its name in the container. @throws Error: none of that name, or no port number */
export function portOf(port: IntOrString, container: ContainerTarget["container"]): number {
  const number = typeof port === "number" ? port : container.ports?.find((p) => p.name === port)?.containerPort;
  if (number === undefined) throw new Error(`port ${JSON.stringify(port)} not found`);
  if (!(number > 0 && number < 65536)) throw new Error(`invalid port number: ${number}`);
  return number;
}

/** The host that the handler names, or else the pod's address. @throws Error while the pod has none */
export function hostOf(host: string | undefined, target: ContainerTarget): string {
  const found = host || target.podIP;
  if (!found) throw new Error("the pod has no address");
  return found;
}

/** What the platform's codes are called in the field. */
const TEXTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connect: connection refused",
  EHOSTUNREACH: "connect: no route to host",
  ENETUNREACH: "connect: network is unreachable",
  ETIMEDOUT: "connect: connection timed out",
};

/** Whom this host asks for names, in the words of a fault; empty where nobody knows. */
function asked(): string {
  try {
    const [server] = parseResolvConf(readFileSync("/etc/resolv.conf", "utf8")).servers;
    return server === undefined ? "" : ` on ${hostPort(server, 53)}`;
  } catch {
    return "";
  }
}

/** Why no connection came about. */
export function dialText(address: string, error: unknown): string {
  const { code = "", message, hostname } = error as { code?: string; message: string; hostname?: string };
  if (code === "ENOTFOUND") return `dial tcp: lookup ${hostname}${asked()}: no such host`;
  const text = TEXTS[code];
  return text ? `dial tcp ${address}: ${text}` : message;
}
