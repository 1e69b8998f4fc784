/** Small contracts of the application's parts. */
import type { RequestScope } from "./request.ts";

/** Answers a request. What it throws, or rejects with, becomes a Status. */
export type Handle = (scope: RequestScope) => Response | Promise<Response>;

/** A filter around what follows. No promise where none is needed: a read of the cache is answered at once. */
export type Filter = (scope: RequestScope, next: Handle) => Response | Promise<Response>;

/** Passes requests on to other servers, which serve what this one does not. */
export interface PassOn {
  /** Undefined: no other serves what is asked for. @throws StatusError 503 when those that do cannot be reached */
  pass(scope: RequestScope): Promise<Response> | undefined;
}

/** Serves a path that is no resource. */
export type PathHandler = Handle;
