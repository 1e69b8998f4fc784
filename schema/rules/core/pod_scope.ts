/** What the parts of a pod's rules share: the call's context, the pod as a whole, and what an update is forgiven. */
import type { ErrorList } from "../errors.ts";
import type { ObjectMeta } from "../../model/types.ts";
import { hasInvalidValue } from "../checks/selectors.ts";
import { qualifiedName } from "../checks/formats.ts";
import { isDivisible, isHugePages } from "../checks/resources.ts";
import { dottedSysctl } from "../../values/sysctls.ts";
import { isSet, items, type Tree } from "../tree.ts";
import type { ValidateContext } from "../types.ts";

/** What an update may keep although a new pod may not have it. All false for a new pod. */
export interface Forgiven {
  readonly labelValuesInAffinity: boolean;
  readonly labelValuesInNodeAffinity: boolean;
  readonly spreadSelectors: boolean;
  readonly spreadLabelKeys: boolean;
  readonly indivisibleHugePages: boolean;
  readonly tokenPaths: boolean;
  readonly hostSysctls: boolean;
  readonly devicesWithUserNamespaces: boolean;
  /** Rules of containers that restart the whole pod, and rules of sidecars. */
  readonly restartAll: boolean;
  /** Restart rules though their feature is off. */
  readonly restartRules: boolean;
  /** Tolerations that compare numbers. */
  readonly comparisons: boolean;
  /** Any policy of changing SELinux labels. */
  readonly labelPolicy: boolean;
  /** Init containers that end, and yet restart when resized. */
  readonly resizeRestarts: boolean;
  /** The capability to administer the system, without escalation. */
  readonly sysAdmin: boolean;
}

/** A capability that is an escalation in itself. */
export const SYS_ADMIN = "CAP_SYS_ADMIN";

const NOTHING: Forgiven = Object.freeze({
  labelValuesInAffinity: false,
  labelValuesInNodeAffinity: false,
  spreadSelectors: false,
  spreadLabelKeys: false,
  indivisibleHugePages: false,
  tokenPaths: false,
  hostSysctls: false,
  devicesWithUserNamespaces: false,
  restartAll: false,
  comparisons: false,
  labelPolicy: false,
  restartRules: false,
  resizeRestarts: false,
  sysAdmin: false,
});

/** One validation of a pod's spec. */
export interface PodScope {
  readonly spec: Tree;
  readonly errors: ErrorList;
  readonly ctx: ValidateContext;
  /** False in templates, which are more lenient here and there. */
  readonly isPod: boolean;
  /** The pod's metadata; absent in templates. */
  readonly meta: ObjectMeta | undefined;
  readonly forgiven: Forgiven;
  /** Volumes that are good, by name. */
  readonly volumes: Map<string, Tree>;
  /** Names of resource claims. */
  readonly claims: Set<string>;
  /** `spec.hostUsers` as it holds by default. */
  readonly hostUsers: boolean;
}

/** A scope for a spec; `old` is what the update changes. */
export function podScope(
  spec: Tree,
  old: Tree | undefined,
  errors: ErrorList,
  ctx: ValidateContext,
  meta?: ObjectMeta,
): PodScope {
  return {
    spec,
    errors,
    ctx,
    isPod: meta !== undefined,
    meta,
    forgiven: old ? forgivenBy(old) : NOTHING,
    volumes: new Map(),
    claims: new Set(items(spec["resourceClaims"]).map((c) => c["name"]).filter(Boolean)),
    hostUsers: spec["hostUsers"] !== false,
  };
}

/** A container of a spec: the list that it is in, and where. */
export type ListedContainer = readonly [list: string, index: number, container: Tree];

const LISTS = ["initContainers", "containers", "ephemeralContainers"];

/** Every container of a spec, init containers first. A list, not a generator: each pod's rules ask for it a dozen times. */
export function allContainers(spec: Tree): readonly ListedContainer[] {
  const out: ListedContainer[] = [];
  for (const list of LISTS) {
    const all = items(spec[list]);
    for (let i = 0; i < all.length; i++) out.push([list, i, all[i]!]);
  }
  return out;
}

function forgivenBy(old: Tree): Forgiven {
  const containers = allContainers(old).map(([, , c]) => c);
  const spread = items(old["topologySpreadConstraints"]);
  const required = old["affinity"]?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return {
    labelValuesInAffinity: affinityTerms(old).some((t) =>
      hasInvalidValue(t["labelSelector"]) || hasInvalidValue(t["namespaceSelector"])
    ),
    labelValuesInNodeAffinity: items(required?.nodeSelectorTerms).some(hasInvalidValue),
    spreadSelectors: spread.some((c) => hasInvalidValue(c["labelSelector"])),
    spreadLabelKeys: spread.some(hasBadKeys),
    indivisibleHugePages: containers.some((c) =>
      ["limits", "requests"].some((l) => {
        const list: Tree = c["resources"]?.[l] ?? {};
        return Object.keys(list).some((k) => isHugePages(k) && !isDivisible(k, list[k]));
      })
    ),
    tokenPaths: items(old["volumes"]).some((v) =>
      items(v["projected"]?.sources).some((s) =>
        /^\/|(^|\/)\.\.(\/|$)|^\.\./.test(s["serviceAccountToken"]?.path ?? "")
      )
    ),
    hostSysctls: items(old["securityContext"]?.sysctls).some((s) => isHostSysctl(s["name"] ?? "", old)),
    devicesWithUserNamespaces: old["hostUsers"] === false &&
      containers.some((c) => items(c["volumeDevices"]).length > 0),
    labelPolicy: isSet(old["securityContext"]?.seLinuxChangePolicy),
    sysAdmin: containers.some(({ securityContext: sc }) =>
      sc && sc.allowPrivilegeEscalation !== true && items<string>(sc.capabilities?.add).includes(SYS_ADMIN)
    ),
    comparisons: items(old["tolerations"]).some((t) => t["operator"] === "Lt" || t["operator"] === "Gt"),
    ...forgivenRestarts(old),
  };
}

function forgivenRestarts(old: Tree): Pick<Forgiven, "restartAll" | "restartRules" | "resizeRestarts"> {
  const init = items(old["initContainers"]), main = items(old["containers"]);
  const rules = (c: Tree) => items(c["restartPolicyRules"]);
  return {
    restartAll: [...init, ...main].some((c) => rules(c).some((r) => r["action"] === "RestartAllContainers")) ||
      init.some((c) => isSidecar(c) && rules(c).length > 0),
    restartRules: main.some((c) => isSet(c["restartPolicy"])) ||
      init.some((c) => (isSet(c["restartPolicy"]) && !isSidecar(c)) || rules(c).length > 0),
    resizeRestarts: init.some((c) => !isSidecar(c) && items(c["resizePolicy"]).some(restartsOnResize)),
  };
}

/** Whether a row of a resize policy restarts its container. */
export const restartsOnResize = (p: Tree): boolean => p["restartPolicy"] === "RestartContainer";

/** Every term of a pod's affinity to other pods, and of its aversion. */
export function affinityTerms(spec: Tree): Tree[] {
  const kinds = [spec["affinity"]?.podAffinity, spec["affinity"]?.podAntiAffinity];
  return kinds.flatMap((k) => [
    ...items(k?.requiredDuringSchedulingIgnoredDuringExecution),
    ...items(k?.preferredDuringSchedulingIgnoredDuringExecution).map((w) => w["podAffinityTerm"] ?? {}),
  ]);
}

/** The keys of a selector's labels and expressions. */
export const keysOfSelector = (selector: Tree | undefined): ReadonlySet<string> =>
  new Set([
    ...Object.keys(selector?.["matchLabels"] ?? {}),
    ...items(selector?.["matchExpressions"]).map((e) => e["key"]),
  ]);

/** Whether keys of a constraint are no label keys, have no selector, or stand in it beside what the server merged into it. */
function hasBadKeys(c: Tree): boolean {
  const keys = items<string>(c["matchLabelKeys"]), selector: Tree | undefined = c["labelSelector"];
  if (!keys.length) return false;
  if (!selector || keys.some((k) => qualifiedName(k).length)) return true;
  const seen = new Set(Object.keys(selector["matchLabels"] ?? {})), named = new Set(keys);
  return items(selector["matchExpressions"]).some((e) => {
    const again = named.has(e["key"]) && seen.has(e["key"]);
    seen.add(e["key"]);
    return again;
  });
}

const IPC_NAMES = new Set(["kernel.sem"]);
const IPC_PREFIXES = ["kernel.shm", "kernel.msg", "fs.mqueue."];

/** Whether a kernel parameter belongs to a namespace that the pod shares with its host. */
export function isHostSysctl(name: string, spec: Tree): boolean {
  const dotted = dottedSysctl(name);
  if (spec["hostNetwork"] && dotted.startsWith("net.")) return true;
  return !!spec["hostIPC"] && (IPC_NAMES.has(dotted) || IPC_PREFIXES.some((p) => dotted.startsWith(p)));
}

/** Whether an init container runs beside the others for the pod's life. */
export const isSidecar = (c: Tree): boolean => isSet(c["restartPolicy"]) && c["restartPolicy"] === "Always";
