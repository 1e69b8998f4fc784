/** Rules of taints that administrators put on devices. */
import type { Obj } from "../../model/types.ts";
import { keep } from "../checks/basic.ts";
import { conditions } from "../checks/conditions.ts";
import { keepAllButStatus } from "../checks/status_meta.ts";
import { Path } from "../path.ts";
import { count, isSet, type Tree } from "../tree.ts";
import type { KindRules, RuleContext } from "../types.ts";
import { deviceTaint, driverName, poolName, shortName } from "./names.ts";
import { nowTime } from "../../values/time.ts";

const SPEC = Path.of("spec"), SELECTOR = SPEC.child("deviceSelector"), CONDITIONS = Path.of("status", "conditions");
const MAX_CONDITIONS = 8;

/** The time is that since when the taint has its effect, from which tolerations are reckoned. */
function renewTime(taint: Tree, old: Tree, ctx: RuleContext): void {
  if (taint["effect"] !== old["effect"] && taint["timeAdded"] === old["timeAdded"]) {
    taint["timeAdded"] = nowTime(ctx.now());
  }
}

/** Rules of `devicetaintrules.resource.k8s.io`. */
export const DEVICE_TAINT_RULE: KindRules = {
  generation: ["spec"],
  unconditionalUpdate: ["v1beta2", "v1alpha3"],
  meta: { whole: 0 },
  prepareCreate: (obj) => void (obj["status"] = {}),
  prepareUpdate(obj, old, ctx) {
    keep(obj, old, "status");
    renewTime(obj["spec"]?.taint ?? {}, old["spec"]?.taint ?? {}, ctx);
  },
  validate(obj, errors) {
    const spec: Tree = obj["spec"] ?? {}, selector: Tree = spec["deviceSelector"] ?? {};
    if (isSet(selector["driver"])) driverName(selector["driver"], SELECTOR.child("driver"), errors);
    if (isSet(selector["pool"])) poolName(selector["pool"], SELECTOR.child("pool"), errors);
    if (isSet(selector["device"])) shortName(selector["device"], SELECTOR.child("device"), errors);
    deviceTaint(spec["taint"] ?? {}, SPEC.child("taint"), errors);
  },
  subresources: {
    status: {
      prepareUpdate: keepAllButStatus,
      validateUpdate(obj: Obj, _old, errors) {
        const list = obj["status"]?.conditions;
        conditions(list, CONDITIONS, errors);
        if (count(list) > MAX_CONDITIONS) errors.tooMany(CONDITIONS, count(list), MAX_CONDITIONS);
      },
    },
  },
};
