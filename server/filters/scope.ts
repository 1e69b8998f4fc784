/** Makes the scope of a request and gives every answer its headers. */
import { warningHeaders } from "./warnings.ts";
import type { Head } from "../answer.ts";
import type {
  AuditNotes,
  Connection,
  Pacer,
  RequestInfo,
  RequestScope,
  ServedResource,
  Tally,
  User,
} from "../request.ts";
import type { RequestHeaders } from "../request_headers.ts";
import type { Span } from "../../schema/tracing/span.ts";
import { headersOf } from "./headers.ts";
import { requestInfo } from "./request_info.ts";
import { splitUrl } from "./url.ts";
import { isUpgrade } from "./upgraded.ts";

/** Nobody yet: authentication puts the user. */
const UNKNOWN: User = { name: "", groups: [] };
const NO_QUERY = new URLSearchParams();
/** Longest audit ID that is taken from a client, characters. */
const MAX_AUDIT_ID = 256;

/** See {@linkcode RequestScope}. What is dear to make and seldom asked for is made on first use. */
class Scope implements RequestScope {
  user: User = UNKNOWN;
  served?: ServedResource;
  upgraded?: boolean;
  answered?: Response;
  pace?: Pacer;
  size?: number;
  waitedMs?: number;
  limitMs?: number;
  /** Not there before it is set: without auditing it costs nothing. */
  declare audit?: AuditNotes;
  declare span?: Span;
  readonly head: Head;
  #abort: AbortController | undefined;
  #cancelled = false;
  #url: URL | undefined;
  #warnings: Set<string> | undefined;
  #annotations: Map<string, string> | undefined;

  constructor(
    readonly request: Request,
    readonly headers: RequestHeaders,
    readonly query: URLSearchParams,
    readonly info: RequestInfo,
    readonly connection: Connection,
    readonly auditId: string,
    readonly startedAt: number,
    readonly tally: Tally | undefined,
  ) {
    this.head = { "audit-id": auditId };
  }

  get url(): URL {
    return this.#url ??= new URL(this.request.url);
  }

  get warnings(): Set<string> {
    return this.#warnings ??= new Set();
  }

  get warned(): boolean {
    return this.#warnings !== undefined && this.#warnings.size > 0;
  }

  get auditAnnotations(): Map<string, string> {
    return this.#annotations ??= new Map();
  }

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

/** Where scopes get their time and their IDs. */
export interface ScopeOptions {
  now(): number;
  auditId(): string;
  readonly tally?: Tally;
}

/** Makes the scope of a request. */
export function scopeOf(request: Request, connection: Connection, options: ScopeOptions): RequestScope {
  const headers = headersOf(request);
  const { path, query: text } = splitUrl(request.url);
  const query = text === "" ? NO_QUERY : new URLSearchParams(text);
  const given = headers.get("audit-id");
  const auditId = given !== null && given !== "" && given.length <= MAX_AUDIT_ID ? given : options.auditId();
  const info = requestInfo(request.method, path, query);
  return new Scope(request, headers, query, info, connection, auditId, options.now(), options.tally);
}

/** The response with the headers that every answer carries. */
export function finish(response: Response, scope: RequestScope): Response {
  if (isUpgrade(response)) return response;
  // Looking at a response's headers costs as much as making them: not where all is there.
  if (scope.answered !== response) {
    for (const [name, value] of Object.entries(scope.head)) {
      if (name === "vary") response.headers.append(name, value);
      else response.headers.set(name, value);
    }
    if (!response.headers.has("cache-control")) response.headers.set("cache-control", "no-cache, private");
  }
  if (scope.warned) { for (const text of warningHeaders(scope.warnings)) response.headers.append("warning", text); }
  return response;
}
