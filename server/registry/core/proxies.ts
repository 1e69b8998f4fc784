/**
 * The proxies of pods, services and nodes: what is asked for is looked up and judged; then the answer is that of a server that
 * cannot reach it.
 */
import type { Obj } from "../../../schema/model/types.ts";
import { inRange, type IpRange, tryParseIp } from "../../../schema/values/ip.ts";
import { badRequest, notFound, StatusError } from "../../../schema/status.ts";
import type { Call, SubresourceHandler } from "../../endpoints/api.ts";
import { addressOf, admitted } from "./connect.ts";

const SCHEMES = new Set(["", "http", "https"]);

/** `https:name:port`, `name:port`, `name`. @throws StatusError 400 for anything else */
function proxyName(what: string, text: string): { name: string; port: string } {
  const parts = text.split(":");
  const [scheme = "", name = "", port = ""] = parts.length === 3 ? parts : ["", ...parts];
  if (parts.length > 3 || name === "" || !SCHEMES.has(scheme)) throw badRequest(`invalid ${what} request "${text}"`);
  return { name, port };
}

const INNER: readonly IpRange[] = ["unspecified", "loopback", "linkLocalUnicast", "multicast"];

/** @throws StatusError 400 for what is no address that others have too: the server's own network is not to be reached */
function mustBeOutside(address: string): void {
  const ip = tryParseIp(address);
  if (!ip || INNER.some((range) => inRange(ip, range))) throw badRequest("address not allowed");
}

const unavailable = (message: string) => new StatusError(503, "ServiceUnavailable", message);
const unreachable = (what: string) => unavailable(`error trying to reach service: ${what} cannot be reached`);

/** Any method below a pod's proxy. */
export const podProxy: SubresourceHandler = {
  async connect(call) {
    const { name } = proxyName("pod", call.name), { to: pod } = await admitted(call, name);
    const ip: string = pod["status"]?.podIPs?.[0]?.ip ?? pod["status"]?.podIP ?? "";
    mustBeOutside(ip);
    throw unreachable(`pod ${name} at ${ip}`);
  },
};

/** Any method below a node's proxy. */
export const nodeProxy: SubresourceHandler = {
  async connect(call) {
    const { name } = proxyName("node", call.name), { to: node } = await admitted(call, name);
    mustBeOutside(addressOf(node));
    throw unreachable(`node ${name}`);
  },
};

/** Any method below a service's proxy. */
export const serviceProxy: SubresourceHandler = {
  async connect(call) {
    const { name, port } = proxyName("service", call.name);
    const { to: service } = await admitted(call, name);
    const ip = backendOf(call, name, portName(service, name, port));
    throw unreachable(`${ip}, an address of service ${name},`);
  },
};

/** The name of a port that is asked for by its number or name. @throws StatusError 503 for a number that the service has not */
function portName(service: Obj, name: string, asked: string): string {
  if (!/^[-+]?\d+$/.test(asked)) return asked;
  const ports: { name?: string; port: number }[] = service["spec"]?.ports ?? [];
  const port = ports.find((p) => p.port === Number(asked));
  if (!port) throw unavailable(`no service port ${asked} found for service "${name}"`);
  return port.name ?? "";
}

interface Address {
  readonly ip: string;
  readonly targetRef?: { readonly namespace?: string; readonly name?: string };
}

interface Subset {
  readonly addresses?: readonly Address[];
  readonly ports?: readonly { readonly name?: string }[];
}

/** The first address behind a port that is a pod's. @throws StatusError 404 without endpoints, 503 with none that will do */
function backendOf(call: Call, name: string, port: string): string {
  const endpoints = call.api.store(call.api.catalog.resource("endpoints")!).cache.get(call.namespace, name)?.peek();
  if (!endpoints) throw notFound(call.api.store(call.served.resource).gr, name);
  const subsets: readonly Subset[] = endpoints["subsets"] ?? [];
  const fit = subsets.filter((s) => s.ports?.some((p) => (p.name ?? "") === port)).flatMap((s) => s.addresses ?? []);
  const found = fit.find((address) => isOfPod(call, address));
  if (!found) throw unavailable(`no endpoints available for service "${subsets.length ? call.name : name}"`);
  return found.ip;
}

function isOfPod(call: Call, { ip, targetRef }: Address): boolean {
  if (!targetRef?.name || targetRef.namespace !== call.namespace) return false;
  const pod = call.api.store(call.api.catalog.resource("pods")!).cache.get(call.namespace, targetRef.name)?.peek();
  return !!pod?.["status"]?.podIPs?.some((p: { ip: string }) => p.ip === ip);
}
