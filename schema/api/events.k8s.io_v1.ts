// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type * as core_v1 from "./core_v1.ts";
import type * as meta_v1 from "./meta_v1.ts";
/** Descriptors of `events.v1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "events.k8s.io",
  version: "v1",
  short: "events.v1",
  protobuf: true,
  kinds: String.raw`{
"Event":{"list":"EventList","introduced":"1.19"}
}`,
  messages: String.raw`{
"Event":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta O","eventTime 2 meta.v1.MicroTime R","series 3 .EventSeries pOe","reportingController 4 string e","reportingInstance 5 string e","action 6 string e","reason 7 string e","regarding 8 core.v1.ObjectReference Oe","related 9 core.v1.ObjectReference pOe","note 10 string Oe","type 11 string e","deprecatedSource 12 core.v1.EventSource Oe","deprecatedFirstTimestamp 13 meta.v1.Time Oe","deprecatedLastTimestamp 14 meta.v1.Time Oe","deprecatedCount 15 int32 Oe"]},
"EventList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .Event rR"]},
"EventSeries":{"f":["count 1 int32 R","lastObservedTime 2 meta.v1.MicroTime R"]}
}`,
};

/** A note that something happened to an object, kept for a short time only. Meant for people and as a help in searching for faults; do not build decisions on it. Through this API group only series and metadata of a stored event can be changed. */
export interface Event {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  eventTime: meta_v1.MicroTime;
  series?: EventSeries;
  reportingController?: string;
  reportingInstance?: string;
  action?: string;
  reason?: string;
  regarding?: core_v1.ObjectReference;
  related?: core_v1.ObjectReference;
  note?: string;
  type?: string;
  deprecatedSource?: core_v1.EventSource;
  deprecatedFirstTimestamp?: meta_v1.Time;
  deprecatedLastTimestamp?: meta_v1.Time;
  deprecatedCount?: number;
}
/** List of events. */
export interface EventList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: Event[] | null;
}
/** How often and until when an event has repeated. */
export interface EventSeries {
  count: number;
  lastObservedTime: meta_v1.MicroTime;
}
