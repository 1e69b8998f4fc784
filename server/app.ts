/**
 * The application: the filters in order, then routing. Made by one pure function from what a server is built of; runs
 * behind the listener, in an edge isolate, and in tests without a socket.
 */
import { Hono } from "hono";
import type { Authorizer } from "./authorization/types.ts";
import type { Api } from "./endpoints/api.ts";
import { dispatch } from "./endpoints/dispatch.ts";
import { authorize } from "./filters/authorize.ts";
import { type AppEnv, NO_CONNECTION } from "./filters/env.ts";
import type { ErrorResponses } from "./filters/errors.ts";
import { hasPlainHost, malformedHost } from "./filters/host.ts";
import { finish, scopeOf } from "./filters/scope.ts";
import { pageNotFound } from "./endpoints/plain.ts";
import type { Filter, Handle, PathHandler } from "./app_types.ts";
import type { Connection, RequestScope, Tally, User } from "./request.ts";

/** What the application is made of. */
export interface AppParts {
  readonly api: Api;
  /** @throws StatusError 401 */
  authenticate(scope: RequestScope, connection: Connection, path: string): User | Promise<User>;
  readonly authorizer: Authorizer;
  /** Answers what is another server's, if it is. */
  readonly others?: { answer(scope: RequestScope): Promise<Response> | undefined };
  readonly errors: ErrorResponses;
  /** Run before authentication, in this order. */
  readonly early: readonly Filter[];
  /** Run in this order between authentication and authorization. */
  readonly filters: readonly Filter[];
  /** Run in this order after authorization. */
  readonly late: readonly Filter[];
  /** Paths that are no resource: GET, by exact path or by a prefix that ends in `/*`. */
  readonly paths: ReadonlyMap<string, PathHandler>;
  now(): number;
  auditId(): string;
  readonly tally?: Tally;
}

/** Builds the application. */
export function buildApp(parts: AppParts): Hono<AppEnv> {
  const handlerOf = pathHandlers(parts.paths);
  const answer = chain(parts.late, (scope) => route(parts, scope, handlerOf));
  const inner = chain(parts.filters, (scope) => handle(parts, scope, answer));
  const all = chain(parts.early, (scope) => authenticated(parts, scope, inner));
  // One handler has every path: none has to be looked at before it.
  const app = new Hono<AppEnv>({ getPath: () => "/" });
  app.all("*", (c) => {
    if (!hasPlainHost(c.req.raw)) return malformedHost();
    const scope = scopeOf(c.req.raw, c.env?.connection ?? NO_CONNECTION, parts);
    const failed = (error: unknown) => finish(parts.errors.respond(error, scope), scope);
    try {
      const response = all(scope);
      return response instanceof Promise
        ? response.then((r) => finish(r, scope)).catch(failed)
        : finish(response, scope);
    } catch (error) {
      return failed(error);
    }
  });
  return app;
}

function authenticated(parts: AppParts, scope: RequestScope, next: Handle): Response | Promise<Response> {
  const user = parts.authenticate(scope, scope.connection, scope.info.path);
  if (user instanceof Promise) return user.then((u) => next(as(scope, u)));
  return next(as(scope, user));
}

function as(scope: RequestScope, user: User): RequestScope {
  scope.user = user;
  return scope;
}

/** Filters in order, then the last step; put together once. */
function chain(filters: readonly Filter[], last: Handle): Handle {
  return filters.reduceRight<Handle>((next, filter) => (scope) => filter(scope, next), last);
}

function handle(parts: AppParts, scope: RequestScope, answer: Handle): Response | Promise<Response> {
  const allowed = authorize(parts.authorizer, scope);
  return allowed ? allowed.then(() => answer(scope)) : answer(scope);
}

function route(
  parts: AppParts,
  scope: RequestScope,
  handlerOf: (path: string) => PathHandler | undefined,
): Response | Promise<Response> {
  const passed = parts.others?.answer(scope);
  if (passed) return passed;
  if (scope.info.isResource) return dispatch(parts.api, scope);
  // It names no path, and who is told that it went well takes what follows for the other side.
  if (scope.info.verb === "connect") return pageNotFound();
  const handler = handlerOf(scope.info.path);
  return handler ? handler(scope) : pageNotFound();
}

/** Paths that are another one with a slash behind. */
const NO_SLASH = /^\/(?:\/|index\.html|healthz|livez|readyz|metrics|openapi|statusz|flagz)/;
/** Everything below is answered by the one who has the documents. */
const DOCUMENTS = "/openapi/v3/";

/** Tells who serves a path: the path itself, else the longest one that all below is served of. */
function pathHandlers(paths: ReadonlyMap<string, PathHandler>): (path: string) => PathHandler | undefined {
  const below = [...paths].filter(([path]) => path.endsWith("/*")).map(([path, handler]) =>
    [path.slice(0, -1), handler] as const
  ).sort(([a], [b]) => b.length - a.length);
  return (path) => {
    if (path.endsWith("/") && NO_SLASH.test(path)) {
      return path.startsWith(DOCUMENTS) ? paths.get(`${DOCUMENTS}*`) : undefined;
    }
    const clean = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
    return paths.get(clean) ?? below.find(([prefix]) => clean.startsWith(prefix))?.[1];
  };
}
