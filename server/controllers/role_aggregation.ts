/** Aggregated cluster roles follow the roles that they gather. */
import { ensureAggregation } from "../bootstrap/ensure.ts";
import { follow } from "./follow.ts";
import { workQueue } from "./queue.ts";
import type { Controller, ControllerContext } from "./types.ts";

/** Changes that come together are answered by one look (ms). */
const SETTLE_MS = 50;

/** Makes the controller. */
export function roleAggregation(ctx: ControllerContext): Controller {
  return {
    start(signal) {
      const { live, lister } = ctx.registries;
      const queue = workQueue(ctx, "clusterrole-aggregation", {
        workers: 1,
        onError: (_, e) => ctx.log("warn", "aggregated cluster roles cannot be written yet", e),
        work: async () => {
          await ensureAggregation({
            update: (id, ns, name, change, o) => live.update(id, ns, name, change, o),
            list: (id) => Promise.resolve(lister.list(id)),
          });
        },
      });
      queue.start(signal);
      const roles = ctx.registries.byId("clusterroles.rbac.authorization.k8s.io");
      follow(roles, signal, () => queue.addAfter("all", SETTLE_MS));
    },
  };
}
