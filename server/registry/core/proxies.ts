/** The proxies of pods, services and nodes: any request below them is passed on to what they stand for. */
import type { Obj } from "../../../schema/model/types.ts";
import { badRequest, StatusError } from "../../../schema/status.ts";
import { isOutside } from "../../agents/addresses.ts";
import type { AgentAddress } from "../../agents/agents.ts";
import type { Beyond } from "../../agents/beyond.ts";
import type { Call, SubresourceHandler } from "../../endpoints/api.ts";
import { splitUrl } from "../../filters/url.ts";
import { forward } from "../../proxy/forward.ts";
import { asksUpgrade } from "../../proxy/headers.ts";
import { cleanKeepingSlash, encodePath } from "../../proxy/paths.ts";
import { rewriting } from "../../proxy/rewriting.ts";
import type { ProxyTarget } from "../../proxy/types.ts";
import { admitted, connectedTo } from "./connect.ts";
import { OFFERED, protocols } from "./socket_protocols.ts";
import { backendOf } from "./service_backends.ts";

const SCHEMES = new Set(["", "http", "https"]);

/** What a name in a proxy's path asks for. The scheme is empty where none is said, the port too. */
interface Asked {
  readonly scheme: string;
  readonly name: string;
  readonly port: string;
}

/** `https:name:port`, `name:port`, `name`. @throws StatusError 400 for anything else */
function askedOf(what: string, text: string): Asked {
  const parts = text.split(":");
  const [scheme = "", name = "", port = ""] = parts.length === 3 ? parts : ["", ...parts];
  if (parts.length > 3 || name === "" || !SCHEMES.has(scheme)) throw badRequest(`invalid ${what} request "${text}"`);
  return { scheme, name, port };
}

const notAllowed = () => badRequest("address not allowed");

/** Where a request goes, but for its path. */
type Place = Omit<ProxyTarget, "path" | "authority">;

/** A place that is no agent's: nobody vouches for what answers there. @throws StatusError 503 for a port that is none */
function placeOf(scheme: string, host: string, port: string): Place {
  const number = port === "" ? (scheme === "https" ? 443 : 80) : /^\d{1,5}$/.test(port) ? Number(port) : 0;
  if (number < 1 || number > 65_535) {
    throw new StatusError(503, "ServiceUnavailable", `error trying to reach service: ${port} is no port`);
  }
  return {
    host,
    port: number,
    network: "cluster",
    ...(scheme === "https" ? { tls: { name: host, ca: "", insecure: true } } : {}),
  };
}

/**
 * Any method below a pod's proxy. It throws StatusError 400 for an address that may not be proxied, and what finding the pod
 * throws.
 */
export const podProxy = (beyond: Beyond): SubresourceHandler => ({
  async connect(call) {
    const { scheme, name, port } = askedOf("pod", call.name);
    const options = await admitted(call);
    const pod = await connectedTo(call, name);
    const ip: string = pod["status"]?.podIPs?.[0]?.ip ?? pod["status"]?.podIP ?? "";
    if (!isOutside(ip)) throw notAllowed();
    return await passOn(call, beyond, placeOf(scheme, ip, port || firstPort(pod)), options);
  },
});

/** The first port of the first container that has one. */
function firstPort(pod: Obj): string {
  const containers: readonly { ports?: readonly { containerPort: number }[] }[] = pod["spec"]?.containers ?? [];
  return String(containers.flatMap((c) => c.ports?.slice(0, 1) ?? [])[0]?.containerPort ?? "");
}

/** Any method below a node's proxy: its agent, or by another port whatever is there. */
export const nodeProxy = (beyond: Beyond): SubresourceHandler => ({
  async connect(call) {
    const { scheme, name, port } = askedOf("node", call.name);
    const options = await admitted(call);
    const agent = beyond.agents.addressOf(await connectedTo(call, name));
    const host = await allowedHost(beyond, agent);
    const place = port === "" || port === String(agent.port)
      ? { ...beyond.agents.target(agent, ""), host }
      : placeOf(scheme, host, port);
    return await passOn(call, beyond, place, options);
  },
});

/** An address of a node that has been looked at, so that its name cannot mean another one meanwhile. @throws StatusError 400 */
async function allowedHost({ lookup }: Beyond, { host }: AgentAddress): Promise<string> {
  let found: readonly string[];
  try {
    found = await lookup(host);
  } catch (e) {
    throw badRequest(`the address of the node is not known: ${(e as Error).message}`);
  }
  if (found.length === 0 || !found.every(isOutside)) throw notAllowed();
  return found[0]!;
}

/** Any method below a service's proxy. */
export const serviceProxy = (beyond: Beyond): SubresourceHandler => ({
  async connect(call) {
    const { scheme, name, port } = askedOf("service", call.name);
    const options = await admitted(call);
    const backend = await backendOf(call, name, port);
    return await passOn(call, beyond, placeOf(scheme, backend.ip, String(backend.port)), options);
  },
});

/** @throws StatusError 503 when nobody answers there, 500 when nobody does to an upgrade */
async function passOn(call: Call, beyond: Beyond, place: Place, options: Obj): Promise<Response> {
  const { scope } = call;
  const { request: { method, url }, headers } = scope;
  const { path: own, query } = splitUrl(url);
  const asked = options["path"] ? encodePath(cleanKeepingSlash(options["path"])) : "";
  const path = own.endsWith("/") && !asked.endsWith("/") ? `${asked}/` : asked;
  const behind = query === "" ? "" : `?${query}`;
  if (path === "" && (method === "GET" || method === "HEAD") && !asksUpgrade(headers)) {
    return new Response(null, { status: 301, headers: { location: `${own}/${behind}` } });
  }
  const host = headers.get("host") ?? scope.url.host;
  const drop = (name: string) => name === OFFERED || beyond.withheld(name);
  const transport = rewriting(beyond.transport, { prefix: prefixOf(own), host });
  const target = { ...place, path: `${path || "/"}${behind}`, authority: host };
  try {
    return await forward(scope, { transport, target, drop, set: protocols(headers) });
  } catch (e) {
    if (e instanceof StatusError) throw e;
    throw new StatusError(500, "", `error dialing backend: ${(e as Error).message}`, undefined, { cause: e });
  }
}

/** What of the request's path stands before the other server's own. */
const PREFIX = /^\/api\/[^/]+\/(?:namespaces\/[^/]+\/)?[^/]+\/[^/]+\/proxy/;
const prefixOf = (own: string): string => PREFIX.exec(own)?.[0] ?? own;
