/** Rules of priority classes. */
import type { Obj } from "../../model/types.ts";
import { immutable, oneOf } from "../checks/basic.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { isSet } from "../tree.ts";
import type { KindRules } from "../types.ts";

const VALUE = Path.of("value"), PREEMPTION = Path.of("preemptionPolicy"), NAME = Path.of("metadata", "name");
/** Highest priority that is not the system's. */
const HIGHEST_USER_PRIORITY = 1_000_000_000;
/** Names of the system's classes start so. */
const SYSTEM_PREFIX = "system-";
/** The system's classes and their values. */
const SYSTEM: ReadonlyMap<string, number> = new Map([
  ["system-cluster-critical", 2 * HIGHEST_USER_PRIORITY],
  ["system-node-critical", 2 * HIGHEST_USER_PRIORITY + 1000],
]);
const POLICIES = ["Never", "PreemptLowerPriority"];

function validate(obj: Obj, errors: ErrorList): void {
  const name = obj.metadata.name ?? "", value: number = obj["value"] ?? 0;
  if (name.startsWith(SYSTEM_PREFIX)) {
    if (SYSTEM.get(name) !== value || obj["globalDefault"]) {
      errors.forbidden(NAME, `names that start with '${SYSTEM_PREFIX}' are reserved for the system's own classes`);
    }
  } else if (value > HIGHEST_USER_PRIORITY) {
    errors.forbidden(VALUE, `must be less than or equal to ${HIGHEST_USER_PRIORITY}`);
  }
  if (isSet(obj["preemptionPolicy"])) {
    if (!obj["preemptionPolicy"]) errors.required(PREEMPTION);
    else oneOf(obj["preemptionPolicy"], POLICIES, PREEMPTION, errors);
  }
}

/** Rules of `priorityclasses.scheduling.k8s.io`. */
export const PRIORITY_CLASS: KindRules = {
  generation: [],
  meta: { whole: 0 },
  validate(obj, errors, _ctx, old) {
    if (!old) validate(obj, errors);
  },
  validateUpdate(obj, old, errors) {
    if ((obj["value"] ?? 0) !== (old["value"] ?? 0)) errors.forbidden(VALUE, "field is immutable");
    immutable(obj["preemptionPolicy"], old["preemptionPolicy"], PREEMPTION, errors);
  },
};
