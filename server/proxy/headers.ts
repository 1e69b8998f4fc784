/** Headers of requests and answers that are passed on. */
import { withoutTokens } from "../../schema/values/token_protocols.ts";
import type { RequestHeaders } from "../request_headers.ts";
import type { ProxyHeaders } from "./types.ts";

/** Of one connection, never passed on (RFC 9110, 7.6.1, and what the field uses beside). */
const OWN = new Set([
  "connection",
  "proxy-connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
/** Of a request, also made anew. `authorization` was for this server alone. */
const OWN_OF_REQUEST = new Set(["host", "authorization", "x-forwarded-for", "expect"]);

/** Names that a header `Connection` says are of the connection. */
const named = (connection: string): Set<string> =>
  new Set(connection.split(",").map((n) => n.trim().toLowerCase()).filter((n) => n !== ""));

const PROTOCOLS = "sec-websocket-protocol";

/** What of a client's request is told. */
export interface Passed {
  /** Address of the client, added to `X-Forwarded-For`; empty: unknown. */
  readonly client: string;
  /** Names in lower case that are not passed on. */
  drop?(name: string): boolean;
  /** Put in place of those of the same name. */
  readonly set?: ProxyHeaders;
  /** The request is to be upgraded: those headers are passed on. */
  readonly upgrade?: boolean;
}

/** Headers of a client's request as another server is sent them. */
export function requestHeaders(headers: RequestHeaders, { client, drop, set = [], upgrade }: Passed): ProxyHeaders {
  const local = named(headers.get("connection") ?? "");
  const replaced = new Set(set.map(([name]) => name.toLowerCase()));
  const out: [string, string][] = [];
  headers.forEach((value, name) => {
    if (OWN.has(name) || OWN_OF_REQUEST.has(name) || local.has(name)) return;
    if (replaced.has(name) || drop?.(name)) return;
    // A token was for this server alone.
    const told = name === PROTOCOLS ? withoutTokens(value) : value;
    if (told !== "" || value === "") out.push([name, told]);
  });
  const before = headers.get("x-forwarded-for");
  const forwarded = [before, client].filter((v) => v !== null && v !== "").join(", ");
  if (forwarded !== "") out.push(["x-forwarded-for", forwarded]);
  const kind = headers.get("upgrade");
  if (upgrade && kind !== null) out.push(["connection", "Upgrade"], ["upgrade", kind]);
  return [...out, ...set];
}

/** Headers of another server's answer as the client is sent them. */
export function answerHeaders(headers: ProxyHeaders): ProxyHeaders {
  const local = named(headers.filter(([n]) => n.toLowerCase() === "connection").map(([, v]) => v).join(","));
  return headers.filter(([name]) => !OWN.has(name.toLowerCase()) && !local.has(name.toLowerCase()));
}

/** HTTP itself, in another version or under TLS. */
const HTTP = /(?:^|,)[ \t]*(?:h2c?|http|tls)[ \t]*(?:[/,]|$)/i;

/**
 * Whether a request asks for another protocol on its connection. Another HTTP is none, as servers may leave it at that: who it was
 * given to would tell the other server of a user what they like, request by request, by this server's certificate.
 */
export function asksUpgrade(headers: RequestHeaders): boolean {
  const wanted = headers.get("upgrade");
  return wanted !== null && !HTTP.test(wanted) && named(headers.get("connection") ?? "").has("upgrade");
}
