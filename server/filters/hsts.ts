/** Tells browsers to use TLS only (`--strict-transport-security-directives`). */
import type { Filter } from "../app_types.ts";

/** Undefined without directives. */
export function hstsFilter(directives: readonly string[]): Filter | undefined {
  if (directives.length === 0) return undefined;
  const value = directives.join("; ");
  return (scope, next) => {
    scope.head["strict-transport-security"] = value;
    return next(scope);
  };
}
