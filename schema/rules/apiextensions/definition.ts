/** Rules of definitions of custom resources. */
import type { Obj } from "../../model/types.ts";
import { immutable, keep } from "../checks/basic.ts";
import { isTrue } from "../checks/conditions.ts";
import type { ErrorList } from "../errors.ts";
import { METADATA } from "../object_meta.ts";
import { Path } from "../path.ts";
import { isSet, items, type Tree } from "../tree.ts";
import type { KindRules, RuleContext, ValidateContext } from "../types.ts";
import { approvalAnnotation, approvalOf, needsApproval } from "./approval.ts";
import { bundleOf, isSoundBundle } from "./ca_bundle.ts";
import { definitionSpec, type Expressions } from "./definition_spec.ts";
import { names } from "./names.ts";
import { definitionWarnings } from "./warnings.ts";

const SPEC = Path.of("spec"), STORED = Path.of("status", "storedVersions");
const ACCEPTED = Path.of("status", "acceptedNames"), PRESERVE = SPEC.child("preserveUnknownFields");

/** The version that objects are stored in stands among those that they ever were stored in. */
function rememberStored(obj: Obj): void {
  const storage = items(obj["spec"]?.versions).find((v) => v["storage"]);
  if (!storage) return;
  const status: Tree = obj["status"] ??= {}, list = items<string>(status["storedVersions"]);
  if (!list.includes(storage["name"] ?? "")) status["storedVersions"] = [...list, storage["name"] ?? ""];
}

function storedVersions(obj: Obj, errors: ErrorList): void {
  const list = items<string>(obj["status"]?.storedVersions), left = new Map(list.map((v, i) => [v, i]));
  if (!list.length) return errors.invalid(STORED, list, "must have at least one version");
  for (const v of items(obj["spec"]?.versions)) {
    if (!left.delete(v["name"] ?? "") && v["storage"]) errors.invalid(STORED, list, "must have the storage version");
  }
  for (const [v, i] of left) {
    errors.invalid(STORED.index(i), v, "missing from spec.versions, while objects may be stored in it");
  }
}

/** Groups of the project's own need a sign that they were agreed on. */
function approval(obj: Obj, old: Obj | undefined, errors: ErrorList, { product }: RuleContext): void {
  if (!needsApproval(obj["spec"]?.group ?? "", product)) return;
  const key = approvalAnnotation(product), at = METADATA.child("annotations").key(key);
  const state = approvalOf(obj.metadata.annotations, product);
  if (old && approvalOf(old.metadata.annotations, product) === state) return;
  if (state === "missing") errors.required(at, "groups of this domain must be approved");
  if (state === "invalid") {
    errors.invalid(at, obj.metadata.annotations?.[key], "must be a URL or start with 'unapproved'");
  }
}

/** Once a definition is established, its webhook's authorities are not to become unsound; until then they may come late. */
function bundleCheck(old: Obj | undefined, ctx: RuleContext): ((base64: string) => boolean) | undefined {
  const isSound = (base64: string) => isSoundBundle(base64, ctx.certificates);
  if (!old || !isTrue(old["status"]?.conditions, "Established") || !isSound(bundleOf(old["spec"]))) return undefined;
  return isSound;
}

/** Checks a definition, also what its schemas say in expressions where something can read them. */
export function validateDefinition(
  obj: Obj,
  errors: ErrorList,
  ctx: ValidateContext,
  old: Obj | undefined,
  expressions?: Expressions,
): void {
  const spec: Tree = obj["spec"] ?? {}, wanted = `${spec["names"]?.plural ?? ""}.${spec["group"] ?? ""}`;
  for (const m of old ? [] : ["generateName", "name"] as const) {
    const given = obj.metadata[m];
    if (given && given !== wanted) {
      errors.invalid(METADATA.child(m), given, "must be spec.names.plural, '.' and spec.group");
    }
  }
  definitionSpec(spec, old?.["spec"], errors, bundleCheck(old, ctx), expressions);
  names(obj["status"]?.acceptedNames ?? {}, ACCEPTED, errors);
  storedVersions(obj, errors);
  approval(obj, old, errors, ctx);
  if (spec["preserveUnknownFields"] && !old?.["spec"]?.preserveUnknownFields) {
    errors.invalid(
      PRESERVE,
      true,
      "must not be set to true, set x-kubernetes-preserve-unknown-fields in schemas instead",
    );
  }
}

function validateUpdate(obj: Obj, old: Obj, errors: ErrorList): void {
  const fixed = (now: unknown, was: unknown, ...path: string[]) =>
    immutable(now || null, was || null, SPEC.child(...path), errors);
  const spec: Tree = obj["spec"] ?? {}, was: Tree = old["spec"] ?? {};
  if (isTrue(old["status"]?.conditions, "Established")) {
    fixed(spec["scope"], was["scope"], "scope");
    fixed(spec["names"]?.kind, was["names"]?.kind, "names", "kind");
  }
  fixed(spec["group"], was["group"], "group");
  fixed(spec["names"]?.plural, was["names"]?.plural, "names", "plural");
}

/** What tells which generation a status is of: dropped while the gate is off and the stored status does not tell. */
function dropDisabled(obj: Obj, old: Obj | undefined, ctx: RuleContext): void {
  const tracked = isSet(old?.["status"]?.observedGeneration) ||
    items(old?.["status"]?.conditions).some((c) => isSet(c["observedGeneration"]));
  if (ctx.gate("CRDObservedGenerationTracking") || tracked || !obj["status"]) return;
  delete obj["status"].observedGeneration;
  for (const c of items(obj["status"].conditions)) delete c["observedGeneration"];
}

/** Rules of `customresourcedefinitions.apiextensions.k8s.io`. */
export const DEFINITION: KindRules = {
  generation: ["spec"],
  unconditionalUpdate: false,
  meta: { whole: 0, knownFinalizersOnly: false },
  prepareCreate(obj, ctx) {
    obj["status"] = { conditions: null, acceptedNames: { plural: "", kind: "" }, storedVersions: null };
    rememberStored(obj);
    dropDisabled(obj, undefined, ctx);
  },
  prepareUpdate(obj, old, ctx) {
    keep(obj, old, "status");
    if (obj["status"]) obj["status"] = { ...obj["status"] };
    rememberStored(obj);
    dropDisabled(obj, old, ctx);
  },
  validate: validateDefinition,
  validateUpdate,
  warnings: definitionWarnings,
  subresources: {
    status: {
      prepareUpdate(obj, old, ctx) {
        keep(obj, old, "spec");
        dropDisabled(obj, old, ctx);
      },
      validateUpdate: (obj, _old, errors) => names(obj["status"]?.acceptedNames ?? {}, ACCEPTED, errors),
    },
  },
};
