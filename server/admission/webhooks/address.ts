/** Where a webhook is: its URL, or the address of the service that its configuration names. */
import type { Obj } from "../../../schema/model/types.ts";
import { fraction } from "../../../schema/values/random.ts";
import { items, type Tree } from "../../../schema/rules/tree.ts";
import { byNamespace } from "../facts.ts";
import type { PluginContext } from "../types.ts";
import { endpointsOf, type Place } from "./endpoints.ts";
import type { ClientConfig } from "./hook.ts";
import type { HookAddress } from "./transport.ts";

/** Why a webhook has no address. The message is fit for clients. */
export class NoAddress extends Error {}

/** A port of a service. */
export interface Reference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** A path as it is asked for: without empty parts, which servers answer with a redirect. */
const clean = (path: string): string => `/${path.split("/").filter((part) => part !== "").join("/")}`;

/** The bare host of a URL. */
const bare = (host: string): string => host.replace(/^\[(.*)\]$/, "$1");

/** Tells the address of a webhook; `seconds`: what it is told of the time that it has. @throws NoAddress */
export type Addressing = (client: ClientConfig, seconds: number) => HookAddress;

/** Tells where a service's port is. @throws NoAddress */
export type Placing = (reference: Reference) => Place;

/** What addresses are told by. */
export type AddressContext = Pick<PluginContext, "lister" | "options" | "product" | "random">;

/** The placing of a server: by services' addresses, or by those of their endpoints (`--enable-aggregator-routing`). */
export const placing = (ctx: AddressContext): Placing =>
  ctx.options.enableAggregatorRouting ? toEndpoint(ctx) : toService(ctx);

/**
 * The addressing of a server. It throws {@linkcode NoAddress} for a service that has none, or a client whose configuration cannot
 * be read.
 */
export function addressing(ctx: AddressContext): Addressing {
  const place = placing(ctx);
  return (client, seconds) => {
    if ("fault" in client) throw new NoAddress(client.fault);
    const { ca } = client, query = `?timeout=${seconds}s`;
    if ("url" in client) {
      const network = "controlplane";
      const { hostname, port, pathname } = client.url, name = bare(hostname), number = port ? Number(port) : 443;
      return { host: name, port: number, name, namedPort: number, path: clean(pathname) + query, ca, network };
    }
    const { namespace, name, port } = client.service;
    // The API's own service is this server.
    const own = namespace === "default" && name === ctx.product.service && port === 443;
    const network = own ? undefined : "cluster";
    const path = clean(client.path) + query;
    return { ...place(client.service), name: `${name}.${namespace}.svc`, namedPort: port, path, ca, network };
  };
}

/** The service, and its port that is named. @throws NoAddress */
function found({ lister }: AddressContext, { namespace, name, port }: Reference): { service: Obj; port: Tree } {
  const service = lister.get("services", namespace, name), shown = JSON.stringify(name);
  if (!service) throw new NoAddress(`service ${shown} not found`);
  const own = items(service["spec"]?.ports).find((p) => p["port"] === port);
  if (!own && service["spec"]?.type !== "ExternalName") {
    throw new NoAddress(`no service port ${port} found for service ${shown}`);
  }
  return { service, port: own ?? {} };
}

const toService = (ctx: AddressContext): Placing => (reference) => {
  const { service } = found(ctx, reference), spec: Tree = service["spec"], { port } = reference;
  if (spec["type"] === "ExternalName") return { host: spec["externalName"], port };
  const host: string = spec["clusterIP"] ?? "";
  if (host !== "" && host !== "None") return { host, port };
  throw new NoAddress(`service ${JSON.stringify(reference.name)} has no address of its own`);
};

/** One of the ready endpoints, any. */
function toEndpoint(ctx: AddressContext): Placing {
  const label = ctx.product.local("kubernetes.io/service-name");
  const slices = byNamespace(
    ctx.lister,
    "endpointslices.discovery.k8s.io",
    (all) => Map.groupBy(all, (slice) => slice.metadata.labels?.[label] ?? ""),
  );
  return (reference) => {
    const { service, port } = found(ctx, reference), { namespace, name } = reference;
    if (service["spec"]?.type === "ExternalName") throw new NoAddress('unsupported service type "ExternalName"');
    const ready = endpointsOf(service, port["name"] ?? "", slices(namespace).get(name) ?? []);
    const one = ready[Math.floor(fraction((n) => ctx.random(n)) * ready.length)];
    if (one) return one;
    throw new NoAddress(`no endpoints available for service ${JSON.stringify(name)}`);
  };
}
