/**
 * A transport for servers that know nothing of the path that their clients see them by: what their answers say of their own place is
 * put below that path.
 */
import { internal, StatusError } from "../../schema/status.ts";
import { hostPort } from "../../schema/values/host_port.ts";
import { PAGE_ENCODINGS, within } from "./encodings.ts";
import { rewriteHtml } from "./html.ts";
import { cleanKeepingSlash } from "./paths.ts";
import type { ProxyAnswer, ProxyHeaders, ProxyTarget, ProxyTransport } from "./types.ts";

/** Where clients see the other server. */
export interface Seen {
  /** Path before that of the other server, encoded. */
  readonly prefix: string;
  /** The client's header `Host`. */
  readonly host: string;
}

/** What the other server says of who else may read its answers: this server is not it. */
const CORS = new Set([
  "access-control-allow-credentials",
  "access-control-allow-headers",
  "access-control-allow-methods",
  "access-control-allow-origin",
]);

/** See the top of the file. It throws StatusError: 503 when the other server cannot be reached, 500 for what it cannot mean. */
export function rewriting(transport: ProxyTransport, seen: Seen): ProxyTransport {
  return {
    async send(target, request, signal) {
      const uri: [string, string] = ["x-forwarded-uri", forwardedUri(seen.prefix, target.path)];
      const headers = [...request.headers.filter(([name]) => name.toLowerCase() !== uri[0]), uri];
      try {
        return rewritten(await transport.send(target, { ...request, headers }, signal), target, seen);
      } catch (e) {
        if (e instanceof StatusError) throw e;
        const why = e instanceof Error ? e.message : String(e);
        throw new StatusError(503, "ServiceUnavailable", `error trying to reach service: ${why}`, undefined, {
          cause: e,
        });
      }
    },
    upgrade: (target, request, signal) => transport.upgrade(target, request, signal),
    close: () => transport.close(),
  };
}

function forwardedUri(prefix: string, target: string): string {
  return cleanKeepingSlash(`${prefix}/${target.split("?", 1)[0]!}`);
}

const valueOf = (headers: ProxyHeaders, name: string): string =>
  headers.find(([n]) => n.toLowerCase() === name)?.[1] ?? "";

function rewritten(answer: ProxyAnswer, target: ProxyTarget, seen: Seen): ProxyAnswer {
  const headers = answer.headers.filter(([name]) => !CORS.has(name.toLowerCase()));
  const own = hostPort(target.host, target.port);
  const place = (url: string) => placed(url, own, seen);
  const location = valueOf(headers, "location");
  if (location !== "") {
    const moved = place(location);
    if (moved === undefined) {
      void answer.body.cancel().catch(() => {});
      throw internal("the other server's Location header is no URL");
    }
    return { ...answer, headers: headers.map(([n, v]) => n.toLowerCase() === "location" ? [n, moved] : [n, v]) };
  }
  const type = valueOf(headers, "content-type").split(";")[0]!.trim();
  const encoded = valueOf(headers, "content-encoding"), encoding = PAGE_ENCODINGS.get(encoded);
  if (type !== "text/html" || !(encoded === "" || encoding)) return { ...answer, headers };
  const change = (body: ProxyAnswer["body"]) => rewriteHtml(body, (url) => place(url) ?? url);
  return {
    ...answer,
    headers: headers.filter(([name]) => name.toLowerCase() !== "content-length"),
    body: encoding ? within(answer.body, encoding, change) : change(answer.body),
  };
}

const URL_PARTS = /^(?:([A-Za-z][A-Za-z0-9+\-.]*):)?(?:\/\/([^/?#]*))?([^?#]*)(.*)$/s;
const BROKEN = /[\p{Cc} ]|%(?![0-9A-Fa-f]{2})/u;

/** A URL as the client reaches it; unchanged when it leads elsewhere or is relative, undefined when it is none. */
function placed(url: string, authority: string, { prefix, host }: Seen): string | undefined {
  if (BROKEN.test(url)) return undefined;
  const [, scheme = "", there = "", path = "", rest = ""] = URL_PARTS.exec(url)!;
  if ((there !== "" && there !== authority && there !== host) || !path.startsWith("/")) return url;
  const origin = there === "" || there !== host ? "" : `${scheme === "" ? "" : `${scheme}:`}//${there}`;
  return origin + (path.startsWith(prefix) ? path : cleanKeepingSlash(`${prefix}${path}`)) + rest;
}
