/** Rules of persistent volumes. */
import { persistentVolumeWarnings } from "./persistent_volume_warnings.ts";
import { format, immutable, keep, oneOf } from "../checks/basic.ts";
import { dnsSubdomain } from "../checks/formats.ts";
import { basicAmount, positiveAmount } from "../checks/resources.ts";
import { hasInvalidValue, nodeSelector } from "../checks/selectors.ts";
import type { ErrorList } from "../errors.ts";
import type { Obj } from "../../model/types.ts";
import { localSet, perProduct } from "../local.ts";
import { METADATA } from "../object_meta.ts";
import { Path } from "../path.ts";
import { isSet, items, same, type Tree } from "../tree.ts";
import { copyTree } from "../../values/copy.ts";
import type { KindRules, RuleContext, ValidateContext } from "../types.ts";
import { accessModes, VOLUME_MODES } from "./claim_spec.ts";
import { ISCSI_NAME_LIMIT, oneSource, PERSISTENT_SOURCES } from "./volume_sources.ts";
import { nowTime } from "../../values/time.ts";
import { byteLength } from "../../values/utf8.ts";

const SPEC = Path.of("spec");
const RECLAIM = ["Delete", "Recycle", "Retain"];

function capacity(list: Tree | undefined, path: Path, errors: ErrorList): void {
  const names = Object.keys(list ?? {});
  if (!names.length) errors.required(path);
  if (names.length !== 1 || names[0] !== "storage") errors.notSupported(path, list ?? {}, ["storage"]);
  for (const k of names) {
    basicAmount(list![k], path.key(k), errors);
    positiveAmount(list![k], path.key(k), errors);
  }
}

const badValues = (affinity: Tree | undefined): boolean =>
  items(affinity?.["required"]?.nodeSelectorTerms).some(hasInvalidValue);

/** The spec of a volume; `inline` volumes of attachments have fewer members. */
export function volumeSpec(
  s: Tree,
  name: string,
  old: Tree | undefined,
  path: Path,
  errors: ErrorList,
  ctx: ValidateContext,
  inline = false,
): void {
  if (inline) inlineOnly(s, path, errors);
  accessModes(s["accessModes"], path.child("accessModes"), errors);
  if (!inline) capacity(s["capacity"], path.child("capacity"), errors);
  const policy = s["persistentVolumeReclaimPolicy"];
  if (policy && inline && policy !== "Retain") {
    errors.forbidden(path.child("persistentVolumeReclaimPolicy"), "must be Retain for inline volumes");
  }
  if (policy && !inline && !RECLAIM.includes(policy)) {
    errors.notSupported(path.child("persistentVolumeReclaimPolicy"), policy, RECLAIM);
  }
  if (s["nodeAffinity"] && inline) errors.forbidden(path.child("nodeAffinity"), NOT_INLINE);
  if (s["nodeAffinity"] && !inline) {
    const { required } = s["nodeAffinity"], at = path.child("nodeAffinity", "required");
    if (required) nodeSelector(required, at, errors, badValues(old?.["nodeAffinity"]));
    else errors.required(at, "must specify required node constraints");
  }
  oneSource(PERSISTENT_SOURCES, s, path, errors, ctx, undefined, (member, source, first) => {
    if (
      member === "iscsi" && first && isSet(source["initiatorName"]) &&
      byteLength(`${name}:${source["targetPortal"] ?? ""}`) > ISCSI_NAME_LIMIT
    ) {
      errors.invalid(
        path.child("iscsi", "targetportal"),
        source["targetPortal"],
        `<volume name>:<iscsi.targetPortal> must be at most ${ISCSI_NAME_LIMIT} bytes`,
      );
    }
    if (member === "local" && first && !s["nodeAffinity"]) {
      errors.required(path.child("nodeAffinity"), "local volumes need node affinity");
    }
  });
  if (s["hostPath"] && /^(?:\/|\/\.)+\/?$/.test(s["hostPath"].path ?? "") && policy === "Recycle") {
    errors.forbidden(path.child("persistentVolumeReclaimPolicy"), "must not be 'Recycle' for a hostPath of '/'");
  }
  if (s["storageClassName"]) {
    const at = path.child("storageClassName");
    if (inline) errors.forbidden(at, NOT_INLINE);
    else format(s["storageClassName"], at, errors, dnsSubdomain);
  }
  if (isSet(s["volumeMode"])) {
    const at = path.child("volumeMode");
    if (!inline) oneOf(s["volumeMode"], VOLUME_MODES, at, errors);
    else if (s["volumeMode"] !== "Filesystem") errors.forbidden(at, "must be Filesystem for inline volumes");
  }
  if (!inline) attributesClass(s, path, errors);
}

function attributesClass(s: Tree, path: Path, errors: ErrorList): void {
  const name = s["volumeAttributesClassName"], at = path.child("volumeAttributesClassName");
  if (!isSet(name)) return;
  if (name === "") errors.required(at, "must not be empty");
  else format(name, at, errors, dnsSubdomain);
  if (!s["csi"]) errors.required(path.child("csi"), "must be specified when volumeAttributesClassName is");
}

const NOT_INLINE = "must not be specified for inline volumes";

function inlineOnly(s: Tree, path: Path, errors: ErrorList): void {
  if (isSet(s["claimRef"])) errors.forbidden(path.child("claimRef"), NOT_INLINE);
  if (Object.keys(s["capacity"] ?? {}).length) errors.forbidden(path.child("capacity"), NOT_INLINE);
  if (!s["csi"]) errors.required(path.child("csi"), "must be specified for inline volumes");
}

const SOURCES = PERSISTENT_SOURCES.map((r) => r.member);
const sourceOf = (s: Tree): Tree => Object.fromEntries(SOURCES.filter((m) => isSet(s[m])).map((m) => [m, s[m]]));

/** Label keys that a volume may move to their later names. */
const LATER = perProduct((p) =>
  new Map([
    ["beta.kubernetes.io/os", "kubernetes.io/os"],
    ["beta.kubernetes.io/arch", "kubernetes.io/arch"],
    ["beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type"],
    ["failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"],
    ["failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"],
  ].map(([k, v]) => [p.local(k!), p.local(v!)] as const))
);

function update(obj: Obj, old: Obj, errors: ErrorList, ctx: ValidateContext): void {
  const now: Tree = obj["spec"], was: Tree = old["spec"], source = copyTree(sourceOf(now));
  if (was["csi"] && !was["csi"].controllerExpandSecretRef && source["csi"]) {
    delete source["csi"].controllerExpandSecretRef;
  }
  if (!same(source, sourceOf(was))) {
    errors.forbidden(SPEC.child("persistentvolumesource"), "is immutable after creation");
  }
  immutable(now["volumeMode"], was["volumeMode"], Path.of("volumeMode"), errors);
  const fixed = was["nodeAffinity"] && !ctx.gate("MutablePVNodeAffinity");
  if (fixed && !same(now["nodeAffinity"], renamed(was["nodeAffinity"], now["nodeAffinity"], ctx))) {
    errors.invalid(
      Path.of("nodeAffinity"),
      now["nodeAffinity"],
      "field is immutable, but for keys of labels that got new names",
    );
  }
  if (isSet(was["volumeAttributesClassName"]) && !isSet(now["volumeAttributesClassName"])) {
    errors.forbidden(SPEC.child("volumeAttributesClassName"), "must not be removed");
  }
}

/** The old affinity with the later names of keys where the new one has them. */
function renamed(was: Tree, now: Tree | undefined, ctx: RuleContext): Tree {
  const later = LATER(ctx.product), out = copyTree(was);
  for (const [i, t] of items(out["required"]?.nodeSelectorTerms).entries()) {
    for (const [j, e] of items(t["matchExpressions"]).entries()) {
      const key = now?.["required"]?.nodeSelectorTerms?.[i]?.matchExpressions?.[j]?.key;
      // A key that is taken away counts as moved too where it had no later name.
      if ((later.get(e["key"]) ?? "") === (key ?? "")) e["key"] = key;
    }
  }
  return out;
}

const MOUNT_OPTIONS = localSet("volume.beta.kubernetes.io/mount-options");
/** Sources whose mounts take options by annotation too. */
const MOUNTED_WITH_OPTIONS = [
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "glusterfs",
  "nfs",
  "rbd",
  "quobyte",
  "iscsi",
  "cinder",
  "cephfs",
  "azureFile",
  "vsphereVolume",
  "azureDisk",
  "photonPersistentDisk",
];

function mountOptions(obj: Obj, errors: ErrorList, ctx: RuleContext): void {
  const own = obj.metadata.annotations, spec: Tree = obj["spec"] ?? {};
  if (!own || MOUNTED_WITH_OPTIONS.some((m) => isSet(spec[m]))) return;
  for (const k of MOUNT_OPTIONS(ctx.product)) {
    if (k in own) errors.forbidden(METADATA.child("annotations", k), "must not be set for this type of volume");
  }
}

/** Updates are checked by this twice, and clients see every fault twice. */
const whole = (obj: Obj, errors: ErrorList, ctx: ValidateContext, old: Obj | undefined): void =>
  volumeSpec(obj["spec"] ?? {}, obj.metadata.name ?? "", old?.["spec"], SPEC, errors, ctx);

/** Rules of `persistentvolumes`. */
export const PERSISTENT_VOLUME: KindRules = {
  meta: { compared: 0, whole: 2 },
  prepareCreate: (obj, ctx) => void (obj["status"] = { phase: "Pending", lastPhaseTransitionTime: nowTime(ctx.now()) }),
  prepareUpdate: (obj, old) => keep(obj, old, "status"),
  validate(obj, errors, ctx, old) {
    whole(obj, errors, ctx, old);
    mountOptions(obj, errors, ctx);
  },
  validateUpdate(obj, old, errors, ctx) {
    whole(obj, errors, ctx, old);
    update(obj, old, errors, ctx);
  },
  warnings: persistentVolumeWarnings,
  subresources: {
    status: {
      prepareUpdate(obj, old, ctx) {
        keep(obj, old, "spec");
        const now: Tree = obj["status"] ??= {}, was: Tree = old["status"] ?? {};
        if (now["phase"] === was["phase"]) {
          if (!isSet(now["lastPhaseTransitionTime"])) keep(now, was, "lastPhaseTransitionTime");
        } else if (
          !isSet(now["lastPhaseTransitionTime"]) || same(now["lastPhaseTransitionTime"], was["lastPhaseTransitionTime"])
        ) {
          now["lastPhaseTransitionTime"] = nowTime(ctx.now());
        }
      },
    },
  },
};
