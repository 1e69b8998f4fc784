/** Rules of events, in the shape of either group that serves them. */
import { format } from "../checks/basic.ts";
import { dnsSubdomain, qualifiedName } from "../checks/formats.ts";
import type { ErrorList } from "../errors.ts";
import type { Obj } from "../../model/types.ts";
import { longer } from "../../values/utf8.ts";
import { Path } from "../path.ts";
import { same, type Tree } from "../tree.ts";
import type { KindRules, RuleContext, ValidateContext } from "../types.ts";

/** Names that differ in the newer group; the older ones are those of error paths. */
const NEWER: Readonly<Record<string, string>> = {
  involvedObject: "regarding",
  message: "note",
  source: "deprecatedSource",
  firstTimestamp: "deprecatedFirstTimestamp",
  lastTimestamp: "deprecatedLastTimestamp",
  count: "deprecatedCount",
  reportingController: "reportingComponent",
};

/** A member by its older name, whatever the object's shape. */
function member(e: Tree, name: string): unknown {
  const newer = NEWER[name];
  if (name === "reportingController") return e["reportingController"] ?? e["reportingComponent"];
  return e[name] ?? (newer ? e[newer] : undefined);
}
const textOf = (e: Tree, name: string): string => String(member(e, name) ?? "");

const LIMITS = [["reportingInstance", 128], ["action", 128], ["reason", 128]] as const;
const NOTE_LIMIT = 1024;

/** Checks of both groups. `controller` is the name of the reporting controller in error paths. */
function common(e: Obj, controller: string, errors: ErrorList, ctx: RuleContext): void {
  const namespace = e.metadata.namespace ?? "",
    about: string = (member(e, "involvedObject") as Tree | undefined)?.["namespace"] ?? "";
  const place = Path.of("involvedObject", "namespace"), why = "does not match the event's namespace";
  if (!e["eventTime"]) {
    const good = about ? about === namespace : namespace === "" || namespace === "default";
    if (!good) errors.invalid(place, about, why);
  } else {
    if (!about && namespace !== "default" && namespace !== ctx.product.systemNamespace) {
      errors.invalid(place, about, why);
    }
    if (!textOf(e, "reportingController")) errors.required(Path.of(controller));
    format(textOf(e, "reportingController"), Path.of(controller), errors, qualifiedName);
    for (const [name, max] of LIMITS) {
      if (!textOf(e, name)) errors.required(Path.of(name));
      if (longer(textOf(e, name), max)) errors.invalid(Path.of(name), "", `must be at most ${max} bytes`);
    }
    if (longer(textOf(e, "message"), NOTE_LIMIT)) {
      errors.invalid(Path.of("message"), "", `must be at most ${NOTE_LIMIT} bytes`);
    }
  }
  format(namespace, Path.of("namespace"), errors, dnsSubdomain);
}

function series(e: Tree, errors: ErrorList): void {
  const s = e["series"];
  if (!s) return;
  if ((s.count ?? 0) < 2) errors.invalid(Path.of("series.count"), s.count ?? 0, "must be at least 2");
  if (!s.lastObservedTime) errors.required(Path.of("series.lastObservedTime"));
}

const given = (v: unknown): boolean => {
  if (v === null || typeof v !== "object") return !!v;
  return Object.values(v).some(Boolean);
};

/** Rules of `events`. Metadata is only checked by the common rules. */
export const EVENT: KindRules = {
  createOnUpdate: true,
  meta: { created: 0, compared: 0, whole: 0, knownFinalizersOnly: false },
  validate: (e, errors, ctx) => common(e, "reportingComponent", errors, ctx),
};

const FIXED = [
  "involvedObject",
  "reason",
  "message",
  "source",
  "firstTimestamp",
  "lastTimestamp",
  "count",
  "reason",
  "type",
  "eventTime",
  "action",
  "related",
  "reportingController",
  "reportingInstance",
];

function created(e: Obj, errors: ErrorList): void {
  series(e, errors);
  if (!e["eventTime"]) errors.required(Path.of("eventTime"));
  if (e["type"] !== "Normal" && e["type"] !== "Warning") {
    errors.invalid(Path.of("type"), e["type"] ?? "", "must be Normal or Warning");
  }
  for (const m of ["firstTimestamp", "lastTimestamp", "count", "source"]) {
    if (given(member(e, m))) errors.invalid(Path.of(m), "", "must not be set");
  }
}

/** Rules of `events.events.k8s.io`. */
export const NEW_EVENT: KindRules = {
  createOnUpdate: true,
  meta: { whole: 0 },
  validate(e, errors, ctx: ValidateContext, old) {
    common(e, "reportingController", errors, ctx);
    if (!old) created(e, errors);
  },
  validateUpdate(e, old, errors) {
    if (!same(e["series"], old["series"])) series(e, errors);
    for (const m of FIXED) {
      if (!same(member(e, m) || null, member(old, m) || null)) {
        errors.invalid(Path.of(m), member(e, m), "field is immutable");
      }
    }
  },
};
