/** Rules of jobs. */
import { namingWarnings } from "../core/pod_warnings.ts";
import { immutable, keep } from "../checks/basic.ts";
import { forgetEmpty } from "../checks/fill.ts";
import { dnsLabel } from "../checks/formats.ts";
import { hasInvalidValue, labelSelector } from "../checks/selectors.ts";
import { meets, requirementsOf } from "../checks/workload.ts";
import { dropDisabledInTemplate } from "../core/pod_drop.ts";
import { ErrorList } from "../errors.ts";
import type { Obj } from "../../model/types.ts";
import { perProduct } from "../local.ts";
import { METADATA } from "../object_meta.ts";
import { Path } from "../path.ts";
import { emptyMap, isSet, items, same, type Tree } from "../tree.ts";
import { copyTree } from "../../values/copy.ts";
import type { KindRules, RuleContext, ValidateContext } from "../types.ts";
import { jobSpec, jobSpecWarnings } from "./job_spec.ts";
import { jobStatusUpdate } from "./job_status.ts";

const SPEC = Path.of("spec"), LABELS = Path.of("spec", "template", "metadata", "labels");

/** Labels by which a job knows its pods; those without a domain are older. */
const NAMES = perProduct((p) => ({
  uid: p.local("batch.kubernetes.io/controller-uid"),
  name: p.local("batch.kubernetes.io/job-name"),
}));
const OLD_UID = "controller-uid", OLD_NAME = "job-name";

/** Gives a selector and labels of its own to a job that does not bring them. */
function generateSelector(obj: Obj, ctx: { product: ValidateContext["product"] }): void {
  const spec: Tree = obj["spec"] ??= {}, { uid, name } = NAMES(ctx.product);
  const template: Tree = spec["template"] ??= {};
  const labels: Tree = (template["metadata"] ??= {}).labels ??= {};
  labels[uid] ??= obj.metadata.uid ?? "";
  labels[name] ??= obj.metadata.name ?? "";
  labels[OLD_UID] ??= obj.metadata.uid ?? "";
  labels[OLD_NAME] ??= obj.metadata.name ?? "";
  const match: Tree = (spec["selector"] ??= {}).matchLabels ??= {};
  match[uid] ??= obj.metadata.uid ?? "";
}

function hasLabel(labels: Tree, key: string, value: string, errors: ErrorList): void {
  if (!(key in labels)) errors.required(LABELS.key(key), `must be '${value}'`);
  else if (labels[key] !== value) errors.invalid(LABELS.key(key), labels, `must be '${value}'`);
}

/** A generated selector fits the generated labels, and no others do. */
function generatedSelector(obj: Obj, old: Obj | undefined, errors: ErrorList, ctx: ValidateContext): void {
  const spec: Tree = obj["spec"] ?? {}, { uid, name } = NAMES(ctx.product);
  if (spec["manualSelector"] || !spec["selector"]) return;
  if (!obj.metadata.uid) errors.required(METADATA.child("uid"));
  const before: Tree | undefined = old && (old["spec"].template?.metadata?.labels ?? {});
  const domains = !before || (uid in before && name in before);
  const expected: Tree = { [OLD_UID]: obj.metadata.uid ?? "", [OLD_NAME]: obj.metadata.name ?? "" };
  if (domains) Object.assign(expected, { [uid]: obj.metadata.uid ?? "", [name]: obj.metadata.name ?? "" });
  const labels: Tree = spec["template"]?.metadata?.labels ?? {};
  for (const k in expected) hasLabel(labels, k, expected[k], errors);
  const requirements = requirementsOf(spec["selector"]);
  if (requirements && !meets(requirements, expected)) {
    errors.invalid(SPEC.child("selector"), spec["selector"], "must be the generated one");
  }
}

function whole(obj: Obj, old: Obj | undefined, errors: ErrorList, ctx: ValidateContext): void {
  const s: Tree = obj["spec"] ?? {}, was: Tree | undefined = old?.["spec"];
  const found = new ErrorList();
  jobSpec(s, was, SPEC, found, ctx);
  if (!s["selector"]) found.required(SPEC.child("selector"));
  else {labelSelector(s["selector"], SPEC.child("selector"), found, {
      allowInvalidValues: hasInvalidValue(was?.["selector"]),
    });}
  const requirements = requirementsOf(s["selector"]), labels: Tree = s["template"]?.metadata?.labels ?? {};
  if (requirements !== undefined && !meets(requirements, labels)) {
    found.invalid(LABELS, labels, "`selector` does not match template `labels`");
  }
  generatedSelector(obj, old, errors, ctx);
  errors.take(found.causes);
  if (s["completionMode"] === "Indexed" && s["completions"] > 0) {
    const host = `${obj.metadata.name ?? ""}-${s["completions"] - 1}`;
    if (dnsLabel(host).length) {
      errors.invalid(METADATA.child("name"), obj.metadata.name, `pods could not be named ${host}`);
    }
  }
  if (old) errors.take(found.causes); // an update looks at the spec twice, and clients see both
}

const FIXED = ["completionMode", "podFailurePolicy", "backoffLimitPerIndex", "managedBy", "successPolicy"];

function update(obj: Obj, old: Obj, errors: ErrorList, ctx: ValidateContext): void {
  const now: Tree = obj["spec"], was: Tree = old["spec"];
  if (now["completionMode"] !== "Indexed") {
    immutable(now["completions"], was["completions"], SPEC.child("completions"), errors);
  } else if (
    !same(now["completions"], was["completions"]) && isSet(now["completions"]) &&
    now["completions"] !== now["parallelism"]
  ) {
    errors.invalid(SPEC.child("completions"), now["completions"], "can only be changed together with spec.parallelism");
  }
  immutable(now["selector"], was["selector"], SPEC.child("selector"), errors);
  const path = SPEC.child("template"), allowed = withDirectives(now, old, ctx);
  if (ctx.gate("MutablePodResourcesForSuspendedJobs") && waits(old)) {
    // The error is about the pods' spec alone: their metadata may change.
    immutable(now["template"]?.spec, withResources(now, allowed["spec"]), path.child("spec"), errors);
  } else immutable(now["template"], allowed, path, errors);
  for (const m of FIXED) immutable(now[m], was[m], SPEC.child(m), errors);
  samePolicy(now["scheduling"]?.schedulingPolicy, was["scheduling"]?.schedulingPolicy, errors);
}

/** Pods that were to run together stay so, and those that were not. */
function samePolicy(now: Tree | undefined, was: Tree | undefined, errors: ErrorList): void {
  if (!now || !was || isSet(now["basic"]) === isSet(was["basic"])) return;
  errors.invalid(SPEC.child("scheduling", "schedulingPolicy"), null, "must not change between basic and gang");
}

const neverStarted = (job: Obj): boolean => !isSet(job["status"]?.startTime);

/** Whether a job is suspended and has no pods that could still run. */
const waits = (job: Obj): boolean =>
  !!job["spec"].suspend && (neverStarted(job) || suspended(job)) && !job["status"]?.active;

/** The old template with the new values of what says where pods run, where a job that waits may change it. */
function withDirectives(now: Tree, old: Obj, ctx: ValidateContext): Tree {
  const was: Tree = old["spec"];
  const free = ctx.gate("MutableSchedulingDirectivesForSuspendedJobs")
    ? waits(old)
    : !!was["suspend"] && neverStarted(old);
  if (!free) return was["template"];
  const t: Tree = copyTree(was["template"]), to: Tree = t["spec"], from: Tree = now["template"]?.spec ?? {};
  nodeAffinity(to, from);
  for (const m of ["nodeSelector", "tolerations", "schedulingGates"]) keep(to, from, m);
  for (const m of ["annotations", "labels"]) keep(t["metadata"] ??= {}, now["template"]?.metadata, m);
  return t;
}

/** The pods' spec with the new resources of containers that keep their places and names. */
function withResources(now: Tree, spec: Tree): Tree {
  const to: Tree = copyTree(spec), from: Tree = now["template"]?.spec ?? {};
  for (const list of ["containers", "initContainers"]) {
    const given = items(from[list]);
    if (given.length !== items(to[list]).length) continue;
    for (const [i, c] of items(to[list]).entries()) {
      if (c["name"] === given[i]!["name"]) keep(c as Tree, given[i], "resources");
    }
  }
  return to;
}

const suspended = (job: Obj): boolean =>
  items(job["status"]?.conditions).some((c) => c["type"] === "Suspended" && c["status"] === "True");

function nodeAffinity(to: Tree, from: Tree): void {
  const now: Tree | undefined = from["affinity"], old: Tree | undefined = to["affinity"];
  if (!now && !old) return;
  const merged: Tree = { ...old };
  keep(merged, now, "nodeAffinity");
  if (!now && emptyMap(merged)) delete to["affinity"];
  else to["affinity"] = merged;
}

/** Drops from a job's spec what the server's gates do not allow. */
export function dropDisabledInJob(spec: Tree | undefined, old: Tree | undefined, ctx: RuleContext): void {
  if (spec && !ctx.gate("WorkloadWithJob") && !isSet(old?.["scheduling"])) delete spec["scheduling"];
  dropDisabledInTemplate(spec?.["template"], old?.["template"], ctx);
  forgetEmpty(spec?.["podFailurePolicy"], "rules");
}

/** A job without labels has those of its pods. */
function labelLikeTemplate(obj: Obj): void {
  if (emptyMap(obj.metadata.labels)) obj.metadata.labels = copyTree(obj["spec"].template.metadata?.labels ?? {});
}

const templateWarnings = namingWarnings("spec", "template");

/** Rules of `jobs.batch`. */
export const JOB: KindRules = {
  generation: ["spec"],
  prepareCreate(obj, ctx) {
    obj["status"] = {};
    if (!ctx.gate("JobManagedBy")) delete obj["spec"]?.managedBy;
    dropDisabledInJob(obj["spec"], undefined, ctx);
    if (!obj["spec"]?.manualSelector) generateSelector(obj, ctx);
  },
  prepareUpdate(obj, old, ctx) {
    keep(obj, old, "status");
    dropDisabledInJob(obj["spec"], old["spec"], ctx);
  },
  validate: (obj, errors, ctx, old) => whole(obj, old, errors, ctx),
  fillCreated: labelLikeTemplate,
  validateUpdate: update,
  warnings: (obj, old, ctx) => [
    ...templateWarnings(obj, old, ctx),
    ...(old && old.metadata.generation === obj.metadata.generation ? [] : jobSpecWarnings(obj["spec"] ?? {}, SPEC)),
  ],
  subresources: {
    status: {
      prepareUpdate(obj, old) {
        keep(obj, old, "spec");
        labelLikeTemplate(obj);
      },
      validateUpdate: jobStatusUpdate,
    },
  },
};
