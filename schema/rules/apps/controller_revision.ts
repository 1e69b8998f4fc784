/** Rules of controller revisions. */
import { stringifyJson } from "../../codec/json.ts";
import { immutable, nonNegative } from "../checks/basic.ts";
import { Path } from "../path.ts";
import { isSet } from "../tree.ts";
import type { KindRules } from "../types.ts";

const isMap = (value: unknown): boolean => typeof value === "object" && !Array.isArray(value);

/** Rules of `controllerrevisions.apps`. */
export const CONTROLLER_REVISION: KindRules = {
  validate(obj, errors, _ctx, old) {
    if (!old) {
      if (!isSet(obj["data"])) errors.required(Path.of("data"), "data is mandatory");
      else if (!isMap(obj["data"])) errors.required(Path.of("data"), "must be an object");
    }
    nonNegative(obj["revision"], Path.of("revision"), errors);
  },
  validateUpdate(obj, old, errors) {
    // Opaque: null, nothing and another order are other data.
    const [now, was] = [obj["data"], old["data"]].map((data) => stringifyJson(data ?? null));
    immutable(now, was, Path.of("data"), errors);
  },
};
