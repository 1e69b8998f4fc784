/** Rules of API services. */
import type { Obj } from "../../model/types.ts";
import { format, keep, oneOf, range } from "../checks/basic.ts";
import { dns1035Label, dnsSubdomain, pathSegment, portNumber } from "../checks/formats.ts";
import type { ErrorList } from "../errors.ts";
import { METADATA } from "../object_meta.ts";
import { Path } from "../path.ts";
import { items, type Tree } from "../tree.ts";
import type { KindRules } from "../types.ts";
import { nowTime } from "../../values/time.ts";

const SPEC = Path.of("spec"), SERVICE = SPEC.child("service"), SKIP = SPEC.child("insecureSkipTLSVerify");
const STATUSES = ["True", "False", "Unknown"];

/** The name is the version and the group. What cannot stand in a path is told by the common rules. */
function nameOfSpec(obj: Obj, spec: Tree, errors: ErrorList): void {
  const wanted = `${spec["version"] ?? ""}.${spec["group"] ?? ""}`;
  for (const m of ["generateName", "name"] as const) {
    const given = obj.metadata[m];
    if (given && given !== wanted && !pathSegment(given).length) {
      errors.invalid(METADATA.child(m), given, `must be spec.version, '.' and spec.group: ${wanted}`);
    }
  }
}

function service(spec: Tree, errors: ErrorList): void {
  const s = spec["service"];
  if (!s) {
    if (spec["caBundle"]) errors.invalid(SPEC.child("caBundle"), "", "must not be set without a service");
    if (spec["insecureSkipTLSVerify"]) errors.invalid(SKIP, true, "must not be set without a service");
    return;
  }
  for (const m of ["namespace", "name"]) if (!s[m]) errors.required(SERVICE.child(m));
  const port: number = s.port ?? 0;
  for (const fault of portNumber(port)) errors.invalid(SERVICE.child("port"), port, fault);
  if (spec["insecureSkipTLSVerify"] && spec["caBundle"]) errors.invalid(SKIP, true, "must not be set beside caBundle");
}

function validate(obj: Obj, errors: ErrorList): void {
  const spec: Tree = obj["spec"] ?? {}, group: string = spec["group"] ?? "", version: string = spec["version"] ?? "";
  nameOfSpec(obj, spec, errors);
  if (group) format(group, SPEC.child("group"), errors, dnsSubdomain);
  else if (version !== "v1") errors.required(SPEC.child("group"), "only v1 may have an empty group");
  format(version, SPEC.child("version"), errors, dns1035Label);
  range(spec["groupPriorityMinimum"] ?? 0, 1, 20000, SPEC.child("groupPriorityMinimum"), errors);
  range(spec["versionPriority"] ?? 0, 1, 1000, SPEC.child("versionPriority"), errors);
  service(spec, errors);
}

/** Services without a service are served by this server itself: they are there as soon as they are made. */
function localCondition(obj: Obj, now: number): void {
  obj["status"] = obj["spec"]?.service ? {} : {
    conditions: [{
      type: "Available",
      status: "True",
      lastTransitionTime: nowTime(now),
      reason: "Local",
      message: "Local APIServices are always available",
    }],
  };
}

/** Rules of `apiservices.apiregistration.k8s.io`. */
export const API_SERVICE: KindRules = {
  name: (name) => [...pathSegment(name)],
  unconditionalUpdate: false,
  meta: { knownFinalizersOnly: false },
  prepareCreate: (obj, ctx) => localCondition(obj, ctx.now()),
  prepareUpdate: (obj, old) => keep(obj, old, "status"),
  validate,
  subresources: {
    status: {
      prepareUpdate(obj, old) {
        keep(obj, old, "spec");
        for (const m of ["labels", "annotations", "finalizers", "ownerReferences"] as const) {
          keep(obj.metadata as Tree, old.metadata as Tree, m);
        }
      },
      validateUpdate(obj: Obj, _old, errors) {
        for (const [i, c] of items(obj["status"]?.conditions).entries()) {
          oneOf(c["status"] ?? "", STATUSES, Path.of("status", "conditions").index(i).child("status"), errors);
        }
      },
    },
  },
};
