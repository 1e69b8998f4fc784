/** What records the requests of a server, and its metrics. */
import { fraction } from "../schema/values/random.ts";
import { type Auditing, makeAuditing } from "./audit/build.ts";
import { AuditMetrics } from "./audit/metrics.ts";
import type { ServerInputs } from "./inputs.ts";
import type { ServerMetrics } from "./metrics/registry.ts";

/** Undefined where nothing is recorded. @throws Error for a policy that cannot be used */
export function auditingOf(inputs: ServerInputs, metrics: ServerMetrics): Auditing | undefined {
  const { options, audit, now, log } = inputs;
  if (!audit) return undefined;
  const made = makeAuditing(options, audit, {
    metrics: new AuditMetrics(),
    now,
    random: () => fraction(inputs.random),
    log,
  });
  made?.metrics.register(metrics);
  return made;
}
