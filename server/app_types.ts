/** Small contracts of the application's parts. */
import type { RequestScope } from "./request.ts";

/** A filter around what follows. */
export type Filter = (scope: RequestScope, next: () => Promise<Response>) => Promise<Response>;

/** Serves a path that is no resource. */
export type PathHandler = (scope: RequestScope) => Response | Promise<Response>;
