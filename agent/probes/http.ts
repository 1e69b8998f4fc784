/** Probes and hooks `httpGet`. */
import type { HTTPGetAction } from "../../schema/api/core_v1.ts";
import { hostPort } from "../../schema/values/host_port.ts";
import type { ContainerTarget } from "../types.ts";
import { hostOf, portOf } from "./address.ts";
import { type HttpAnswer, type HttpAsk, HttpFault, type Once, onceHttp1 } from "./http_once.ts";

/** Most places that one request is sent on to. */
const MAX_REDIRECTS = 10;
/** Version of the public agent that this one follows. */
const VERSION = "1.37";

/** The request of a handler. @throws Error: the handler leads nowhere */
export function httpAsk(action: HTTPGetAction, target: ContainerTarget, purpose: "probe" | "lifecycle"): HttpAsk {
  const address = hostPort(hostOf(action.host, target), portOf(action.port, target.container));
  const base = `${(action.scheme || "HTTP").toLowerCase()}://${address}`;
  const path = URL.parse(action.path ?? "", base);
  return {
    url: new URL(base + (path ? path.pathname + path.search : `/${encodeURI(action.path!)}`)),
    headers: headersOf(action, purpose),
  };
}

function headersOf(action: HTTPGetAction, purpose: string): Record<string, string | string[]> {
  const headers = new Map<string, { name: string; values: string[] }>();
  for (const { name, value } of action.httpHeaders ?? []) {
    const key = name.toLowerCase();
    const known = headers.get(key);
    if (known) known.values.push(value);
    else headers.set(key, { name, values: [value] });
  }
  if (!headers.has("user-agent")) {
    headers.set("user-agent", { name: "User-Agent", values: [`kube-${purpose}/${VERSION}`] });
  }
  if (!headers.has("accept")) headers.set("accept", { name: "Accept", values: ["*/*"] });
  else if (headers.get("accept")!.values[0] === "") headers.delete("accept");
  // One host only, as a request can name no more.
  return Object.fromEntries(
    [...headers].map(([key, { name, values }]) => [name, key === "host" || values.length === 1 ? values[0]! : values]),
  );
}

/** A way to ask once. */
type Send = (ask: HttpAsk, url: URL, signal: AbortSignal) => Promise<Once>;

/** Asks, and goes on to where it is sent on the same host. @throws HttpFault */
export async function httpGet(ask: HttpAsk, signal: AbortSignal, once: Send = onceHttp1): Promise<HttpAnswer> {
  let url = ask.url;
  for (let sent = 0;; sent++) {
    const { status, location, body } = await once(ask, url, signal);
    const next = location === undefined ? undefined : URL.parse(location, url);
    if (!next || next.hostname !== ask.url.hostname || !/^https?:$/.test(next.protocol)) return { status, body };
    if (sent === MAX_REDIRECTS - 1) {
      throw new HttpFault(`Get ${JSON.stringify(location)}: stopped after ${MAX_REDIRECTS} redirects`);
    }
    url = next;
  }
}
