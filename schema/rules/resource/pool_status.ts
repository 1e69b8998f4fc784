/** Rules of requests for the state of pools. The model's tags say nearly everything. */
import { keep } from "../checks/basic.ts";
import { conditions } from "../checks/conditions.ts";
import { keepAllButStatus } from "../checks/status_meta.ts";
import { Path } from "../path.ts";
import { isSet, same, type Tree } from "../tree.ts";
import type { KindRules } from "../types.ts";

const STATUS = Path.of("status");

/** Rules of `resourcepoolstatusrequests.resource.k8s.io`. A request is answered once. */
export const RESOURCE_POOL_STATUS_REQUEST: KindRules = {
  unconditionalUpdate: false,
  meta: { whole: 0 },
  prepareCreate(obj, ctx) {
    delete obj["status"];
    if (!ctx.gate("DRAPartitionableDevicesType") && obj["spec"]) delete obj["spec"].defaultPartitionTypeAttribute;
  },
  prepareUpdate(obj, old, ctx) {
    keep(obj, old, "status");
    const known = ctx.gate("DRAPartitionableDevicesType") || isSet(old["spec"]?.defaultPartitionTypeAttribute);
    if (!known && obj["spec"]) delete obj["spec"].defaultPartitionTypeAttribute;
  },
  subresources: {
    status: {
      prepareUpdate: keepAllButStatus,
      validateUpdate(obj, old, errors) {
        const answered: Tree | undefined = old["status"];
        if (!isSet(answered)) conditions(obj["status"]?.conditions, STATUS.child("conditions"), errors);
        else if (!same(obj["status"], answered)) {
          errors.invalid(STATUS, obj["status"] ?? null, "must not change once it is set");
        }
      },
    },
  },
};
