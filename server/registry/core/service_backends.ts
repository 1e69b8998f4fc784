/** Which pod answers for a service. */
import type { Obj } from "../../../schema/model/types.ts";
import { items } from "../../../schema/rules/tree.ts";
import { notFound, StatusError } from "../../../schema/status.ts";
import type { Call } from "../../endpoints/api.ts";
import { connectedTo } from "./connect.ts";

/** Where an answer is to be had. */
export interface Backend {
  readonly ip: string;
  readonly port: number;
}

interface Pod {
  readonly namespace?: string;
  readonly name?: string;
}

interface Address {
  readonly ip: string;
  readonly targetRef?: Pod;
}

interface Port {
  readonly name?: string;
  readonly port?: number;
}

interface Subset {
  readonly addresses?: readonly Address[];
  readonly ports?: readonly Port[];
}

/** Of a slice. */
interface Endpoint {
  readonly addresses: readonly string[];
  readonly conditions?: { readonly ready?: boolean };
  readonly targetRef?: Pod;
}

const unavailable = (message: string) => new StatusError(503, "ServiceUnavailable", message);

/** The name of a port that is asked for by its number or name. @throws StatusError 404, 503 for a number that the service has not */
async function portName(call: Call, name: string, asked: string): Promise<string> {
  if (!/^[-+]?\d+$/.test(asked)) return asked;
  const service = await connectedTo(call, name);
  const ports: readonly { name?: string; port: number }[] = service["spec"]?.ports ?? [];
  const port = ports.find((p) => p.port === Number(asked));
  if (!port) throw unavailable(`no service port ${asked} found for service "${name}"`);
  return port.name ?? "";
}

/** What the slices of a service say; without any, its endpoints. Undefined: there are neither. */
function subsetsOf({ api, namespace }: Call, name: string): readonly Subset[] | undefined {
  const slices = api.catalog.resource("endpointslices.discovery.k8s.io");
  const label = api.scheme.product.local("kubernetes.io/service-name"), found: Subset[] = [];
  for (const entry of slices ? api.store(slices).cache.snapshot().range({ namespace }) : []) {
    if (entry.labels[label] === name) found.push(subsetOf(entry.peek()));
  }
  if (found.length) return found;
  const endpoints = api.store(api.catalog.resource("endpoints")!).cache.get(namespace, name)?.peek();
  return endpoints && (endpoints["subsets"] ?? []);
}

/** A slice as endpoints have it: an address of each that is ready. */
function subsetOf(slice: Obj): Subset {
  const ready = items<Endpoint>(slice["endpoints"]).filter((e) => e.conditions?.ready !== false);
  const addresses = ready.map(({ addresses, targetRef }) => ({ ip: addresses[0]!, ...targetRef && { targetRef } }));
  return { addresses, ports: items<Port>(slice["ports"]) };
}

/** A ready address behind a port that is a pod's, any of them. @throws StatusError 404 without endpoints, 503 with none that will do */
export async function backendOf(call: Call, name: string, asked: string): Promise<Backend> {
  const wanted = await portName(call, name, asked);
  const subsets = subsetsOf(call, name);
  if (!subsets) throw notFound(call.api.store(call.served.resource).gr, name);
  for (const { ports = [], addresses = [] } of fromAnywhere(subsets, call.api.random())) {
    const port = ports.find((p) => (p.name ?? "") === wanted)?.port;
    if (port === undefined) continue;
    const address = fromAnywhere(addresses, call.api.random()).find((a) => isOfPod(call, a));
    if (address) return { ip: address.ip, port };
  }
  throw unavailable(`no endpoints available for service "${subsets.length ? call.name : name}"`);
}

/** All of a list, from a place on that chance chooses. */
function fromAnywhere<T>(list: readonly T[], chance: number): readonly T[] {
  const start = Math.floor(chance * list.length);
  return [...list.slice(start), ...list.slice(0, start)];
}

function isOfPod(call: Call, { ip, targetRef }: Address): boolean {
  if (!targetRef?.name || targetRef.namespace !== call.namespace) return false;
  const pod = call.api.store(call.api.catalog.resource("pods")!).cache.get(call.namespace, targetRef.name)?.peek();
  return !!pod?.["status"]?.podIPs?.some((p: { ip: string }) => p.ip === ip);
}
