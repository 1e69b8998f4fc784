/** When an image is pulled. */
import { requiredOneOf } from "../checks/basic.ts";
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";

const POLICIES = ["Always", "IfNotPresent", "Never"];
/** A pull policy, which is never empty after defaulting. */
export function pullPolicy(value: unknown, path: Path, errors: ErrorList): void {
  requiredOneOf(value ?? "", POLICIES, path, errors);
}
