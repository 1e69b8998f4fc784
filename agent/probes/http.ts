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
  return { url: new URL(base + pathOf(action.path ?? "", base)), headers: headersOf(action, purpose) };
}

/** A percent sign in a path that begins no byte. */
const BROKEN = /^[^?#]*%(?![0-9a-fA-F]{2})/;

/** A path that is none of a URL is taken as it is, `?` and all. */
function pathOf(text: string, base: string): string {
  const url = BROKEN.test(text) ? undefined : URL.parse(text, base);
  if (url) return url.pathname + url.search;
  return `/${text.replace(/^\//, "").split("/").map(encodeURIComponent).join("/")}`;
}

/** `x-a` as `X-A`, as public clients send it; what is no word is left as it is. */
function canonicalName(name: string): string {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return name;
  return name.toLowerCase().replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
}

/** Not sent where they are empty. */
const OMITTED = ["Host", "User-Agent", "Accept"];

function headersOf(action: HTTPGetAction, purpose: string): Record<string, string | string[]> {
  const headers = new Map<string, string[]>();
  for (const { name, value } of action.httpHeaders ?? []) {
    const key = canonicalName(name), known = headers.get(key);
    if (known) known.push(value);
    else headers.set(key, [value]);
  }
  if (!headers.has("User-Agent")) headers.set("User-Agent", [`kube-${purpose}/${VERSION}`]);
  if (!headers.has("Accept")) headers.set("Accept", ["*/*"]);
  for (const name of OMITTED) if (headers.get(name)?.[0] === "") headers.delete(name);
  // One host only, as a request can name no more.
  return Object.fromEntries(
    [...headers].map(([name, values]) => [name, name === "Host" || values.length === 1 ? values[0]! : values]),
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
