/** The filters of a server, from its options, in the order in which a request meets them. */
import type { Filter } from "../app_types.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { Fairness } from "../flowcontrol/fairness.ts";
import type { ServerInputs } from "../inputs.ts";
import type { Registries } from "../registry/registries.ts";
import type { RequestScope } from "../request.ts";
import type { AuditFilters } from "./audit.ts";
import { corsFilter } from "./cors.ts";
import { fairnessFilter } from "./fairness.ts";
import { hstsFilter } from "./hsts.ts";
import { inFlightFilter } from "./in_flight.ts";
import { paceFilter } from "./pace.ts";
import { ShutdownGate } from "./shutdown.ts";
import { Deadlines } from "./timeout.ts";

/** See the top of the file. */
export interface RequestFilters {
  /** Before authentication. */
  readonly early: readonly Filter[];
  /** Between impersonation and authorization. */
  readonly admission: readonly Filter[];
  readonly gate: ShutdownGate;
  /** To be ticked about once a second. */
  readonly deadlines: Deadlines;
  /** Undefined with `--enable-priority-and-fairness=false`. */
  readonly fairness: Fairness<RequestScope> | undefined;
}

/** Builds them; with `audit` those are recorded that are refused early. @throws Error for an origin pattern that is none */
export function requestFilters(
  { options, now, elapsed }: Pick<ServerInputs, "options" | "now" | "elapsed">,
  catalog: Catalog,
  registries: Registries,
  audit?: Pick<AuditFilters, "refused">,
): RequestFilters {
  const gate = new ShutdownGate();
  const deadlines = new Deadlines(options.requestTimeout, elapsed);
  const total = options.maxRequestsInflight + options.maxMutatingRequestsInflight;
  const fairness = options.enablePriorityAndFairness ? new Fairness<RequestScope>(registries.lister, total) : undefined;
  const local = options.product.dialect === "orch" ? "x-orch" : "x-kubernetes";
  const limited = fairness
    ? fairnessFilter(fairness, {
      limitMs: options.requestTimeout || 60_000,
      count: (scope) => countOf(scope, catalog, registries),
      now,
      headers: { schema: `${local}-pf-flowschema-uid`, level: `${local}-pf-prioritylevel-uid` },
    })
    : inFlightFilter({ reads: options.maxRequestsInflight, writes: options.maxMutatingRequestsInflight });
  const onEveryAnswer = [hstsFilter(options.strictTransportSecurityDirectives), corsFilter(options.corsAllowedOrigins)];
  const refused = audit ? [audit.refused] : [];
  return {
    // Who is refused within the request's time is recorded within it, too; who is refused for its sake outside.
    early: [...onEveryAnswer.filter((f) => f !== undefined), gate.filter, ...refused, deadlines.filter, ...refused],
    deadlines,
    admission: [limited, paceFilter(options.maxConnectionBytesPerSec, elapsed)].filter((f) => f !== undefined),
    gate,
    fairness,
  };
}

/** Objects that a list of the request's resource goes through; 0 where that is not known. */
function countOf({ info }: RequestScope, catalog: Catalog, registries: Registries): number {
  const served = catalog.find(info.group, info.version, info.resource);
  const cache = served && registries.byId(served.resource.id)?.cache;
  if (!cache?.ready) return 0;
  return cache.snapshot().count(info.namespace);
}
