/** Failures of the patch functions, and the Status that each becomes (specification, "Endpoints", patch types). */
import { badRequest, StatusError, tooLarge } from "../status.ts";

/**
 * Why a patch was not applied:
 * - `malformed`: the patch document is not one (400 BadRequest);
 * - `mistyped`: a member of an operation is no text (400; where nobody looks at operations beforehand it does not apply: 422);
 * - `too-large`: more operations than allowed (413 RequestEntityTooLarge);
 * - `test-failed`, `missing-path`, `copy-limit`: a JSON patch that does not apply to this object (422 Invalid);
 * - `not-mergeable`: a strategic merge that the object's kind does not allow (422 Invalid);
 * - `wrong-type`: patch and object differ in type at a place (422 Invalid with a cause at `patch`).
 */
export type PatchErrorKind =
  | "malformed"
  | "mistyped"
  | "too-large"
  | "test-failed"
  | "missing-path"
  | "copy-limit"
  | "not-mergeable"
  | "wrong-type";

/** Thrown by every patch function for what the client did wrong. */
export class PatchError extends Error {
  override readonly name = "PatchError";
  constructor(readonly kind: PatchErrorKind, message: string) {
    super(message);
  }
}

const UNPROCESSABLE = "the server rejected our request due to an error in our request";

/** The error that a client is told: 400, 413, or 422 with empty details; a cause names the field `patch` where there is one. */
export function patchStatus(e: PatchError): StatusError {
  switch (e.kind) {
    case "malformed":
    case "mistyped":
      return badRequest(e.message);
    case "too-large":
      return tooLarge(e.message);
    case "wrong-type":
      return patchResultInvalid(e.message);
    default:
      return new StatusError(422, "Invalid", `${UNPROCESSABLE}: ${e.message}`, {}, { cause: e });
  }
}

/** 422 with one cause at `patch`: the patched object cannot be decoded (or is refused by strict field validation). */
function patchResultInvalid(why: string): StatusError {
  const message = `Invalid value: ${why}`;
  return new StatusError(422, "Invalid", ` "" is invalid: patch: ${message}`, {
    causes: [{ reason: "FieldValueInvalid", message, field: "patch" }],
  });
}
