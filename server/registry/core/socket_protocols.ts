/** Subprotocols that a client offers for a WebSocket. */
import type { ProxyHeaders } from "../../proxy/types.ts";
import type { RequestHeaders } from "../../request_headers.ts";

/** Header that offers them. */
export const OFFERED = "sec-websocket-protocol";
/** Start of the one that carries a bearer token: authentication has read it. */
const TOKEN = /^base64url\.bearer\.authorization\./;

/** Those that say what is spoken, in the client's order. */
export const offered = (headers: RequestHeaders): string[] =>
  (headers.get(OFFERED) ?? "").split(",").map((p) => p.trim()).filter((p) => p !== "" && !TOKEN.test(p));

/** Header in which clients of SPDY offer what they speak, a line for each. */
const VERSIONS = "x-stream-protocol-version";

/** What a client of any kind offers, as another server is sent it: it may read lines only. */
export const offers = (headers: RequestHeaders): ProxyHeaders => [
  ...protocols(headers),
  ...(headers.get(VERSIONS)?.split(",") ?? []).map((v) => [VERSIONS, v.trim()] as const),
];

/** The header as another server is sent it, without a token of this one. */
export function protocols(headers: RequestHeaders): ProxyHeaders {
  const left = offered(headers);
  return left.length > 0 ? [[OFFERED, left.join(", ")]] : [];
}
