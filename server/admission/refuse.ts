/** Refusals of plugins, in the form that clients know. */
import { type Cause, forbidden, notFound, StatusError } from "../../schema/status.ts";
import { aggregateText } from "../../schema/values/aggregate_text.ts";
import type { Attributes } from "./types.ts";

/** The name that a refusal shows: of an object that is yet to be named, what its name starts with. */
function shownName(a: Attributes): string {
  return a.name || a.object?.metadata?.name || a.object?.metadata?.generateName || "Unknown";
}

/** 403: `pods "x" is forbidden: why`. */
export function refusal(a: Attributes, why: string): StatusError {
  return forbidden({ group: a.resource.group, resource: a.resource.name }, shownName(a), why);
}

/** 403 with several reasons: one stands alone, more stand in brackets. */
export function refusals(a: Attributes, reasons: readonly string[]): StatusError {
  return refusal(a, aggregateText(reasons));
}

/** 404 of the object that the request is about. */
export function absent(a: Attributes): StatusError {
  return notFound({ group: a.resource.group, resource: a.resource.name }, shownName(a));
}

/** A refusal with a cause that clients branch on. */
export function refusalWithCause(a: Attributes, why: string, cause: Cause): StatusError {
  const e = refusal(a, why);
  return new StatusError(e.code, e.reason, e.message, { ...e.details, causes: [cause] });
}
