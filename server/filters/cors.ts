/** Calls from browsers of other origins (`--cors-allowed-origins`). */
import { RE2JS } from "re2js";
import type { Filter } from "../app_types.ts";

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
  return (scope, next) => {
    const { request } = scope;
    const origin = request.headers.get("origin");
    if (origin === null || !allowed.some((p) => p.matcher(origin).find())) return next(scope);
    Object.assign(scope.head, {
      "access-control-allow-origin": origin,
      "access-control-allow-methods": METHODS,
      "access-control-allow-headers": HEADERS,
      "access-control-expose-headers": "Date",
      "access-control-allow-credentials": "true",
      "vary": "Origin",
    });
    // A preflight asks before it may say who it is.
    return request.method === "OPTIONS" ? new Response(null, { status: 204 }) : next(scope);
  };
}
