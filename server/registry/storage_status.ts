/** Failures of a store as clients are told of them (specification, "Errors"). */
import { internal, StatusError } from "../../schema/status.ts";
import type { StorageError } from "../storage/backend.ts";

/** What a client is told of a store's failure. */
export function storageStatus(e: StorageError): StatusError {
  if (e.kind === "too-large") {
    return new StatusError(413, "RequestEntityTooLarge", "etcdserver: request is too large", {});
  }
  if (e.kind === "corrupt") return internal("the stored object cannot be read", e);
  if (e.kind === "sealed") return internal(e.message, e);
  // None has a `Retry-After`: clients would do it ten times more by themselves, the store has tried for long already, and what may
  // have been done would be done twice.
  if (e.kind === "unknown") {
    return new StatusError(504, "Timeout", "the store may or may not have done it", {}, { cause: e });
  }
  const why = `the store is ${e.kind === "full" ? "full" : "not available"}`;
  return new StatusError(503, "ServiceUnavailable", why, {}, { cause: e });
}
