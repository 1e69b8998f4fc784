/** A line for each request, for those who want verbose lines of `httplog` at level 3, as at the API server. */
import type { Verbose } from "../../schema/log/log.ts";
import { addressOf } from "../../schema/values/socket_address.ts";
import type { Incoming } from "./listen/listen.ts";

const LEVEL = 3;
/** A connection that speaks something else by now has no answer of its own. */
const SWITCHED = 101;

/** Tells of a request at its end: streams last. `now`: ms since the epoch. */
export function tellRequest(verbose: Verbose | undefined, incoming: Incoming, now: () => number): void {
  const say = verbose?.("httplog", LEVEL);
  if (!say) return;
  const { request, response, peer, signal } = incoming, began = now();
  const told = () =>
    say("HTTP", {
      verb: request.method ?? "",
      URI: request.url ?? "",
      latency: `${now() - began}ms`,
      userAgent: request.headers["user-agent"] ?? "",
      srcIP: addressOf(peer.socket.remoteAddress ?? ""),
      resp: response.headersSent ? response.statusCode : SWITCHED,
    });
  signal.addEventListener("abort", told, { once: true });
}
