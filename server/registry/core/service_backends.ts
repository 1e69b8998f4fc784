/** Which pod answers for a service. */
import { notFound, StatusError } from "../../../schema/status.ts";
import type { Call } from "../../endpoints/api.ts";
import { connectedTo } from "./connect.ts";

/** Where an answer is to be had. */
export interface Backend {
  readonly ip: string;
  readonly port: number;
}

interface Address {
  readonly ip: string;
  readonly targetRef?: { readonly namespace?: string; readonly name?: string };
}

interface Subset {
  readonly addresses?: readonly Address[];
  readonly ports?: readonly { readonly name?: string; readonly port: number }[];
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

/** A ready address behind a port that is a pod's, any of them. @throws StatusError 404 without endpoints, 503 with none that will do */
export async function backendOf(call: Call, name: string, asked: string): Promise<Backend> {
  const wanted = await portName(call, name, asked);
  const endpoints = call.api.store(call.api.catalog.resource("endpoints")!).cache.get(call.namespace, name)?.peek();
  if (!endpoints) throw notFound(call.api.store(call.served.resource).gr, name);
  const subsets: readonly Subset[] = endpoints["subsets"] ?? [];
  for (const { ports = [], addresses = [] } of fromAnywhere(subsets, call.api.random())) {
    for (const { port } of ports.filter((p) => (p.name ?? "") === wanted)) {
      for (const address of fromAnywhere(addresses, call.api.random())) {
        if (isOfPod(call, address)) return { ip: address.ip, port };
      }
    }
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
