/** Passing on of requests for group versions that extension servers serve. */
import { NoAddress } from "../admission/webhooks/address.ts";
import { splitUrl } from "../filters/url.ts";
import { forward, type ForwardOptions } from "../proxy/forward.ts";
import { NoTunnel } from "../proxy/tunnel.ts";
import type { ProxyAnswer, ProxyHeaders } from "../proxy/types.ts";
import type { RequestScope } from "../request.ts";
import type { Reach } from "./reach.ts";
import type { Registration } from "./registrations.ts";

/** How requests are passed on. */
export interface PassParts {
  readonly reach: Reach;
  /** Whether a client's header, by its lower-case name, says who somebody is. */
  tellsUser(name: string): boolean;
  /** `--aggregator-reject-forwarding-redirect`. */
  readonly rejectRedirects: boolean;
}

/** Every client waits for discovery: a server has so long for it, ms. */
const DISCOVERY_MS = 5000;
/** What browsers may do is said by this server alone. */
const CORS = "access-control-allow-";

/** An answer as proxies give it: a line of text. */
function plain(status: number, text: string): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" },
  });
}

const unavailable = (): Response => plain(503, "service unavailable");

/** Passes a request to the server of a registration. */
export async function passOn(
  { reach, tellsUser, rejectRedirects }: PassParts,
  scope: RequestScope,
  registration: Registration,
): Promise<Response> {
  if (!registration.available) return unavailable();
  const { path, query } = splitUrl(scope.request.url);
  const limit = isDiscovery(scope) ? new AbortController() : undefined;
  const timer = limit && setTimeout(() => limit.abort(new Error("the extension server is late")), DISCOVERY_MS);
  try {
    const target = reach.target(registration, query === "" ? path : `${path}?${query}`);
    const options: ForwardOptions = {
      transport: reach.transport,
      target,
      set: [...reach.headersOf(scope.user), ...forwardedBy(target.authority, path)],
      drop: tellsUser,
      dropAnswer: (name) => name.startsWith(CORS),
      replace: (answer) => rejectRedirects && redirects(answer) ? redirected() : undefined,
      ...(limit ? { signal: limit.signal, restMs: DISCOVERY_MS } : {}),
    };
    return await forward(scope, options);
  } catch (e) {
    if (e instanceof NoAddress) return unavailable();
    if (e instanceof NoTunnel) return plain(400, e.message);
    return plain(503, `the extension server cannot be reached: ${(e as Error).message}`);
  } finally {
    clearTimeout(timer);
  }
}

/** How the server is asked, in the field's headers: by what address, and for what. */
const forwardedBy = (authority: string, path: string): ProxyHeaders => [
  ["x-forwarded-host", authority],
  ["x-forwarded-proto", "https"],
  ["x-forwarded-uri", path],
];

/** `/apis/<group>/<version>` itself. */
const isDiscovery = ({ info }: RequestScope): boolean =>
  !info.isResource && info.path.split("/").filter((part) => part !== "").length === 3;

const redirects = ({ status, headers }: ProxyAnswer): boolean =>
  status >= 300 && status <= 399 && headers.some(([name, value]) => name.toLowerCase() === "location" && value !== "");

const redirected = (): Response => plain(502, "the extension server answered with a redirect, which is not allowed");
