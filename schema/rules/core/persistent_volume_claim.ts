/** Rules of persistent volume claims. */
import { healthConditions } from "./volume_health.ts";
import { claimWarnings } from "./claim_warnings.ts";
import { format, immutable, keep } from "../checks/basic.ts";
import { qualifiedName } from "../checks/formats.ts";
import { basicAmount, isNativeResource, resourceAmount } from "../checks/resources.ts";
import { hasInvalidValue } from "../checks/selectors.ts";
import type { ErrorList } from "../errors.ts";
import type { Obj } from "../../model/types.ts";
import { localSet } from "../local.ts";
import { METADATA } from "../object_meta.ts";
import { Path } from "../path.ts";
import { count, isSet, same, type Tree } from "../tree.ts";
import { parseQuantity } from "../../values/quantity.ts";
import type { KindRules, RuleContext, ValidateContext } from "../types.ts";
import { claimSpec } from "./claim_spec.ts";

const SPEC = Path.of("spec"), STATUS = Path.of("status");
const CLASS_ANNOTATION = localSet("volume.beta.kubernetes.io/storage-class");
const SNAPSHOTS = localSet("snapshot.storage.k8s.io");
const nameIn = (set: ReadonlySet<string>): string => [...set][0]!;

/** Both ways to name a source are kept the same, where both can say it. */
function linkSources(spec: Tree): void {
  const { dataSource, dataSourceRef } = spec;
  const part = (r: Tree): Tree => ({ apiGroup: r["apiGroup"] ?? null, kind: r["kind"] ?? "", name: r["name"] ?? "" });
  if (dataSource && !dataSourceRef) spec["dataSourceRef"] = part(dataSource);
  else if (dataSourceRef && !dataSource && !dataSourceRef.namespace) spec["dataSource"] = part(dataSourceRef);
}

/** A source in another namespace is dropped while its feature is off, unless the old claim had one already. */
function dropForeignSource(spec: Tree, old: Tree | undefined, ctx: RuleContext): void {
  if (ctx.gate("CrossNamespaceVolumeDataSource") || old?.["dataSourceRef"]) return;
  if (spec["dataSourceRef"]?.namespace) delete spec["dataSourceRef"];
}

/** Of the older way only claims and snapshots were ever accepted: others are dropped, as they always were. */
function dropUnknownSource(spec: Tree, old: Tree | undefined, ctx: RuleContext): void {
  const s = spec["dataSource"];
  if (!s || spec["dataSourceRef"] || old?.["dataSource"] || old?.["dataSourceRef"]) return;
  const claim = s.kind === "PersistentVolumeClaim" && !s.apiGroup;
  if (!claim && !(s.kind === "VolumeSnapshot" && SNAPSHOTS(ctx.product).has(s.apiGroup))) delete spec["dataSource"];
}

function settleSources(spec: Tree, old: Tree | undefined, ctx: RuleContext): void {
  dropForeignSource(spec, old, ctx);
  dropUnknownSource(spec, old, ctx);
  linkSources(spec);
}

function update(obj: Obj, old: Obj, errors: ErrorList, ctx: ValidateContext): void {
  const now: Tree = { ...obj["spec"] }, was: Tree = { ...old["spec"] };
  if (!was["volumeName"]) was["volumeName"] = now["volumeName"];
  storageClass(obj, old, now, errors, ctx);
  const bound = obj["status"]?.phase === "Bound";
  if (bound && now["resources"]?.requests) {
    now["resources"] = {
      ...now["resources"],
      requests: { ...now["resources"].requests, storage: was["resources"]?.requests?.storage },
    };
  }
  if (bound) now["volumeAttributesClassName"] = was["volumeAttributesClassName"];
  if (!same(now, was)) {
    errors.forbidden(
      SPEC,
      "is immutable after creation, but for resources.requests and volumeAttributesClassName of bound claims",
    );
  }
  sizes(obj, old, errors);
  immutable(obj["spec"].volumeMode, old["spec"].volumeMode, Path.of("volumeMode"), errors);
  attributesClass(obj["spec"].volumeAttributesClassName, old, errors);
}

/** A class may be given late, and may move from the old annotation to the field. Changes `now` to hold the old class then. */
function storageClass(obj: Obj, old: Obj, now: Tree, errors: ErrorList, ctx: ValidateContext): void {
  const name = nameIn(CLASS_ANNOTATION(ctx.product));
  const before = old.metadata.annotations?.[name], after = obj.metadata.annotations?.[name];
  const wanted = now["storageClassName"], unset = !isSet(old["spec"].storageClassName);
  if (before !== undefined && unset && wanted === before && (after === undefined || after === before)) {
    delete now["storageClassName"];
    return;
  }
  if ((after ?? "") !== (before ?? "")) {
    errors.invalid(METADATA.child("annotations", name), after, "field is immutable");
  }
  if (isSet(wanted) && unset && (before === undefined || wanted === before)) delete now["storageClassName"];
}

function sizes(obj: Obj, old: Obj, errors: ErrorList): void {
  const size = (list: Tree | undefined) => parseQuantity(list?.["storage"] ?? "0");
  const now = size(obj["spec"].resources?.requests), was = size(old["spec"].resources?.requests);
  if (now.cmp(was) < 0 && now.cmp(size(old["status"]?.capacity)) <= 0) {
    errors.forbidden(SPEC.child("resources", "requests", "storage"), "must be more than status.capacity");
  }
}

function attributesClass(now: string | undefined, old: Obj, errors: ErrorList): void {
  if (same(now, old["spec"].volumeAttributesClassName) || !isSet(old["status"]?.currentVolumeAttributesClassName)) {
    return;
  }
  if (!now) {
    errors.forbidden(
      SPEC.child("volumeAttributesClassName"),
      "must not be removed while status.currentVolumeAttributesClassName is set",
    );
  }
}

const RESIZE = [
  "ControllerResizeInProgress",
  "ControllerResizeInfeasible",
  "NodeResizePending",
  "NodeResizeInProgress",
  "NodeResizeInfeasible",
];

function statusUpdate(obj: Obj, errors: ErrorList, ctx: ValidateContext): void {
  const status: Tree = obj["status"] ?? {};
  if (!count(obj["spec"].accessModes)) errors.required(Path.of("Spec", "accessModes"));
  healthConditions(status["healthStatus"]?.healthConditions, STATUS.child("healthStatus", "healthConditions"), errors);
  for (const k in status["capacity"] ?? {}) basicAmount(status["capacity"][k], STATUS.child("capacity").key(k), errors);
  const states = STATUS.child("allocatedResourceStatuses"), allocated = STATUS.child("allocatedResources");
  for (const k in status["allocatedResourceStatuses"] ?? {}) {
    claimResource(k, states, errors, ctx);
    if (!RESIZE.includes(status["allocatedResourceStatuses"][k])) errors.notSupported(states, k, RESIZE);
  }
  for (const k in status["allocatedResources"] ?? {}) {
    const amount: string = status["allocatedResources"][k];
    if (!claimResource(k, allocated, errors, ctx)) continue;
    if (parseQuantity(amount).int64() < 0n) basicAmount(amount, allocated.key(k), errors);
    else resourceAmount("storage", amount, allocated.key(k), errors, ctx);
  }
}

function claimResource(name: string, path: Path, errors: ErrorList, ctx: ValidateContext): boolean {
  if (qualifiedName(name).length) format(name, path, errors, qualifiedName);
  else if (name !== "storage" && isNativeResource(name, ctx)) errors.notSupported(path, name, ["storage"]);
  else return true;
  return false;
}

const options = (old: Obj | undefined) => ({
  allowInvalidSelector: hasInvalidValue(old?.["spec"]?.selector),
  allowInvalidGroups: isSet(old?.["spec"]?.dataSource?.apiGroup) || isSet(old?.["spec"]?.dataSourceRef?.apiGroup),
});

/** Rules of `persistentvolumeclaims`. */
export const PERSISTENT_VOLUME_CLAIM: KindRules = {
  prepareCreate(obj, ctx) {
    obj["status"] = {};
    settleSources(obj["spec"], undefined, ctx);
  },
  fillCreated(obj) {
    obj["status"].phase ||= "Pending";
  },
  prepareUpdate(obj, old, ctx) {
    keep(obj, old, "status");
    settleSources(obj["spec"], old["spec"], ctx);
  },
  validate: (obj, errors, ctx, old) => claimSpec(obj["spec"] ?? {}, SPEC, errors, ctx, options(old)),
  validateUpdate: update,
  warnings: claimWarnings,
  subresources: {
    status: {
      prepareUpdate(obj, old, ctx) {
        keep(obj, old, "spec");
        if (!ctx.gate("CSIVolumeHealth") && !isSet(old["status"]?.healthStatus)) delete obj["status"]?.healthStatus;
      },
      validateUpdate: (obj, _old, errors, ctx) => statusUpdate(obj, errors, ctx),
    },
  },
};
