/** Rules of claims and templates of claims. */
import type { Obj } from "../../model/types.ts";
import { immutable, keep } from "../checks/basic.ts";
import { forgetEmpty } from "../checks/fill.ts";
import { keepAllButStatus } from "../checks/status_meta.ts";
import { validateTemplateMeta } from "../object_meta.ts";
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
    validateTemplateMeta(obj["spec"]?.metadata ?? {}, SPEC.child("metadata"), errors);
    const stored = !!old && same(obj["spec"], old["spec"]);
    claimSpec(obj["spec"]?.spec, SPEC.child("spec"), errors, stored);
  },
  validateUpdate: (obj, old, errors) => immutable(obj["spec"], old["spec"], SPEC, errors),
};
