/** The first filter: makes the scope, gives the request an audit ID, turns what is thrown into a Status. */
import type { Context, Next } from "hono";
import type { Connection, RequestInfo, RequestScope, ServedResource, User } from "../request.ts";
import { requestInfo } from "./request_info.ts";
import { isUpgrade } from "./upgraded.ts";
import { type AppEnv, NO_CONNECTION } from "./env.ts";

/** Nobody yet: authentication puts the user. */
const UNKNOWN: User = { name: "", groups: [] };

/** See {@linkcode RequestScope}. The request's own signal is dear to touch: most requests never ask for it. */
class Scope implements RequestScope {
  user: User = UNKNOWN;
  served?: ServedResource;
  upgraded?: boolean;
  readonly warnings = new Set<string>();
  readonly auditAnnotations = new Map<string, string>();
  #abort: AbortController | undefined;
  #cancelled = false;

  constructor(
    readonly request: Request,
    readonly url: URL,
    readonly info: RequestInfo,
    readonly connection: Connection,
    readonly auditId: string,
    readonly startedAt: number,
  ) {}

  get signal(): AbortSignal {
    return (this.#abort ??= this.#follow()).signal;
  }

  cancel(): void {
    this.#cancelled = true;
    this.#abort?.abort();
  }

  #follow(): AbortController {
    const abort = new AbortController();
    const { signal } = this.request;
    if (this.#cancelled || signal.aborted) abort.abort();
    else signal.addEventListener("abort", () => this.upgraded || abort.abort(), { once: true });
    return abort;
  }
}

/** Makes the scope of a request. */
export function scopeFilter(options: { now(): number; auditId(): string }) {
  return async (c: Context<AppEnv>, next: Next): Promise<void> => {
    const request = c.req.raw;
    const url = new URL(request.url);
    const given = request.headers.get("audit-id");
    const scope = new Scope(
      request,
      url,
      requestInfo(request.method, url.pathname, url.searchParams),
      c.env?.connection ?? NO_CONNECTION,
      given !== null && given !== "" && given.length <= 256 ? given : options.auditId(),
      options.now(),
    );
    c.set("scope", scope);
    await next();
    finish(c.res, scope);
  };
}

/** Headers that every answer carries. */
function finish(response: Response, scope: RequestScope): void {
  if (isUpgrade(response)) return;
  response.headers.set("audit-id", scope.auditId);
  if (scope.closeConnection) response.headers.set("connection", "close");
  for (const text of scope.warnings) response.headers.append("warning", warningHeader(text));
}

/** A warning as RFC 7234 writes it: code 299, no agent, the quoted text. */
export function warningHeader(text: string): string {
  // Header values are bytes: what is not printable ASCII is left out.
  const clean = text.replace(/[^\x20-\x7e]/g, "").replace(/[\\"]/g, (c) => "\\" + c);
  return `299 - "${clean}"`;
}
