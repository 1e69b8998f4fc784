/** Rules of controller revisions. */
import { immutable, nonNegative } from "../checks/basic.ts";
import { Path } from "../path.ts";
import { isSet } from "../tree.ts";
import type { KindRules } from "../types.ts";

/** Rules of `controllerrevisions.apps`. */
export const CONTROLLER_REVISION: KindRules = {
  validate(obj, errors) {
    if (!isSet(obj["data"])) errors.required(Path.of("data"), "data is mandatory");
    nonNegative(obj["revision"], Path.of("revision"), errors);
  },
  validateUpdate: (obj, old, errors) => immutable(obj["data"], old["data"], Path.of("data"), errors),
};
