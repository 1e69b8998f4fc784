/** Rules of migrations of stored objects. */
import type { Obj } from "../../model/types.ts";
import { format, immutable, keep } from "../checks/basic.ts";
import { conditions, isTrue } from "../checks/conditions.ts";
import { dns1035Label, dnsSubdomain } from "../checks/formats.ts";
import { keepAllButStatus } from "../checks/status_meta.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { items, type Tree } from "../tree.ts";
import type { KindRules } from "../types.ts";

const SPEC = Path.of("spec"), RESOURCE = SPEC.child("resource"), STATUS = Path.of("status");
const REVISION = STATUS.child("resourceVersion"), CONDITIONS = STATUS.child("conditions");
const SUCCEEDED = "Succeeded", FAILED = "Failed", RUNNING = "Running";
/** Pairs of conditions that cannot be true together. */
const EXCLUSIVE = [[SUCCEEDED, FAILED], [SUCCEEDED, RUNNING], [FAILED, RUNNING]] as const;

function statusUpdate(obj: Obj, old: Obj, errors: ErrorList): void {
  const now: Tree = obj["status"] ?? {},
    was: Tree = old["status"] ?? {},
    revision: string = now["resourceVersion"] ?? "";
  if (!/^(?:[1-9][0-9]*)?$/.test(revision)) errors.invalid(REVISION, revision, "must be a resource version");
  conditions(now["conditions"], CONDITIONS, errors);
  if (was["resourceVersion"] && was["resourceVersion"] !== revision) {
    immutable(revision, was["resourceVersion"], REVISION, errors);
  }
  const list = items(now["conditions"]), before = items(was["conditions"]);
  for (const [a, b] of EXCLUSIVE) {
    if (isTrue(list, a) && isTrue(list, b)) errors.invalid(CONDITIONS, list, `${a} and ${b} must not both be true`);
  }
  for (const type of [SUCCEEDED, FAILED]) {
    if (isTrue(before, type) && !isTrue(list, type)) errors.invalid(CONDITIONS, list, `${type} must stay true`);
  }
}

/** Rules of `storageversionmigrations.storagemigration.k8s.io`. */
export const STORAGE_VERSION_MIGRATION: KindRules = {
  unconditionalUpdate: false,
  prepareCreate: (obj) => void (obj["status"] = {}),
  prepareUpdate: (obj, old) => keep(obj, old, "status"),
  validate(obj: Obj, errors) {
    const { group, resource }: Tree = obj["spec"]?.resource ?? {};
    if (!resource) errors.required(RESOURCE.child("resource"));
    else if (dns1035Label(resource).length) {
      errors.invalid(RESOURCE.child("resource"), resource, dns1035Label(resource).join("; "));
    }
    if (group) format(group, RESOURCE.child("group"), errors, dnsSubdomain);
  },
  validateUpdate: (obj, old, errors) => immutable(obj["spec"], old["spec"], SPEC, errors),
  subresources: { status: { prepareUpdate: keepAllButStatus, validateUpdate: statusUpdate } },
};
