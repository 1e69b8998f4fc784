/** Printers of the autoscaling group. */
import type { MetricSpec, MetricStatus, MetricTarget, MetricValueStatus } from "../../schema/api/autoscaling_v2.ts";
import type { Obj } from "../../schema/model/types.ts";
import { AGE, col, column, NAME, table } from "./parts.ts";
import { count, firstOf, NONE, UNSET } from "./text.ts";
import type { Printer, Printers } from "./types.ts";

const UNKNOWN = "<unknown>";
/** What an unset quantity is printed as. */
const NIL = "<nil>";
type Target = MetricTarget;
type Current = MetricValueStatus | undefined;
const percent = (n: number | undefined, none: string): string => n === undefined ? none : `${n}%`;

/** A metric of objects or of things outside: a whole value, or an average. */
function value(target: Target, current: Current): string {
  return target.averageValue === undefined
    ? `${current ? current.value ?? NIL : UNKNOWN}/${target.value ?? NIL}`
    : `${current?.averageValue ?? UNKNOWN}/${target.averageValue} (avg)`;
}
/** A metric of pods. */
const average = (target: Target, current: Current): string =>
  `${current ? current.averageValue ?? NIL : UNKNOWN}/${target.averageValue ?? NIL}`;
/** A resource of pods or containers: an average amount, or a share of what was requested. */
const resource = (name: string, target: Target, current: Current): string =>
  target.averageValue === undefined
    ? `${name}: ${percent(current?.averageUtilization, UNKNOWN)}/${percent(target.averageUtilization, "<auto>")}`
    : `${name}: ${average(target, current)}`;

function metric(spec: MetricSpec, status: MetricStatus | undefined): string {
  if (spec.external) return value(spec.external.target, status?.external?.current);
  if (spec.object) return value(spec.object.target, status?.object?.current);
  if (spec.pods) return average(spec.pods.target, status?.pods?.current);
  if (spec.resource) return resource(spec.resource.name, spec.resource.target, status?.resource?.current);
  if (spec.containerResource) {
    const { name, target } = spec.containerResource;
    return resource(name, target, status?.containerResource?.current);
  }
  return "<unknown type>";
}

function targets(o: Obj): string {
  const specs = (o.spec?.metrics ?? []) as MetricSpec[];
  const statuses = (o.status?.currentMetrics ?? []) as MetricStatus[];
  return specs.length ? firstOf(specs.map((s, i) => metric(s, statuses[i])), 2, ", ") : NONE;
}

/** Printers, by public id. Autoscalers are stored as v2. */
export const AUTOSCALING: Printers = {
  "horizontalpodautoscalers.autoscaling": table(
    NAME,
    col("Reference", (o) => `${o.spec?.scaleTargetRef?.kind ?? ""}/${o.spec?.scaleTargetRef?.name ?? ""}`),
    col("Targets", targets),
    col("MinPods", (o) => o.spec?.minReplicas === undefined ? UNSET : `${o.spec.minReplicas}`),
    col("MaxPods", (o) => count(o.spec?.maxReplicas)),
    col("Replicas", (o) => count(o.status?.currentReplicas)),
    AGE,
  ),
};

const REPLICAS = [
  col("Desired", (o) => count(o.spec?.replicas), "integer"),
  col("Available", (o) => count(o.status?.replicas), "integer"),
];

/** The printer of `Scale`, which is no resource of its own. */
export const SCALE_PRINTER: Printer = table(col("Name", (o) => o.metadata.name ?? ""), ...REPLICAS, AGE);
/** The same of custom resources, whose columns say more of what they hold. */
export const CUSTOM_SCALE_PRINTER: Printer = table(NAME, ...REPLICAS, {
  ...AGE,
  column: column("Age", "date"),
});
