/** Tells browsers to use TLS only (`--strict-transport-security-directives`). */
import type { Filter } from "../app_types.ts";
import { isUpgrade } from "./upgraded.ts";

/** Undefined without directives. */
export function hstsFilter(directives: readonly string[]): Filter | undefined {
  if (directives.length === 0) return undefined;
  const value = directives.join("; ");
  return async (_scope, next) => {
    const response = await next();
    if (isUpgrade(response)) return response;
    response.headers.set("strict-transport-security", value);
    return response;
  };
}
