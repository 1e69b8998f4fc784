/** Requests that last as long as their client wants: no time-out, no seat, no place among those in flight. */
import type { RequestInfo, RequestScope } from "../request.ts";
import { isUpgrade } from "./upgraded.ts";

const VERBS = new Set(["watch", "proxy"]);
const SUBRESOURCES = new Set(["attach", "exec", "proxy", "log", "portforward"]);

/** See the top of the file. */
export function isLongRunning({ isResource, verb, subresource, path }: RequestInfo): boolean {
  if (isResource) return VERBS.has(verb) || SUBRESOURCES.has(subresource);
  return path.startsWith("/debug/pprof/");
}

/** The answer has only begun: a watch, or what another server sends. The request's signal tells its end. */
export const goesOn = ({ info, streams }: RequestScope, response: Response): boolean =>
  streams ?? (info.verb === "watch" && (response.ok || isUpgrade(response)));

/** Calls back when a request that goes on is over: at once where its client has gone already. */
export function atEnd({ signal }: RequestScope, over: () => void): void {
  if (signal.aborted) over();
  else signal.addEventListener("abort", over, { once: true });
}

/** Requests that change nothing. */
export const isReadOnly = ({ verb }: RequestInfo): boolean => verb === "get" || verb === "list" || verb === "watch";
