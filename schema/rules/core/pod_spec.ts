/** The spec of a pod, also in templates. */
import { wasSentEmpty } from "../../codec/emptied.ts";
import { evictionResponders } from "./eviction_responders.ts";
import { format, requiredOneOf } from "../checks/basic.ts";
import { dnsLabel, dnsSubdomain, dnsSubdomainUnderscore, qualifiedName } from "../checks/formats.ts";
import { legacyAddress } from "../checks/ip.ts";
import { containerResourceName, isHugePages, podResourceName, requirements } from "../checks/resources.ts";
import type { ErrorList } from "../errors.ts";
import { validateLabels } from "../object_meta.ts";
import type { Path } from "../path.ts";
import { entryOf, isSet, items, type Tree } from "../tree.ts";
import { parseQuantity } from "../../values/quantity.ts";
import { longer } from "../../values/utf8.ts";
import { affinity, tolerations, topologySpread } from "./affinity.ts";
import { containers, ephemeralContainers, initContainers } from "./containers.ts";
import { ANNOTATIONS } from "./pod_annotations.ts";
import { aggregate } from "./pod_resources.ts";
import { allContainers, type PodScope } from "./pod_scope.ts";
import { podSecurity } from "./security.ts";
import { systemRules } from "./pod_os.ts";
import { volumes } from "./volumes.ts";

const RESTART = ["Always", "OnFailure", "Never"];
const DNS_POLICIES = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
const PREEMPTION = ["PreemptLowerPriority", "Never"];
const MAX_INT32 = 0x7fffffff;

/** Members that are names, and their syntax. Empty ones are absent. */
const NAMES = [
  ["serviceAccountName", dnsSubdomain],
  ["nodeName", dnsSubdomain],
  ["hostname", dnsLabel],
  ["subdomain", dnsLabel],
  ["priorityClassName", dnsSubdomain],
] as const;

/** Everything that holds of a pod's spec by itself. */
export function podSpec(scope: PodScope, path: Path): void {
  const { spec, errors, ctx } = scope;
  if (!isSet(spec["terminationGracePeriodSeconds"])) errors.required(path.child("terminationGracePeriodSeconds"));
  volumes(scope, path.child("volumes"));
  if (spec["resourceClaims"]) resourceClaims(scope, path.child("resourceClaims"));
  containers(scope, path.child("containers"));
  initContainers(scope, path.child("initContainers"));
  ephemeralContainers(scope, path.child("ephemeralContainers"));
  if (spec["resources"] && ctx.gate("PodLevelResources")) podResources(scope, path.child("resources"));
  if (spec["hostNetwork"]) hostNetworkPorts(scope, path);
  requiredOneOf(spec["restartPolicy"] ?? "", RESTART, path.child("restartPolicy"), errors);
  requiredOneOf(spec["dnsPolicy"] ?? "", DNS_POLICIES, path.child("dnsPolicy"), errors);
  if (spec["nodeSelector"]) validateLabels(spec["nodeSelector"], path.child("nodeSelector"), errors);
  podSecurity(scope, path.child("securityContext"));
  if (spec["affinity"]) affinity(scope, path.child("affinity"));
  dnsConfig(scope, path.child("dnsConfig"));
  gates(scope, path);
  if (spec["topologySpreadConstraints"]) topologySpread(scope, path.child("topologySpreadConstraints"));
  if (spec["hostUsers"] === false) userNamespaces(scope, path);
  if (isSet(spec["schedulingGroup"])) schedulingGroup(scope, path.child("schedulingGroup", "podGroupName"));
  if (spec["evictionResponders"]) evictionResponders(scope, path.child("evictionResponders"));
  if (isSet(spec["hostnameOverride"])) hostnameOverride(scope, path.child("hostnameOverride"));
  for (const [member, f] of NAMES) if (spec[member]) format(spec[member], path.child(member), errors, f);
  const deadline = spec["activeDeadlineSeconds"];
  if (isSet(deadline) && (deadline < 1 || deadline > MAX_INT32)) {
    errors.invalid(path.child("activeDeadlineSeconds"), deadline, `must be between 1 and ${MAX_INT32}`);
  }
  if (spec["tolerations"]) {
    const compare = scope.forgiven.comparisons || ctx.gate("TaintTolerationComparisonOperators");
    tolerations(spec["tolerations"], path.child("tolerations"), errors, compare);
  }
  if (spec["hostAliases"]) hostAliases(scope, path.child("hostAliases"));
  if (isSet(spec["runtimeClassName"])) {
    format(spec["runtimeClassName"], path.child("runtimeClassName"), errors, dnsSubdomain);
  }
  if (isSet(spec["preemptionPolicy"])) {
    requiredOneOf(spec["preemptionPolicy"], PREEMPTION, path.child("preemptionPolicy"), errors);
  }
  if (spec["overhead"]) {
    requirements({ limits: spec["overhead"] }, path.child("overhead"), errors, {
      ctx,
      name: containerResourceName,
      claims: scope.claims,
      allowIndivisibleHugePages: scope.forgiven.indivisibleHugePages,
    });
  }
  systemRules(scope, path);
  fileKeyVolumes(scope, path);
}

function resourceClaims(scope: PodScope, path: Path): void {
  const seen = new Set<string>(), { errors } = scope;
  const fixed = scope.meta?.annotations?.[ANNOTATIONS(scope.ctx.product).mirror] !== undefined;
  for (const [i, c] of items(scope.spec["resourceClaims"]).entries()) {
    if (fixed) {
      errors.forbidden("[]", "static pods do not support resource claims");
      continue;
    }
    const at = path.index(i), named = isSet(c["resourceClaimName"]), templated = isSet(c["resourceClaimTemplateName"]);
    if (!c["name"]) errors.required(at.child("name"));
    else if (seen.has(c["name"])) errors.duplicate(at.child("name"), c["name"]);
    else {
      format(c["name"], at.child("name"), errors, dnsLabel);
      seen.add(c["name"]);
    }
    if (named && templated) {
      errors.invalid(at, c, "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified");
    }
    const group = scope.ctx.gate("DRAWorkloadResourceClaims") && isSet(c["podGroupResourceClaim"]);
    if (!named && !templated && !group) {
      errors.invalid(at, c, "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`");
    }
    for (const m of ["resourceClaimName", "resourceClaimTemplateName"]) {
      if (isSet(c[m])) format(c[m], at.child(m), errors, dnsSubdomain);
    }
  }
}

function podResources(scope: PodScope, path: Path): void {
  const { spec, errors, ctx } = scope, r: Tree = spec["resources"];
  if (spec["os"]?.name === "windows") return errors.forbidden(path, "must not be set for a windows pod");
  if (r["claims"] || wasSentEmpty(r, "claims")) {
    errors.forbidden(path.child("claims"), "must not be set for a pod as a whole");
  }
  requirements(r, path, errors, {
    ctx,
    name: podResourceName,
    claims: scope.claims,
    allowIndivisibleHugePages: scope.forgiven.indivisibleHugePages,
  });
  atLeastContainers(aggregate(spec, "requests"), r["requests"], path.child("requests"), errors, () => true);
  atLeastContainers(aggregate(spec, "limits"), r["limits"], path.child("limits"), errors, isHugePages);
  for (const [i, c] of items(spec["containers"]).entries()) {
    const limits: Tree = c["resources"]?.limits ?? {};
    for (const k in limits) {
      const most = entryOf(r["limits"], k);
      if (most === undefined || parseQuantity(limits[k]).cmp(parseQuantity(most)) <= 0) continue;
      errors.invalid(
        path.child("containers").index(i).key(k).child("limits"),
        limits[k],
        `must be at most the pod's limit of ${most}`,
      );
    }
  }
}

function atLeastContainers(
  sums: Readonly<Record<string, string>>,
  list: Tree | undefined,
  path: Path,
  errors: ErrorList,
  applies: (name: string) => boolean,
): void {
  for (const k in sums) {
    const own = entryOf(list, k);
    if (own === undefined || !applies(k) || parseQuantity(sums[k]!).cmp(parseQuantity(own)) <= 0) continue;
    errors.invalid(path.key(k), own, `must be at least the containers' sum of ${sums[k]}`);
  }
}

function hostNetworkPorts({ spec, errors, isPod }: PodScope, path: Path): void {
  for (const [i, c] of items(spec["containers"]).entries()) {
    for (const [j, p] of items(c["ports"]).entries()) {
      const host = p["hostPort"] ?? 0;
      if ((isPod || host) && host !== p["containerPort"]) {
        errors.invalid(
          path.child("containers").index(i).child("ports").index(j).child("hostPort"),
          host,
          "must match `containerPort` when `hostNetwork` is true",
        );
      }
    }
  }
}

const MAX_NAMESERVERS = 3, MAX_SEARCHES = 32, MAX_SEARCH_TEXT = 2048;

function dnsConfig({ spec, errors, ctx }: PodScope, path: Path): void {
  const c: Tree | undefined = spec["dnsConfig"];
  if (spec["dnsPolicy"] === "None") {
    if (!c) return errors.required(path, "must be provided when `dnsPolicy` is None");
    if (!items(c["nameservers"]).length) {
      return errors.required(path.child("nameservers"), "must hold a nameserver when `dnsPolicy` is None");
    }
  }
  if (!c) return;
  const servers = items<string>(c["nameservers"]), searches = items<string>(c["searches"]);
  if (servers.length > MAX_NAMESERVERS) {
    errors.invalid(path.child("nameservers"), servers, `must hold at most ${MAX_NAMESERVERS}`);
  }
  for (const [i, s] of servers.entries()) {
    legacyAddress(s, path.child("nameservers").index(i), errors, ctx.gate("StrictIPCIDRValidation"));
  }
  if (searches.length > MAX_SEARCHES) {
    errors.invalid(path.child("searches"), searches, `must hold at most ${MAX_SEARCHES}`);
  }
  if (longer(searches.join(" "), MAX_SEARCH_TEXT)) {
    errors.invalid(path.child("searches"), searches, `must hold at most ${MAX_SEARCH_TEXT} characters`);
  }
  for (const [i, s] of searches.entries()) {
    if (s !== ".") format(s.replace(/\.$/, ""), path.child("searches").index(i), errors, dnsSubdomainUnderscore);
  }
  for (const [i, o] of items(c["options"]).entries()) {
    if (!o["name"]) errors.required(path.child("options").index(i), "must not be empty");
  }
}

function gates({ spec, errors }: PodScope, path: Path): void {
  for (const [i, g] of items(spec["readinessGates"]).entries()) {
    format(
      g["conditionType"] ?? "",
      path.child("readinessGates").index(i).child("conditionType"),
      errors,
      qualifiedName,
    );
  }
  const seen = new Set<string>();
  for (const [i, g] of items(spec["schedulingGates"]).entries()) {
    const at = path.child("schedulingGates").index(i);
    format(g["name"] ?? "", at, errors, qualifiedName);
    if (seen.has(g["name"])) errors.duplicate(at, g["name"]);
    seen.add(g["name"]);
  }
}

function userNamespaces({ spec, errors, forgiven, ctx }: PodScope, path: Path): void {
  if (spec["hostNetwork"] && !ctx.gate("UserNamespacesHostNetworkSupport")) {
    errors.forbidden(path.child("hostNetwork"), "when `hostUsers` is false");
  }
  if (spec["hostPID"]) errors.forbidden(path.child("HostPID"), "when `hostUsers` is false");
  if (spec["hostIPC"]) errors.forbidden(path.child("HostIPC"), "when `hostUsers` is false");
  if (forgiven.devicesWithUserNamespaces) return;
  for (const [list, i, c] of allContainers(spec)) {
    if (items(c["volumeDevices"]).length) {
      errors.forbidden(path.child(list).index(i).child("volumeDevices"), "when `hostUsers` is false");
    }
  }
}

const MAX_HOSTNAME = 64;

function schedulingGroup({ spec, errors }: PodScope, path: Path): void {
  const name = spec["schedulingGroup"].podGroupName;
  if (isSet(name)) format(name, path, errors, dnsSubdomain);
  else errors.invalid(path, null, "must be specified: a pod is scheduled in a group by its name");
}

function hostnameOverride({ spec, errors }: PodScope, path: Path): void {
  if (spec["setHostnameAsFQDN"]) errors.forbidden(path, "must not be specified when setHostnameAsFQDN is true");
  if (spec["hostNetwork"]) errors.forbidden(path, "must not be specified when hostNetwork is true");
  if (longer(spec["hostnameOverride"], MAX_HOSTNAME)) errors.tooLong(path, MAX_HOSTNAME);
  format(spec["hostnameOverride"], path, errors, dnsSubdomain);
}

function hostAliases({ spec, errors, ctx }: PodScope, path: Path): void {
  for (const [i, a] of items(spec["hostAliases"]).entries()) {
    legacyAddress(a["ip"] ?? "", path.index(i).child("ip"), errors, ctx.gate("StrictIPCIDRValidation"));
    for (const [j, h] of items<string>(a["hostnames"]).entries()) {
      format(h, path.index(i).child("hostnames").index(j), errors, dnsSubdomain);
    }
  }
}

/** Variables that come from a file need its volume, an empty directory. */
function fileKeyVolumes({ spec, errors }: PodScope, path: Path): void {
  let volumes: ReadonlyMap<string, Tree> | undefined;
  for (const [list, i, c] of allContainers(spec)) {
    for (const [j, e] of items(c["env"]).entries()) {
      const ref = e["valueFrom"]?.fileKeyRef;
      if (!ref) continue;
      const at = path.child(list).index(i).child("env").index(j).child("valueFrom", "fileKeyRef", "volumeName");
      volumes ??= new Map(items(spec["volumes"]).map((v) => [v["name"], v]));
      const volume = volumes.get(ref.volumeName);
      if (!volume) errors.notFound(at, ref.volumeName ?? "");
      else if (!volume["emptyDir"]) errors.invalid(at, ref.volumeName, "must be a volume of type emptyDir");
    }
  }
}
