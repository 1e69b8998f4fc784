/** Events: one set of objects, stored as the core group's, served by both groups under other names of members. */
import { inverse, rename, type ShapeTable, type VersionShape } from "./types.ts";

const TO_CORE: Readonly<Record<string, string>> = {
  regarding: "involvedObject",
  note: "message",
  reportingController: "reportingComponent",
  deprecatedSource: "source",
  deprecatedFirstTimestamp: "firstTimestamp",
  deprecatedLastTimestamp: "lastTimestamp",
  deprecatedCount: "count",
};
const FROM_CORE = inverse(TO_CORE);
const SHAPE: VersionShape = { toHub: (o) => rename(o, TO_CORE), fromHub: (o) => rename(o, FROM_CORE) };

/** Versions of events outside of the core group. */
export const EVENTS: ShapeTable = { "events.k8s.io/v1 Event": SHAPE, "events.k8s.io/v1beta1 Event": SHAPE };
