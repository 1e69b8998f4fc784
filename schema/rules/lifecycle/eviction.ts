/** Rules of evictions and of requests for them. The spec's rules are tags. */
import { keep } from "../checks/basic.ts";
import { conditions } from "../checks/conditions.ts";
import { keepAllButStatus } from "../checks/status_meta.ts";
import { foreignDomain } from "../core/eviction_responders.ts";
import { completedSubdomain } from "../object_meta.ts";
import { Path } from "../path.ts";
import type { KindRules } from "../types.ts";
import { evictionStatus } from "./eviction_status.ts";

const CONDITIONS = Path.of("status", "conditions");

/** Rules of `evictionrequests.lifecycle.k8s.io`. */
export const EVICTION_REQUEST: KindRules = {
  name: completedSubdomain,
  unconditionalUpdate: false,
  generation: ["spec"],
  meta: { whole: 0 },
  validate(obj, errors, ctx, old) {
    const requester: string = obj["spec"]?.requester ?? "";
    if (!requester || requester === old?.["spec"]?.requester) return;
    foreignDomain(requester, Path.of("spec", "requester"), errors, ctx);
  },
  prepareCreate: (obj) => void (obj["status"] = {}),
  prepareUpdate: (obj, old) => keep(obj, old, "status"),
  subresources: {
    status: {
      prepareUpdate: keepAllButStatus,
      validateUpdate: (obj, _old, errors) => conditions(obj["status"]?.conditions, CONDITIONS, errors),
    },
  },
};

/** Rules of `evictions.lifecycle.k8s.io`. */
export const EVICTION: KindRules = {
  ...EVICTION_REQUEST,
  subresources: {
    status: {
      prepareUpdate: keepAllButStatus,
      validateUpdate(obj, old, errors, ctx) {
        conditions(obj["status"]?.conditions, CONDITIONS, errors);
        evictionStatus(obj, old, errors, ctx.now());
      },
    },
  },
};
