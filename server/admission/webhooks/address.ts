/** Where a webhook is: its URL, or the address of the service that its configuration names. */
import type { Tree } from "../../../schema/rules/tree.ts";
import { items } from "../../../schema/rules/tree.ts";
import type { Lister } from "../types.ts";
import type { ClientConfig } from "./hook.ts";
import type { HookAddress } from "./transport.ts";

/** Why a webhook has no address. The message is fit for clients. */
export class NoAddress extends Error {}

/** The bare host of a URL. */
const bare = (host: string): string => host.replace(/^\[(.*)\]$/, "$1");

/** The address of a webhook; `seconds`: what it is told of the time that it has. @throws NoAddress */
export function addressOf(lister: Lister, client: ClientConfig, seconds: number): HookAddress {
  if ("fault" in client) throw new NoAddress(client.fault);
  const { ca } = client, query = `?timeout=${seconds}s`;
  if ("url" in client) {
    const { hostname, port, pathname } = client.url, name = bare(hostname), number = port ? Number(port) : 443;
    return { host: name, port: number, name, namedPort: number, path: pathname + query, ca };
  }
  const { namespace, name, port } = client.service;
  const path = (client.path.startsWith("/") ? client.path : `/${client.path}`) + query;
  return { ...placeOf(lister, client.service), name: `${name}.${namespace}.svc`, namedPort: port, path, ca };
}

interface Reference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** Host and port by which a service is reached. @throws NoAddress */
export function placeOf(lister: Lister, { namespace, name, port }: Reference): { host: string; port: number } {
  const service = lister.get("services", namespace, name);
  if (!service) throw new NoAddress(`service ${JSON.stringify(name)} not found`);
  const spec: Tree = service["spec"] ?? {};
  if (spec["type"] === "ExternalName") return { host: spec["externalName"], port };
  const host: string = spec["clusterIP"] ?? "";
  if (host === "" || host === "None") throw new NoAddress(`service ${JSON.stringify(name)} has no address of its own`);
  if (!items(spec["ports"]).some((p) => p["port"] === port)) {
    throw new NoAddress(`no service port ${port} found for service ${JSON.stringify(name)}`);
  }
  return { host, port };
}
