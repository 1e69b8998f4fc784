/** Printers of the flow control and API registration groups. */
import type { Obj } from "../../schema/model/types.ts";
import { AGE, col, NAME, type Part, table } from "./parts.ts";
import { conditionOf, count, NONE } from "./text.ts";
import { compareUtf8 } from "../../schema/values/utf8.ts";
import type { Cell, Printers } from "./types.ts";

const queuing = (name: string, field: string): Part => {
  return col(name, (o) => {
    const q = o.spec?.limited?.limitResponse?.queuing;
    return q ? count(q[field]) : NONE;
  });
};

/** As they are looked at: by precedence, then by name. */
const byPrecedence = (a: readonly Cell[], b: readonly Cell[]): number =>
  Number(a[2]) - Number(b[2]) || compareUtf8(String(a[0]), String(b[0]));

/** Printers of the flow control group, by public id. */
export const FLOW_CONTROL: Printers = {
  "flowschemas.flowcontrol.apiserver.k8s.io": {
    ...table(
      NAME,
      col("PriorityLevel", (o) => o.spec?.priorityLevelConfiguration?.name ?? ""),
      col("MatchingPrecedence", (o) => count(o.spec?.matchingPrecedence)),
      col("DistinguisherMethod", (o) => o.spec?.distinguisherMethod?.type ?? NONE),
      AGE,
      col("MissingPL", (o) => conditionOf(o, "Dangling")?.status ?? "?"),
    ),
    order: byPrecedence,
  },
  "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io": table(
    NAME,
    col("Type", (o) => o.spec?.type ?? ""),
    col("NominalConcurrencyShares", (o) => o.spec?.limited ? count(o.spec.limited.nominalConcurrencyShares) : NONE),
    queuing("Queues", "queues"),
    queuing("HandSize", "handSize"),
    queuing("QueueLengthLimit", "queueLengthLimit"),
    AGE,
  ),
};

function service(o: Obj): string {
  const s = o.spec?.service as { namespace?: string; name?: string } | undefined;
  return s ? `${s.namespace ?? ""}/${s.name ?? ""}` : "Local";
}
function available(o: Obj): string {
  const c = conditionOf(o, "Available");
  if (!c) return "Unknown";
  return c.status !== "True" && c.reason ? `${c.status} (${c.reason})` : c.status;
}

/** Printers of the API registration group. */
export const API_REGISTRATION: Printers = {
  "apiservices.apiregistration.k8s.io": table(NAME, col("Service", service), col("Available", available), AGE),
};
