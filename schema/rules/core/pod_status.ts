/** The status of a pod, as its node and its scheduler write it. */
import { format, immutable, oneOf } from "../checks/basic.ts";
import { dnsLabel, dnsSubdomain, posixId, qualifiedName } from "../checks/formats.ts";
import { isDualStack, legacyAddress } from "../checks/ip.ts";
import { tryParseIp } from "../../values/ip.ts";
import { nonNegativeAmount } from "../checks/resources.ts";
import { parseQuantity } from "../../values/quantity.ts";
import { longer } from "../../values/utf8.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { count, entryOf, isSet, items, type Tree } from "../tree.ts";
import type { ValidateContext } from "../types.ts";
import { fixedAnnotations, podAnnotations } from "./pod_annotations.ts";
import { isPodLevelResource } from "./pod_resources.ts";
import { podScope } from "./pod_scope.ts";
import { volumeHealth } from "./volume_health.ts";

const STATUS = Path.of("status");
const MAX_UID = 0xffffffff;
const SYSTEM_CONDITIONS = new Set(["PodScheduled", "Ready", "Initialized"]);
const LISTS = ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"] as const;

/** Everything that holds of an update through `pods/status`. */
export function podStatusUpdate(pod: Tree, old: Tree, errors: ErrorList, ctx: ValidateContext): void {
  const now: Tree = pod["status"] ?? {}, was: Tree = old["status"] ?? {}, spec: Tree = pod["spec"];
  fixedAnnotations(pod["metadata"].annotations, old["metadata"].annotations, errors, ctx);
  podAnnotations(
    pod["metadata"].annotations,
    podScope(spec, old["spec"], errors, ctx, pod["metadata"]),
    old["metadata"].annotations,
  );
  conditions(now["conditions"], errors);
  if (spec["nodeName"] !== old["spec"].nodeName) {
    errors.forbidden(STATUS.child("nodeName"), "must not be changed directly");
  }
  nominated(now["nominatedNodeName"], was["nominatedNodeName"], old["spec"], errors, ctx);
  if (now["observedGeneration"] < 0) {
    errors.invalid(STATUS.child("observedGeneration"), now["observedGeneration"], "must not be negative");
  }
  immutable(now["qosClass"], was["qosClass"], STATUS.child("qosClass"), errors);
  for (const list of LISTS) noResurrection(list, now[list], was[list], old["spec"], errors);
  claimStatuses(now["resourceClaimStatuses"], spec, errors);
  extendedClaim(now["extendedResourceClaimStatus"], spec, errors);
  allocatableClaims(now, spec, errors);
  volumeHealth(now["volumeHealth"], spec, STATUS.child("volumeHealth"), errors);
  addresses("podIPs", now, was, errors, ctx);
  if (items(now["podIPs"]).length > 0 && !now["podIP"]) {
    errors.invalid(STATUS.child("podIPs"), now["podIPs"], "must be set together with `podIP`, or not at all");
  }
  hostAddresses(now, was, errors, ctx);
  for (const list of LISTS) users(list, now[list], spec["os"]?.name ?? "linux", errors);
  for (const list of LISTS) resourceHealth(list, now, spec, errors);
}

function conditions(list: readonly Tree[] | undefined, errors: ErrorList): void {
  for (const [i, c] of items(list).entries()) {
    const at = STATUS.child("conditions").index(i);
    if (c["observedGeneration"] < 0) {
      errors.invalid(at.child("observedGeneration"), c["observedGeneration"], "must not be negative");
    }
    if (!SYSTEM_CONDITIONS.has(c["type"])) format(c["type"] ?? "", at.child("Type"), errors, qualifiedName);
  }
}

function nominated(
  now: string | undefined,
  was: string | undefined,
  spec: Tree,
  errors: ErrorList,
  ctx: ValidateContext,
): void {
  if (!now || now === was) return;
  const at = STATUS.child("nominatedNodeName");
  format(now, at, errors, dnsSubdomain);
  if (spec["nodeName"] && ctx.gate("ClearingNominatedNodeNameAfterBinding")) {
    errors.forbidden(at, "must not be set on pods that are bound to a node");
  }
}

/** Containers that have ended stay so, unless they are to restart. */
function noResurrection(
  list: typeof LISTS[number],
  now: readonly Tree[] | undefined,
  was: readonly Tree[] | undefined,
  spec: Tree,
  errors: ErrorList,
): void {
  const going = Map.groupBy(items(now).filter((s) => !s["state"]?.terminated), (s) => s["name"]);
  const restarts = restarting(list, spec);
  for (const [i, old] of items(was).entries()) {
    const end = old["state"]?.terminated;
    if (!end || restarts(old["name"], end.exitCode ?? 0)) continue;
    for (const _ of going.get(old["name"]) ?? []) {
      if (errors.full) return; // as many of either list as a body can hold: each with each is not even counted
      errors.forbidden(STATUS.child(list).index(i).child("state"), "must not go back to a state that has not ended");
    }
  }
}

/** Tells whether a container of a list is to restart after an exit code. */
function restarting(list: typeof LISTS[number], spec: Tree): (name: string, exitCode: number) => boolean {
  if (list === "ephemeralContainerStatuses") return () => false;
  const all = [...items(spec["initContainers"]), ...items(spec["containers"])];
  const rules = all.flatMap((c) => items(c["restartPolicyRules"]));
  if (rules.some((r) => r["action"] === "RestartAllContainers")) return () => true;
  const named = new Map(all.map((c) => [c["name"], c]));
  return (name, exitCode) => {
    const c = named.get(name);
    return !!c && containerRestarts(c, exitCode, spec["restartPolicy"]);
  };
}

const byPolicy = (policy: string, exitCode: number) =>
  policy === "Always" || (policy === "OnFailure" && exitCode !== 0);

function containerRestarts(c: Tree, exitCode: number, podPolicy: string): boolean {
  if (!isSet(c["restartPolicy"])) return byPolicy(podPolicy, exitCode);
  for (const r of items(c["restartPolicyRules"])) {
    const codes = r["exitCodes"], named = items<number>(codes?.values).includes(exitCode);
    if (codes && (codes.operator === "In" ? named : !named)) return true;
  }
  return byPolicy(c["restartPolicy"], exitCode);
}

function claimStatuses(list: readonly Tree[] | undefined, spec: Tree, errors: ErrorList): void {
  const seen = new Set<string>(), claims = new Set(items(spec["resourceClaims"]).map((c) => c["name"]));
  for (const [i, s] of items(list).entries()) {
    const at = STATUS.child("resourceClaimStatuses").index(i).child("name");
    if (!claims.has(s["name"])) {
      errors.invalid(at, s["name"] ?? "", "must be the name of an entry in `spec.resourceClaims`");
    }
    if (seen.has(s["name"])) errors.duplicate(at, s["name"]);
    seen.add(s["name"]);
    if (isSet(s["resourceClaimName"])) {
      format(s["resourceClaimName"], at.sibling("resourceClaimName"), errors, dnsSubdomain);
    }
  }
}

/** What claims take of what nodes can give. */
function allocatableClaims(now: Tree, spec: Tree, errors: ErrorList): void {
  const names = new Set(
    [...items(spec["resourceClaims"]), ...items(now["resourceClaimStatuses"])].map((c) => c["resourceClaimName"]),
  );
  for (const [i, s] of items(now["nodeAllocatableResourceClaimStatuses"]).entries()) {
    const at = STATUS.child("nodeAllocatableResourceClaimStatuses").index(i),
      name: string = s["resourceClaimName"] ?? "";
    if (!name) continue;
    if (!names.has(name)) errors.invalid(at.child("resourceClaimName"), name, "must be a claim of the pod");
    for (const list of ["mapping", "overhead"]) {
      for (const [j, r] of items(s[list]).entries()) allocatable(r, at.child(list).index(j), list, errors);
    }
  }
}

const AMOUNTS: Readonly<Record<string, readonly string[]>> = {
  mapping: ["quantity"],
  overhead: ["perPod", "perContainer"],
};

function allocatable(r: Tree, path: Path, list: string, errors: ErrorList): void {
  if (!isPodLevelResource(r["name"] ?? "")) {
    errors.invalid(path.child("name"), r["name"], "must be a node's own resource");
  }
  const amounts = AMOUNTS[list]!.filter((m) => isSet(r[m]));
  if (list === "overhead" && !amounts.length) errors.invalid(path, "", "must say perPod or perContainer");
  for (const m of amounts) nonNegativeAmount(r[m], path.child(m), errors);
}

function extendedClaim(s: Tree | undefined, spec: Tree, errors: ErrorList): void {
  if (!s) return;
  const path = STATUS.child("extendedResourceClaimStatus"), mappings = path.child("requestMappings");
  const containers = new Map(
    [...items(spec["initContainers"]), ...items(spec["containers"])].map((c) => [c["name"], c]),
  );
  if (!count(s["requestMappings"])) errors.required(mappings, "at least one request mapping is required");
  const seen = new Set<string>();
  for (const [i, m] of items(s["requestMappings"]).entries()) {
    const at = mappings.index(i), c = containers.get(m["containerName"]);
    if (!c) errors.invalid(at.child("containerName"), m["containerName"] ?? "", "must be the name of a container");
    else if (!isSet(entryOf(c["resources"]?.requests, m["resourceName"] ?? ""))) {
      errors.invalid(
        at.child("resourceName"),
        m["resourceName"] ?? "",
        "must be a resource that the container asks for",
      );
    }
    format(m["requestName"] ?? "", path.child("requestName"), errors, dnsLabel);
    const parts = ["containerName", "resourceName", "requestName"], key = parts.map((p) => m[p]).join(" ");
    if (seen.has(key)) { for (const p of parts) errors.duplicate(at.child(p), m[p]); }
    seen.add(key);
  }
  if (!s["resourceClaimName"]) errors.required(path.child("resourceClaimName"));
  else format(s["resourceClaimName"], path.child("resourceClaimName"), errors, dnsSubdomain);
}

function addresses(member: string, now: Tree, was: Tree, errors: ErrorList, ctx: ValidateContext): void {
  const path = STATUS.child(member), list = items(now[member]).map((a) => String(a["ip"] ?? ""));
  const old = new Set(items(was[member]).map((a) => String(a["ip"] ?? "")));
  for (const [i, a] of list.entries()) legacyAddress(a, path.index(i), errors, ctx.gate("StrictIPCIDRValidation"), old);
  const unread = list.length > 1 && list.some((a) => !tryParseIp(a, { legacy: true }));
  if (unread) errors.internal(path, "the addresses cannot be compared");
  if (unread || list.length > 2 || (list.length === 2 && !isDualStack(list))) {
    errors.invalid(path, now[member], "must hold at most one address of each family");
  }
}

function hostAddresses(now: Tree, was: Tree, errors: ErrorList, ctx: ValidateContext): void {
  const [first] = items(now["hostIPs"]);
  if (!first) return;
  if ((now["hostIP"] ?? "") !== first["ip"]) {
    errors.invalid(STATUS.child("hostIPs").index(0).child("ip"), first["ip"], "must be equal to `hostIP`");
  }
  addresses("hostIPs", now, was, errors, ctx);
}

function users(list: string, statuses: readonly Tree[] | undefined, os: string, errors: ErrorList): void {
  for (const [i, s] of items(statuses).entries()) {
    const linux: Tree | undefined = s["user"]?.linux, at = STATUS.child(list).index(i).child("user", "linux");
    if (!linux) continue;
    if (os === "windows") errors.forbidden(at, "cannot be set for a windows pod");
    else {
      const { uid = 0, gid = 0 } = linux;
      // What the runtime tells may be any user of the kernel.
      if (uid < 0 || uid > MAX_UID) errors.invalid(at.child("uid"), uid, `must be between 0 and ${MAX_UID}`);
      for (const f of posixId(gid)) errors.invalid(at.child("gid"), gid, f);
      for (const [j, g] of items<number>(linux["supplementalGroups"]).entries()) {
        for (const f of posixId(g)) errors.invalid(at.child("supplementalGroups").index(j), g, f);
      }
    }
  }
}

const MESSAGE_LIMIT = 1024;
const HEALTH = ["Healthy", "Unhealthy", "Unknown"];
const CONTAINERS = { containerStatuses: "containers", initContainerStatuses: "initContainers" } as const;

function resourceHealth(
  list: typeof LISTS[number],
  status: Tree,
  spec: Tree,
  errors: ErrorList,
): void {
  const containers = new Map(
    list === "ephemeralContainerStatuses" ? [] : items(spec[CONTAINERS[list]]).map((c) => [c["name"], c]),
  );
  const isKnown = knownResources(status["extendedResourceClaimStatus"]);
  for (const [i, s] of items<Tree>(status[list]).entries()) {
    const all = items(s["allocatedResourcesStatus"]),
      path = STATUS.child(list).index(i).child("allocatedResourcesStatus");
    if (!all.length) continue;
    if (list === "ephemeralContainerStatuses") {
      errors.forbidden(path, "must not be specified in container status");
      continue;
    }
    const c = containers.get(s["name"]);
    for (const [j, r] of all.entries()) {
      const at = path.index(j);
      if (c && !isKnown(c, r["name"] ?? "")) {
        errors.invalid(at.child("name"), r["name"] ?? "", "must be a claim or resource of the container");
      }
      const seen = new Set<string>();
      for (const [k, h] of items(r["resources"]).entries()) {
        oneOf(h["health"], HEALTH, at.child("resources").index(k).child("health"), errors);
        const message = at.child("resources").index(k).child("message");
        if (h["message"] === "") errors.required(message);
        else if (longer(h["message"] ?? "", MESSAGE_LIMIT)) errors.tooLong(message, MESSAGE_LIMIT);
        if (seen.has(h["resourceID"])) {
          errors.duplicate(at.child("resources").index(k).child("resourceID"), h["resourceID"]);
        }
        seen.add(h["resourceID"]);
      }
    }
  }
}

/** Tells a resource that a container asks for, or a claim of its own or of one of its extended resources. */
function knownResources(extended: Tree | undefined): (c: Tree, name: string) => boolean {
  const mapped = Map.groupBy(items<Tree>(extended?.["requestMappings"]), (m) => m["containerName"]);
  const claims = new Map<Tree, ReadonlySet<string>>();
  const claimsOf = (c: Tree): ReadonlySet<string> => {
    let names = claims.get(c);
    if (!names) {
      claims.set(c, names = new Set([...ownClaims(c), ...extendedClaims(c, mapped.get(c["name"]), extended)]));
    }
    return names;
  };
  return (c, name) =>
    name.startsWith("claim:") ? claimsOf(c).has(name) : isSet(entryOf(c["resources"]?.requests, name));
}

const ownClaims = (c: Tree): string[] =>
  items(c["resources"]?.claims).map((x) => `claim:${x["name"]}${x["request"] ? `/${x["request"]}` : ""}`);

function extendedClaims(c: Tree, mappings: readonly Tree[] | undefined, extended: Tree | undefined): string[] {
  return items(mappings).flatMap((m) => {
    const asked = entryOf(c["resources"]?.requests, m["resourceName"] ?? "");
    if (!isSet(asked) || parseQuantity(asked).isZero()) return [];
    return [`claim:${extended?.["resourceClaimName"]}/${m["requestName"]}`];
  });
}

/** Generations that a writer leaves out are kept from the old status. */
export function keepObservedGenerations(now: Tree, was: Tree): void {
  if (!now["observedGeneration"] && was["observedGeneration"]) now["observedGeneration"] = was["observedGeneration"];
  const old = Map.groupBy(items(was["conditions"]).toReversed(), (c) => c["type"]);
  for (const c of items(now["conditions"])) {
    const before = old.get(c["type"])?.pop()?.["observedGeneration"] ?? 0;
    if (!c["observedGeneration"] && before) c["observedGeneration"] = before;
  }
}
