/** Rules of storage drivers. */
import type { Obj } from "../../model/types.ts";
import { countChange, immutable, oneOf } from "../checks/basic.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { count, isSet, items, same, type Tree } from "../tree.ts";
import type { KindRules, RuleContext } from "../types.ts";

const SPEC = Path.of("spec");
const GROUP_POLICIES = ["File", "None", "ReadWriteOnceWithFSType"], MODES = ["Ephemeral", "Persistent"];
/** Shortest and longest lifetime of a token, and the shortest update period, in seconds. */
const MIN_TOKEN = 600, MAX_TOKEN = 2 ** 32, MIN_PERIOD = 10;
/** Members that must be there, and where their causes stand. */
const NEEDED = {
  attachRequired: "attachedRequired",
  podInfoOnMount: "podInfoOnMount",
  storageCapacity: "storageCapacity",
};

function tokenRequests(list: readonly Tree[], path: Path, errors: ErrorList): void {
  const seen = new Set<string>();
  for (const [i, r] of list.entries()) {
    const audience: string = r["audience"] ?? "", seconds = r["expirationSeconds"];
    if (seen.has(audience)) {
      errors.duplicate(path.index(i).child("audience"), audience);
      continue;
    }
    seen.add(audience);
    if (isSet(seconds) && (seconds < MIN_TOKEN || seconds > MAX_TOKEN)) {
      errors.invalid(
        path.index(i).child("expirationSeconds"),
        seconds,
        `must be between ${MIN_TOKEN} and ${MAX_TOKEN} seconds`,
      );
    }
  }
}

function validate(obj: Obj, errors: ErrorList): void {
  const spec: Tree = obj["spec"] ?? {};
  for (const [member, place] of Object.entries(NEEDED)) if (!isSet(spec[member])) errors.required(SPEC.child(place));
  if (isSet(spec["fsGroupPolicy"])) oneOf(spec["fsGroupPolicy"], GROUP_POLICIES, SPEC.child("fsGroupPolicy"), errors);
  tokenRequests(items(spec["tokenRequests"]), SPEC.child("tokenRequests"), errors);
  for (const m of items<string>(spec["volumeLifecycleModes"])) {
    oneOf(m, MODES, SPEC.child("volumeLifecycleModes"), errors);
  }
  const period = spec["nodeAllocatableUpdatePeriodSeconds"];
  if (isSet(period) && period < MIN_PERIOD) {
    errors.invalid(
      SPEC.child("nodeAllocatableUpdatePeriodSeconds"),
      period,
      `must be greater than or equal to ${MIN_PERIOD}`,
    );
  }
  const inSecrets = spec["serviceAccountTokenInSecrets"];
  if (isSet(inSecrets) && !count(spec["tokenRequests"])) {
    errors.invalid(SPEC.child("serviceAccountTokenInSecrets"), inSecrets, "must not be set without tokenRequests");
  }
}

/** Members behind gates: they stay when the stored object has them. */
const GATED = {
  seLinuxMount: "SELinuxMountReadWriteOncePod",
  nodeAllocatableUpdatePeriodSeconds: "MutableCSINodeAllocatableCount",
  serviceAccountTokenInSecrets: "CSIServiceAccountTokenSecrets",
  preventPodSchedulingIfMissing: "VolumeLimitScaling",
};

function dropDisabled(spec: Tree | undefined, was: Tree | undefined, ctx: RuleContext): void {
  for (const [member, gate] of Object.entries(GATED)) {
    if (spec && !ctx.gate(gate) && !isSet(was?.[member])) delete spec[member];
  }
}

/** Rules of `csidrivers.storage.k8s.io`. */
export const CSI_DRIVER: KindRules = {
  unconditionalUpdate: false,
  meta: { whole: 0 },
  prepareCreate: (obj, ctx) => dropDisabled(obj["spec"], undefined, ctx),
  prepareUpdate(obj, old, ctx) {
    dropDisabled(obj["spec"], old["spec"], ctx);
    // A new driver has no generation: updates count from what the object came with.
    countChange(obj, old, "spec");
  },
  validate,
  warnings(obj, old, ctx) {
    const requests = obj["spec"]?.tokenRequests;
    if (!ctx.gate("CSIServiceAccountTokenSecrets") || !count(requests)) return [];
    if (isSet(obj["spec"].serviceAccountTokenInSecrets)) return [];
    if (old && same(requests, old["spec"]?.tokenRequests)) return [];
    return ["spec.serviceAccountTokenInSecrets is unset; set it to true where the driver supports it"];
  },
  validateUpdate(obj, old, errors) {
    const now: Tree = obj["spec"] ?? {}, was: Tree = old["spec"] ?? {};
    immutable(now["attachRequired"], was["attachRequired"], SPEC.child("attachedRequired"), errors);
    immutable(now["volumeLifecycleModes"], was["volumeLifecycleModes"], SPEC.child("volumeLifecycleModes"), errors);
  },
};
