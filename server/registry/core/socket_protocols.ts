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

/** The header as another server is sent it, without a token of this one. */
export function protocols(headers: RequestHeaders): ProxyHeaders {
  const left = offered(headers);
  return left.length > 0 ? [[OFFERED, left.join(", ")]] : [];
}
