/** Failures of the patch functions, and the Status that each becomes (specification, "Endpoints", patch types). */

/**
 * Why a patch was not applied:
 * - `malformed`: the patch document is not one (400 BadRequest);
 * - `mistyped`: a member of an operation is no text (400; where nobody looks at operations beforehand it does not apply: 422);
 * - `too-large`: more operations than allowed (413 RequestEntityTooLarge);
 * - `test-failed`, `missing-path`, `copy-limit`: a JSON patch that does not apply to this object (422 Invalid);
 * - `not-mergeable`: a strategic merge that the object's kind does not allow (422 Invalid);
 * - `wrong-type`: patch and object differ in type at a place (422 Invalid).
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
