/** Which pod answers for a service. */
import type { Obj } from "../../../schema/model/types.ts";
import { StatusError } from "../../../schema/status.ts";
import type { Call } from "../../endpoints/api.ts";
import { connectedTo } from "./connect.ts";

/** Where an answer is to be had. */
export interface Backend {
  readonly ip: string;
  readonly port: number;
}

interface Endpoint {
  readonly addresses: readonly string[];
  readonly conditions?: { readonly ready?: boolean };
  readonly targetRef?: { readonly namespace?: string; readonly name?: string };
}

interface SlicePort {
  readonly name?: string;
  readonly port?: number;
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

/** A ready endpoint behind a port that is a pod's, any of them. @throws StatusError 404 for a service that is not there, 503 with no endpoint that will do */
export async function backendOf(call: Call, name: string, asked: string): Promise<Backend> {
  const wanted = await portName(call, name, asked);
  for (const slice of slicesOf(call, name)) {
    const ports: readonly SlicePort[] = slice["ports"] ?? [], endpoints: readonly Endpoint[] = slice["endpoints"] ?? [];
    const port = ports.find((p) => (p.name ?? "") === wanted)?.port;
    const one = port && fromAnywhere(endpoints, call.api.random()).find((e) => isReady(e) && isOfPod(call, e));
    if (one) return { ip: one.addresses[0]!, port };
  }
  throw unavailable(`no endpoints available for service "${name}"`);
}

/** Slices of a service, those of its first IP family first. */
function slicesOf({ api, namespace }: Call, service: string): readonly Obj[] {
  const label = api.scheme.product.local("kubernetes.io/service-name");
  const cacheOf = (id: string) => api.store(api.catalog.resource(id)!).cache;
  const own = [...cacheOf("endpointslices.discovery.k8s.io").snapshot().range({ namespace })]
    .filter((e) => e.labels[label] === service && !e.error).map((e) => e.peek());
  const family = cacheOf("services").get(namespace, service)?.peek()["spec"]?.ipFamilies?.[0];
  const rank = (slice: Obj) => slice["addressType"] === family ? 0 : 1;
  return fromAnywhere(own, api.random()).toSorted((a, b) => rank(a) - rank(b));
}

/** All of a list, from a place on that chance chooses. */
function fromAnywhere<T>(list: readonly T[], chance: number): readonly T[] {
  const start = Math.floor(chance * list.length);
  return [...list.slice(start), ...list.slice(0, start)];
}

const isReady = ({ conditions }: Endpoint): boolean => conditions?.ready !== false;

/** Only pods are led to, at an address of theirs. */
function isOfPod(call: Call, { addresses: [ip], targetRef }: Endpoint): boolean {
  if (!targetRef?.name || targetRef.namespace !== call.namespace) return false;
  const pod = call.api.store(call.api.catalog.resource("pods")!).cache.get(call.namespace, targetRef.name)?.peek();
  return !!pod?.["status"]?.podIPs?.some((p: { ip: string }) => p.ip === ip);
}
