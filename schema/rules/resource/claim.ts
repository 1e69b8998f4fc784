/** Rules of claims and templates of claims. */
import { emptiedIn } from "../../codec/emptied.ts";
import type { Obj } from "../../model/types.ts";
import { immutable, keep } from "../checks/basic.ts";
import { forgetEmpty } from "../checks/fill.ts";
import { keepAllButStatus } from "../checks/status_meta.ts";
import type { ErrorList } from "../errors.ts";
import { validateAnnotations, validateLabels } from "../object_meta.ts";
import { Path } from "../path.ts";
import { items, same, type Tree } from "../tree.ts";
import type { KindRules, RuleContext } from "../types.ts";
import { requestedAccess } from "./admin_access.ts";
import { dropDisabledSpec, dropDisabledStatus } from "./claim_drop.ts";
import { claimSpec } from "./claim_spec.ts";
import { claimStatusUpdate, dropDeallocated } from "./claim_status.ts";

const SPEC = Path.of("spec");

/** What drivers tell of devices: dropped while the gate is off and the stored claim has none. */
function dropDisabled(obj: Obj, old: Obj | undefined, ctx: RuleContext): void {
  const status: Tree | undefined = obj["status"];
  if (status?.["devices"] && !ctx.gate("DRAResourceClaimDeviceStatus") && !items(old?.["status"]?.devices).length) {
    delete status["devices"];
  }
}

/** Rules of `resourceclaims.resource.k8s.io`. The spec never changes, so it is checked once. */
export const RESOURCE_CLAIM: KindRules = {
  prepareCreate(obj, ctx) {
    obj["status"] = {};
    dropDisabledSpec(obj["spec"], undefined, ctx);
    forgetEmpty(obj["spec"]?.devices, "requests");
  },
  prepareUpdate(obj, old, ctx) {
    keep(obj, old, "status");
    dropDisabledSpec(obj["spec"], old["spec"], ctx);
    forgetEmpty(obj["spec"]?.devices, "requests");
  },
  validate(obj, errors, ctx, old) {
    if (old) return;
    requestedAccess(obj["spec"], obj.metadata.namespace ?? "", errors, ctx);
    claimSpec(obj["spec"], SPEC, errors, false);
  },
  validateUpdate: (obj, old, errors) => immutable(obj["spec"], old["spec"], SPEC, errors),
  subresources: {
    status: {
      prepareUpdate(obj, old, ctx) {
        keepAllButStatus(obj, old);
        dropDeallocated(obj["status"], old["status"]);
        dropDisabled(obj, old, ctx);
        dropDisabledStatus(obj["status"], old, ctx);
        for (const d of items(obj["status"]?.devices)) forgetEmpty(d, "conditions");
      },
      validateUpdate: claimStatusUpdate,
    },
  },
};

/** A member that is set by being there, whatever its value. */
const GRACE = "deletionGracePeriodSeconds";

/** The metadata that made claims get: nothing but labels and annotations. */
function templateMetadata(meta: Tree | undefined, path: Path, errors: ErrorList): void {
  if (meta?.["annotations"]) validateAnnotations(meta["annotations"], path.child("annotations"), errors);
  if (meta?.["labels"]) validateLabels(meta["labels"], path.child("labels"), errors);
  for (const name in meta) {
    const value = meta[name], given = value !== null && value !== "" && (value !== 0 || name === GRACE);
    if (name !== "annotations" && name !== "labels" && given) {
      errors.forbidden(path.child(name === "uid" ? "uID" : name), "cannot be set");
    }
  }
  for (const name of emptiedIn(meta)) {
    if (name !== "annotations" && name !== "labels") errors.forbidden(path.child(name), "cannot be set");
  }
}

/** Rules of `resourceclaimtemplates.resource.k8s.io`. */
export const RESOURCE_CLAIM_TEMPLATE: KindRules = {
  prepareCreate(obj, ctx) {
    dropDisabledSpec(obj["spec"]?.spec, undefined, ctx);
    forgetEmpty(obj["spec"]?.spec?.devices, "requests");
  },
  prepareUpdate(obj, old, ctx) {
    dropDisabledSpec(obj["spec"]?.spec, old["spec"]?.spec, ctx);
    forgetEmpty(obj["spec"]?.spec?.devices, "requests");
  },
  validate(obj, errors, ctx, old) {
    if (!old) requestedAccess(obj["spec"]?.spec, obj.metadata.namespace ?? "", errors, ctx);
    templateMetadata(obj["spec"]?.metadata, SPEC.child("metadata"), errors);
    const stored = !!old && same(obj["spec"], old["spec"]);
    claimSpec(obj["spec"]?.spec, SPEC.child("spec"), errors, stored);
  },
  validateUpdate: (obj, old, errors) => immutable(obj["spec"], old["spec"], SPEC, errors),
};
