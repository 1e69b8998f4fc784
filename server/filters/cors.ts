/** Calls from browsers of other origins (`--cors-allowed-origins`). */
import { RE2JS } from "re2js";
import type { Filter } from "../app_types.ts";
import { isUpgrade } from "./upgraded.ts";

const METHODS = "POST, GET, OPTIONS, PUT, DELETE, PATCH";
const HEADERS = "Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, " +
  "If-Modified-Since";

/** Undefined without patterns: then no header is ever sent. @throws Error for what is no regular expression */
export function corsFilter(patterns: readonly string[]): Filter | undefined {
  if (patterns.length === 0) return undefined;
  const allowed = patterns.map((p) => {
    try {
      return RE2JS.compile(p);
    } catch (e) {
      throw new Error(`--cors-allowed-origins: ${JSON.stringify(p)} is no regular expression: ${(e as Error).message}`);
    }
  });
  return async (scope, next) => {
    const { request } = scope;
    const origin = request.headers.get("origin");
    if (origin === null || !allowed.some((p) => p.matcher(origin).find())) return await next();
    // A preflight asks before it may say who it is.
    const response = request.method === "OPTIONS" ? new Response(null, { status: 204 }) : await next();
    if (isUpgrade(response)) return response;
    const { headers } = response;
    headers.set("access-control-allow-origin", origin);
    headers.set("access-control-allow-methods", METHODS);
    headers.set("access-control-allow-headers", HEADERS);
    headers.set("access-control-expose-headers", "Date");
    headers.set("access-control-allow-credentials", "true");
    headers.append("vary", "Origin");
    return response;
  };
}
