/** The application for hosts that listen themselves (`deno serve`, an isolate): no client certificates. */
import type { AppHandler } from "./types.ts";

/** What such a host tells of a request, as far as it does. */
export interface HostInfo {
  readonly remoteAddr?: { readonly hostname?: string };
}

/** The default export of a module for such a host. Each request is a connection of its own: the host does not tell which it came by. */
export function edgeExport(handler: AppHandler): {
  fetch(request: Request, info?: HostInfo): Response | Promise<Response>;
} {
  return {
    fetch: (request, info) =>
      handler(request, {
        remoteAddress: info?.remoteAddr?.hostname ?? "",
        peerCertificates: [],
        tls: request.url.startsWith("https:"),
      }),
  };
}
