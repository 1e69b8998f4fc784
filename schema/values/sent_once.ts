/** Requests of Node's HTTP clients that are sent once. */

/**
 * Has a request be over with its connection. The runtime (2.9.3) sends one whose kept connection ends before its answer once more by a
 * new one, whatever its method, and though it was destroyed: nobody waits for that one any more, or ends it. Who sends says himself
 * what may be asked again.
 */
export function sentOnce<R extends object>(request: R): R {
  Reflect.set(request, "_retrying", true);
  return request;
}
