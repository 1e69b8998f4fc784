/** Work on a request's objects that may have to convert some of them by a call. */
import { converting } from "../../schema/customresources/mod.ts";
import type { Kind } from "../../schema/model/types.ts";
import { hasReason } from "../../schema/status.ts";
import type { Attributes } from "./types.ts";

/**
 * Runs pure work with the conversions to or from `kind` that it needs; at once where none takes a call.
 * @param failed what a conversion that fails comes to
 */
export function withConverted<T>(
  { signal }: Attributes,
  kind: Kind,
  work: () => T,
  failed: (message: string) => Error,
): T | Promise<T> {
  if (!kind.custom?.converter) return work();
  // Failures of converters are the only ones without a reason.
  return converting(work, signal).catch((e) => {
    throw hasReason(e, "") ? failed(e.message) : e;
  });
}
