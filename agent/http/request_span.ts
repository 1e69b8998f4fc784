/** The span of a request that came, named and described as the public agent does. */
import type { SpanAttributes } from "../../schema/tracing/span.ts";
import type { SpanRequest } from "../../schema/tracing/tracer.ts";
import { addressOf } from "../../schema/values/socket_address.ts";
import type { Incoming } from "./listen/listen.ts";

const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: "80", https: "443" };

/** The span of a request to a route. Who asks does not decide what is recorded: its trace is only named. */
export function requestSpan({ request, peer }: Incoming, route: string, path: string, startedAt: number): SpanRequest {
  const { headers } = request;
  const one = (name: string): string | undefined => [headers[name]].flat()[0] || undefined;
  return {
    name: route,
    headers: { get: (name) => one(name) ?? null },
    startedAt,
    trusted: false,
    attributes: (): SpanAttributes => {
      const scheme = peer.secure ? "https" : "http", address = addressOf(peer.socket.remoteAddress ?? "") || undefined;
      const port = /:(\d+)$/.exec(headers.host ?? "")?.[1];
      return {
        "server.address": "kubelet",
        "server.port": port === undefined || port === DEFAULT_PORTS[scheme] ? undefined : Number(port),
        "http.request.method": request.method,
        "http.route": route,
        "url.scheme": scheme,
        "url.path": path,
        "network.peer.address": address,
        "network.peer.port": peer.socket.remotePort,
        "network.protocol.version": request.httpVersion,
        "client.address": one("x-forwarded-for")?.split(",")[0]?.trim() || address,
        "user_agent.original": one("user-agent"),
      };
    },
  };
}
