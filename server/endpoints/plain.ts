/** Answers outside the API. */
import { methodNotAllowed, notServed, StatusError } from "../../schema/status.ts";
import type { PathHandler } from "../app_types.ts";
import type { RequestScope } from "../request.ts";
import { mustName } from "./body.ts";
import { withoutEnd } from "../../schema/values/ends.ts";

/** 404 of a path that is nothing here. */
export function pageNotFound(): Response {
  return new Response("404 page not found\n", {
    status: 404,
    headers: { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" },
  });
}

/**
 * A document that is read by GET, in one media type that the request must name as it is, or as anything. `taken`: what requests may
 * come in; absent: anything. @throws StatusError 405, 415, 406
 */
export function plainRoute(type: string, handler: PathHandler, taken?: readonly string[]): PathHandler {
  return (scope) => {
    if (scope.request.method !== "GET") throw methodNotAllowed();
    if (taken) mustName(scope, taken);
    if (!names(scope, type)) throw new StatusError(406, "NotAcceptable", `only ${type} is served here`, {});
    return handler(scope);
  };
}

/** Such a route and all below it, which is nothing but the route again with any number of slashes behind. @throws StatusError 404 */
export function routeAndBelow(path: string, route: PathHandler): [path: string, route: PathHandler][] {
  const below: PathHandler = (scope) => {
    if (withoutEnd(scope.info.path, "/") !== path) throw notServed();
    return route(scope);
  };
  return [[path, route], [`${path}/*`, below]];
}

function names(scope: RequestScope, type: string): boolean {
  const header = scope.request.headers.get("accept");
  if (!header) return true;
  const named = header.split(",").map((range) => range.split(";")[0]!.trim());
  return named.some((n) => n === type || n === "*/*");
}
