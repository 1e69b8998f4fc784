/** The first filter: makes the scope, gives the request an audit ID, turns what is thrown into a Status. */
import type { Context, Next } from "hono";
import type { RequestScope, User } from "../request.ts";
import { requestInfo } from "./request_info.ts";
import { type AppEnv, NO_CONNECTION } from "./env.ts";

/** Nobody yet: authentication puts the user. */
const UNKNOWN: User = { name: "", groups: [] };

/** Makes the scope of a request. */
export function scopeFilter(options: { now(): number; auditId(): string }) {
  return async (c: Context<AppEnv>, next: Next): Promise<void> => {
    const request = c.req.raw;
    const url = new URL(request.url);
    const given = request.headers.get("audit-id");
    const scope: RequestScope = {
      request,
      url,
      info: requestInfo(request.method, url.pathname, url.searchParams),
      connection: c.env?.connection ?? NO_CONNECTION,
      auditId: given !== null && given !== "" && given.length <= 256 ? given : options.auditId(),
      user: UNKNOWN,
      signal: request.signal,
      startedAt: options.now(),
      warnings: new Set(),
      auditAnnotations: new Map(),
    };
    c.set("scope", scope);
    await next();
    finish(c.res, scope);
  };
}

/** Headers that every answer carries. */
function finish(response: Response, scope: RequestScope): void {
  response.headers.set("audit-id", scope.auditId);
  for (const text of scope.warnings) response.headers.append("warning", warningHeader(text));
}

/** A warning as RFC 7234 writes it: code 299, no agent, the quoted text. */
export function warningHeader(text: string): string {
  // Header values are bytes: what is not printable ASCII is left out.
  const clean = text.replace(/[^\x20-\x7e]/g, "").replace(/[\\"]/g, (c) => "\\" + c);
  return `299 - "${clean}"`;
}
