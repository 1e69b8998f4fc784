/**
 * The application: the filters in order, then routing. Made by one pure function from what a server is built of; runs
 * behind the listener, in an edge isolate, and in tests without a socket.
 */
import { Hono } from "hono";
import type { Authenticate } from "./authentication/chain.ts";
import type { Authorizer } from "./authorization/types.ts";
import type { Api } from "./endpoints/api.ts";
import { refuseAggregatedPath } from "./endpoints/aggregated.ts";
import { dispatch } from "./endpoints/dispatch.ts";
import { authorize } from "./filters/authorize.ts";
import type { AppEnv } from "./filters/env.ts";
import type { ErrorResponses } from "./filters/errors.ts";
import { scopeFilter } from "./filters/scope.ts";
import { pageNotFound } from "./endpoints/plain.ts";
import type { Filter, PathHandler } from "./app_types.ts";
import type { RequestScope } from "./request.ts";

/** What the application is made of. */
export interface AppParts {
  readonly api: Api;
  readonly authenticate: Authenticate;
  readonly authorizer: Authorizer;
  readonly errors: ErrorResponses;
  /** Run around everything, in this order; what is thrown inside is an answer already. For headers of every answer. */
  readonly outer?: readonly Filter[];
  /** Run before authentication, in this order. */
  readonly early?: readonly Filter[];
  /** Run in this order between authentication and authorization. */
  readonly filters: readonly Filter[];
  /** Paths that are no resource: GET, by exact path or by a prefix that ends in `/*`. */
  readonly paths: ReadonlyMap<string, PathHandler>;
  now(): number;
  auditId(): string;
}

/** Builds the application. */
export function buildApp(parts: AppParts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.onError((error, c) => parts.errors.respond(error, c.get("scope")));
  app.use("*", scopeFilter(parts));
  const inner = chain(parts.filters, (scope) => handle(parts, scope));
  const known = chain(parts.early ?? [], (scope) => authenticated(parts, scope, inner));
  const { outer = [] } = parts;
  // Without headers to add, what is thrown is answered once, above.
  const all = outer.length === 0 ? known : chain(outer, async (scope) => {
    try {
      return await known(scope);
    } catch (e) {
      return parts.errors.respond(e, scope);
    }
  });
  app.all("*", (c) => all(c.get("scope")));
  return app;
}

type Handle = (scope: RequestScope) => Promise<Response>;

async function authenticated(parts: AppParts, scope: RequestScope, next: Handle): Promise<Response> {
  const user = parts.authenticate(scope.request, scope.connection, scope.info.path);
  scope.user = user instanceof Promise ? await user : user;
  return await next(scope);
}

/** Filters in order, then the last step; put together once. */
function chain(filters: readonly Filter[], last: Handle): Handle {
  return filters.reduceRight<Handle>((next, filter) => (scope) => filter(scope, () => next(scope)), last);
}

async function handle(parts: AppParts, scope: RequestScope): Promise<Response> {
  await authorize(parts.authorizer, scope);
  if (scope.info.isResource) return await dispatch(parts.api, scope);
  refuseAggregatedPath(parts.api, scope.info.path);
  const handler = pathHandler(parts.paths, scope.info.path);
  if (!handler) return pageNotFound();
  return await handler(scope);
}

/** Paths that are another one with a slash behind. */
const NO_SLASH = /^\/(?:\/|healthz|livez|readyz|metrics|openapi|statusz|flagz)/;

function pathHandler(paths: ReadonlyMap<string, PathHandler>, path: string): PathHandler | undefined {
  if (path.endsWith("/") && NO_SLASH.test(path)) return undefined;
  const clean = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
  const exact = paths.get(clean);
  if (exact) return exact;
  for (let at = clean.lastIndexOf("/"); at >= 0; at = clean.lastIndexOf("/", at - 1)) {
    const found = paths.get(`${clean.slice(0, at)}/*`);
    if (found || at === 0) return found;
  }
  return undefined;
}
