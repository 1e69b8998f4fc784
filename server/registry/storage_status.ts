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
  // Clients do again by themselves what is told a time for that: a name made by the server would be made twice.
  if (e.kind === "unknown") {
    return new StatusError(504, "Timeout", "the store may or may not have done it", {}, { cause: e });
  }
  const details = { retryAfterSeconds: 1 };
  return new StatusError(
    503,
    "ServiceUnavailable",
    `the store is ${e.kind === "full" ? "full" : "not available"}`,
    details,
    {
      cause: e,
    },
  );
}
