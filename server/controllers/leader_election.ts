/** Coordinated leader election: one server of a store elects among the candidates for leases (gate CoordinatedLeaderElection). */
import { Coordinator } from "./election/coordinator.ts";
import { Elector } from "./election/elector.ts";
import type { Controller, ControllerContext } from "./types.ts";

const CANDIDATES = "leasecandidates.coordination.k8s.io";
/** The lease that the electing server holds. */
const NAME = "leader-election-controller";

/** Makes the controller; undefined with its gate off or where candidates are not served. */
export function leaderElection(ctx: ControllerContext): Controller | undefined {
  if (!ctx.gate("CoordinatedLeaderElection")) return undefined;
  if (!ctx.registries.byId(CANDIDATES)) {
    ctx.log("warn", "coordinated leader election needs lease candidates: turn their version on by --runtime-config");
    return undefined;
  }
  const { options } = ctx;
  const elector = new Elector(ctx, {
    namespace: ctx.product.systemNamespace,
    name: NAME,
    identity: `${ctx.hostname}_${ctx.processId}`,
    leaseMs: options.coordinatedLeadershipLeaseDuration,
    renewMs: options.coordinatedLeadershipRenewDeadline,
    retryMs: options.coordinatedLeadershipRetryPeriod,
    elapsed: ctx.elapsed,
    lead: (signal) => new Coordinator(ctx).start(signal),
    leading: (is) => ctx.leading(NAME, is),
  });
  ctx.leading(NAME, false);
  ctx.atEnd(() => elector.release());
  return { start: (signal) => void elector.run(signal) };
}
