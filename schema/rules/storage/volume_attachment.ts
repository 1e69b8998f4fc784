/** Rules of attachments of volumes to nodes. */
import type { Obj } from "../../model/types.ts";
import { byteLength, longer } from "../../values/utf8.ts";
import { format, keep } from "../checks/basic.ts";
import { dnsSubdomain } from "../checks/formats.ts";
import { keepAllButStatus } from "../checks/status_meta.ts";
import { volumeSpec } from "../core/persistent_volume.ts";
import { driverName } from "../core/volume_sources.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { isSet, type Tree } from "../tree.ts";
import type { KindRules, RuleContext, ValidateContext } from "../types.ts";

const SPEC = Path.of("spec"), STATUS = Path.of("status");
/** Limits in bytes: all metadata of an attachment, and the text of an error. */
const METADATA_LIMIT = 256 * 1024, MESSAGE_LIMIT = 1024;

const VOLUME_NAME = SPEC.child("source", "persistentVolumeName");

function source(s: Tree, path: Path, errors: ErrorList, ctx: ValidateContext): void {
  const { inlineVolumeSpec: inline, persistentVolumeName: name } = s;
  const why = "must have exactly one of inlineVolumeSpec and persistentVolumeName";
  if (isSet(inline) && isSet(name)) errors.forbidden(path, why);
  else if (isSet(inline)) volumeSpec(inline, "", undefined, path.child("inlineVolumeSpec"), errors, ctx, true);
  else if (!isSet(name)) errors.required(path, why);
  else if (!name) errors.required(VOLUME_NAME);
}

function status(s: Tree, errors: ErrorList): void {
  let size = 0;
  const metadata: Tree = s["attachmentMetadata"] ?? {};
  for (const k in metadata) size += byteLength(k) + byteLength(metadata[k] ?? "");
  if (size > METADATA_LIMIT) errors.tooLong(STATUS.child("attachmentMetadata"), METADATA_LIMIT);
  for (const member of ["attachError", "detachError"]) {
    const e = s[member], at = STATUS.child(member);
    if (longer(e?.message ?? "", MESSAGE_LIMIT)) errors.tooLong(at.child("message"), MESSAGE_LIMIT);
    if (e?.errorCode < 0) errors.invalid(at.child("errorCode"), e.errorCode, "must be between 0 and 2147483647");
  }
}

function validate(obj: Obj, errors: ErrorList, ctx: ValidateContext): void {
  const spec: Tree = obj["spec"] ?? {};
  driverName(spec["attacher"] ?? "", SPEC.child("attacher"), errors);
  source(spec["source"] ?? {}, SPEC.child("source"), errors, ctx);
  format(spec["nodeName"] ?? "", SPEC.child("nodeName"), errors, dnsSubdomain);
  status(obj["status"] ?? {}, errors);
  const volume = spec["source"]?.persistentVolumeName;
  if (isSet(volume)) format(volume, VOLUME_NAME, errors, dnsSubdomain);
}

/** Codes of errors go with their gate off, unless they were there. */
function dropCodes(s: Tree | undefined, was: Tree | undefined, ctx: RuleContext): void {
  if (ctx.gate("MutableCSINodeAllocatableCount")) return;
  for (const m of ["attachError", "detachError"]) if (s?.[m] && !isSet(was?.[m]?.errorCode)) delete s[m].errorCode;
}

/** Rules of `volumeattachments.storage.k8s.io`. That the spec is fixed is a tag. */
export const VOLUME_ATTACHMENT: KindRules = {
  unconditionalUpdate: false,
  meta: { compared: 0 },
  prepareCreate: (obj) => void (obj["status"] = { attached: false }),
  prepareUpdate: (obj, old) => keep(obj, old, "status"),
  validate,
  subresources: {
    status: {
      meta: { compared: 0, whole: 1, runs: 1 },
      prepareUpdate: (obj, old, ctx) => {
        keepAllButStatus(obj, old);
        dropCodes(obj["status"], old["status"], ctx);
      },
    },
  },
};
