/** Cells of pods: readiness, what keeps a pod from running, restarts. */
import type { Json, Obj } from "../../schema/model/types.ts";
import type { Container, ContainerStatus, PodCondition, PodSpec, PodStatus } from "../../schema/api/core_v1.ts";
import { ageOf, column } from "./parts.ts";
import { orNone } from "./text.ts";
import { Age, type Cell, type Column, type Printer } from "./types.ts";

/** What the containers of a pod tell of it. */
interface Summary {
  ready: number;
  total: number;
  reason: string;
  restarts: number;
  /** End of the last run that was followed by a restart. */
  lastEnd: string;
}

const isSidecar = (c: Container | undefined): boolean => c?.restartPolicy === "Always";
const condition = (status: PodStatus, type: string): PodCondition | undefined =>
  status.conditions?.find((c) => c.type === type);
const later = (a: string, b: string): string => !a || Date.parse(b) > Date.parse(a) ? b : a;
const lastEnd = (s: ContainerStatus): string => s.lastState?.terminated?.finishedAt ?? "";

function summaryOf(spec: PodSpec, status: PodStatus): Summary {
  const gated = status.conditions?.some((c) => c.type === "PodScheduled" && c.reason === "SchedulingGated");
  const inits = spec.initContainers ?? [];
  const out: Summary = {
    ready: 0,
    total: (spec.containers?.length ?? 0) + inits.filter(isSidecar).length,
    reason: gated ? "SchedulingGated" : status.reason || status.phase || "",
    restarts: 0,
    lastEnd: "",
  };
  const sidecars: Pick<Summary, "restarts" | "lastEnd"> = { restarts: 0, lastEnd: "" };
  const stuck = addInits(out, sidecars, inits, status.initContainerStatuses ?? []);
  if (!stuck || condition(status, "Initialized")?.status === "True") {
    // Restarts of containers that ran to their end before the pod was initialized are history.
    Object.assign(out, sidecars);
    addContainers(out, status);
  }
  return out;
}

/** Goes through init containers up to the first that is not done, and says whether there is one. */
function addInits(
  out: Summary,
  sidecars: Pick<Summary, "restarts" | "lastEnd">,
  inits: readonly Container[],
  statuses: readonly ContainerStatus[],
): boolean {
  for (const [i, s] of statuses.entries()) {
    const sidecar = isSidecar(inits.find((c) => c.name === s.name));
    for (const sum of sidecar ? [out, sidecars] : [out]) addRestarts(sum, s);
    if (s.state?.terminated && !s.state.terminated.exitCode) continue;
    if (sidecar && s.started) {
      if (s.ready) out.ready++;
      continue;
    }
    out.reason = `Init:${initReason(s) ?? `${i}/${inits.length}`}`;
    return true;
  }
  return false;
}

function addRestarts(sum: Pick<Summary, "restarts" | "lastEnd">, s: ContainerStatus): void {
  sum.restarts += s.restartCount ?? 0;
  sum.lastEnd = later(sum.lastEnd, lastEnd(s));
}

function initReason({ state }: ContainerStatus): string | undefined {
  if (state?.terminated) return endReason(state.terminated);
  const waiting = state?.waiting?.reason;
  return waiting && waiting !== "PodInitializing" ? waiting : undefined;
}

const endReason = (t: { reason?: string; signal?: number; exitCode?: number }): string =>
  t.reason || (t.signal ? `Signal:${t.signal}` : `ExitCode:${t.exitCode ?? 0}`);

/** The first container's reason counts most: it is looked at last. */
function addContainers(out: Summary, status: PodStatus): void {
  let running = false;
  for (const s of (status.containerStatuses ?? []).toReversed()) {
    addRestarts(out, s);
    const { waiting, terminated } = s.state ?? {};
    if (waiting?.reason) out.reason = waiting.reason;
    else if (terminated) out.reason = endReason(terminated);
    else if (s.ready && s.state?.running) {
      running = true;
      out.ready++;
    }
  }
  if (out.reason === "Completed" && running) {
    out.reason = condition(status, "Ready")?.status === "True" ? "Running" : "NotReady";
  }
}

function phaseOf(pod: Obj, status: PodStatus, reason: string): string {
  if (!pod.metadata.deletionTimestamp) return reason;
  if (status.reason === "NodeLost") return "Unknown";
  return status.phase === "Succeeded" || status.phase === "Failed" ? reason : "Terminating";
}

function gates(spec: PodSpec, status: PodStatus): string {
  const all = spec.readinessGates ?? [];
  if (all.length === 0) return orNone("");
  const open = all.filter((g) => condition(status, g.conditionType)?.status === "True");
  return `${open.length}/${all.length}`;
}

function cells(pod: Obj): Cell[] {
  const spec = (pod.spec ?? {}) as PodSpec;
  const status = (pod.status ?? {}) as PodStatus;
  const { ready, total, reason, restarts, lastEnd } = summaryOf(spec, status);
  return [
    pod.metadata.name ?? "",
    `${ready}/${total}`,
    phaseOf(pod, status, reason),
    restarts && lastEnd ? new Age(lastEnd, `${restarts} (`, " ago)") : `${restarts}`,
    ageOf(pod),
    orNone(status.podIPs?.[0]?.ip),
    orNone(spec.nodeName),
    orNone(status.nominatedNodeName),
    gates(spec, status),
  ];
}

/** Phases of a pod that has come to its end. */
const ENDS = new Map([["Succeeded", "The pod has run to its end"], ["Failed", "The pod has failed"]]);

function conditions(pod: Obj): Json[] | undefined {
  const phase: string = pod.status?.phase ?? "";
  const message = ENDS.get(phase);
  return message ? [{ type: "Completed", status: "True", reason: phase, message }] : undefined;
}

const COLUMNS: readonly Column[] = [
  column("Name", "string", "name"),
  ...["Ready", "Status", "Restarts", "Age"].map((name) => column(name)),
  ...["IP", "Node", "Nominated Node", "Readiness Gates"].map((name) => column(name, "string", "", 1)),
];

/** One pass over a pod's containers gives all its cells. */
export const POD_PRINTER: Printer = { columns: COLUMNS, cells, conditions };
