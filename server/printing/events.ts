/** The printer of events. Both groups store the core group's shape. */
import type { Obj } from "../../schema/model/types.ts";
import { col, type Part, type Read, table, wide } from "./parts.ts";
import { Age, type Printer, type Printers } from "./types.ts";

const first = (o: Obj): string | undefined => o.firstTimestamp ?? o.eventTime ?? undefined;
const last = (o: Obj): string | undefined => o.series ? o.series.lastObservedTime : o.lastTimestamp ?? first(o);

const target: Read = ({ involvedObject: { kind = "", name = "" } = {} }) =>
  name ? `${kind.toLowerCase()}/${name}` : kind.toLowerCase();

const source: Read = (o) => {
  const component: string = o.source?.component || o.reportingComponent || "";
  const instance: string = o.source?.host || o.reportingInstance || "";
  return instance ? `${component}, ${instance}` : component;
};

const NAME: Part = wide("Name", (o) => o.metadata.name ?? "", "name");

/** Columns of events of both groups. */
export const EVENT_PRINTER: Printer = table(
  col("Last Seen", (o) => new Age(last(o))),
  col("Type", (o) => o.type ?? ""),
  col("Reason", (o) => o.reason ?? ""),
  col("Object", target),
  wide("Subobject", (o) => o.involvedObject?.fieldPath ?? ""),
  wide("Source", source),
  col("Message", (o) => (o.message ?? "").trim()),
  wide("First Seen", (o) => new Age(first(o))),
  wide("Count", (o) => o.series ? o.series.count ?? 0 : o.count || 1),
  NAME,
);

/** Printers of the events group. */
export const EVENTS: Printers = { "events.events.k8s.io": EVENT_PRINTER };
