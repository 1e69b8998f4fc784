/** Printers of the lifecycle group: evictions, and requests for them. */
import type { Obj } from "../../schema/model/types.ts";
import { AGE, col, NAME, table, wide } from "./parts.ts";
import { conditionOf, firstOf, orNone, UNSET } from "./text.ts";
import { Age, type Cell, type Printers, Until } from "./types.ts";

interface Requester {
  name: string;
  intent: string;
}
interface Responder {
  name: string;
  priority: number;
  state: string;
}
interface Report {
  name: string;
  startTime?: string;
  heartbeatTime?: string;
  expectedCompletionTime?: string;
  completionTime?: string;
  message?: string;
}

/** How an eviction can end; what was evicted needs no more said. */
const ENDS = ["TargetEvicted", "Failed"];

function stateOf(o: Obj): string {
  const end = ENDS.map((type) => conditionOf(o, type)).find((c) => c?.status === "True");
  if (end) return `${end.type} (${end.reason ?? ""})`;
  return o.status?.observedGeneration === undefined ? "Pending" : "Progressing";
}

const TARGET = [
  col("Target", (o) => o.spec?.target?.pod?.name ?? ""),
  col("Target Type", (o) => o.spec?.target?.pod ? "Pod" : ""),
  col("Status", stateOf),
];

/** The responder whose turn it is or was last, its place among all, and what it reports of itself. */
function turnOf(o: Obj): { now?: Responder; report?: Report; place: number; of: number } {
  const all = [...(o.status?.targetResponders ?? []) as Responder[]].sort((a, b) => b.priority - a.priority);
  const active = all.findIndex((r) => r.state === "Active");
  const at = active >= 0 ? active : all.findLastIndex((r) => r.state !== "Inactive");
  const now = all[at];
  const report = now && ((o.status?.responders ?? []) as Report[]).find((r) => r.name === now.name);
  return { ...(now ? { now } : {}), ...(report ? { report } : {}), place: at + 1, of: all.length };
}

function progressOf(o: Obj): Cell {
  const { now, report } = turnOf(o);
  if (!now) return UNSET;
  if (now.state === "Active") return new Age(report?.startTime, "Started (", " ago)");
  return now.state === "Completed" ? new Age(report?.completionTime, "Completed (", " ago)") : now.state;
}

function finishOf(o: Obj): Cell {
  const { now, report } = turnOf(o);
  return now && now.state !== "Active" ? "-" : new Until(report?.expectedCompletionTime);
}

function heartbeatOf(o: Obj): Cell {
  const at = turnOf(o).report?.heartbeatTime;
  return at ? new Age(at, "", " ago") : UNSET;
}

/** Those who still want the eviction. */
const requestersOf = (o: Obj): string[] =>
  ((o.status?.requesters ?? []) as Requester[]).filter((r) => r.intent === "Eviction").map((r) => r.name);

/** Printers of the lifecycle group, by public id. */
export const LIFECYCLE: Printers = {
  "evictionrequests.lifecycle.k8s.io": table(
    NAME,
    ...TARGET,
    col("Requester", (o) => o.spec?.requester ?? ""),
    col("Intent", (o) => o.spec?.intent ?? ""),
    AGE,
  ),
  "evictions.lifecycle.k8s.io": table(
    NAME,
    ...TARGET,
    col("Active Responder", (o) => {
      const { now, place, of } = turnOf(o);
      return `${now?.name ?? UNSET} (${place}/${of})`;
    }),
    col("Responder Status", progressOf),
    col("Responder Expected Finish", finishOf),
    col("Requesters", (o) => orNone(firstOf(requestersOf(o), 1))),
    AGE,
    wide("Responder Heartbeat", heartbeatOf),
    wide("Responder Status Message", (o) => turnOf(o).report?.message || UNSET),
  ),
};
