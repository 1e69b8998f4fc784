/** Defaults of pods and pod templates. */
import { fill, fillZero, part, roundResources } from "../checks/fill.ts";
import { emptyMap, entryOf, isSet, items, type Tree } from "../tree.ts";
import { localSet } from "../local.ts";
import { copyTree } from "../../values/copy.ts";
import { parseQuantity } from "../../values/quantity.ts";
import { isHugePages } from "../checks/resources.ts";
import type { RuleContext } from "../types.ts";
import { pullPolicyOf } from "./image.ts";
import { aggregate, isPodLevelResource } from "./pod_resources.ts";
import { claimSpecDefaults, VOLUME_DEFAULTS } from "./volume_defaults.ts";

const PROBE = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };
const HTTP_GET = { path: "/", scheme: "HTTP" };
const CONTAINER = { terminationMessagePath: "/dev/termination-log", terminationMessagePolicy: "File" };

/** Defaults of a pod as a whole: those of its spec, and requests that follow from limits. */
export function podDefaults(pod: Tree, ctx?: RuleContext): void {
  const spec = part(pod, "spec");
  if (ctx) dropOldInitContainers(pod["metadata"], ctx);
  for (const list of [spec["containers"], spec["initContainers"]]) {
    for (const c of items(list)) requestsFromLimits(c);
  }
  if (spec["resources"] && !ctx?.gate(FIX)) podLevelResources(spec);
  fill(spec, { enableServiceLinks: true });
  if (spec["hostNetwork"]) {
    for (const list of [spec["containers"], spec["initContainers"]]) {
      for (const c of items(list)) {
        for (const p of items(c["ports"])) if (!p["hostPort"]) p["hostPort"] = p["containerPort"];
      }
    }
  }
  podSpecDefaults(spec);
  if (ctx?.gate("H2CContainerProbe")) protocols(spec);
  if (spec["terminationGracePeriodSeconds"] < 0) spec["terminationGracePeriodSeconds"] = 1;
  if (pod["status"]) statusDefaults(pod["status"]);
}

const CONTAINERS = ["containers", "initContainers", "ephemeralContainers"];
const PROBES = ["livenessProbe", "readinessProbe", "startupProbe"];

/** The version of HTTP that probes and hooks of a pod speak. */
function protocols(spec: Tree): void {
  for (const c of CONTAINERS.flatMap((l) => items<Tree>(spec[l]))) {
    for (const h of [...PROBES.map((p) => c[p]), c["lifecycle"]?.postStart, c["lifecycle"]?.preStop]) {
      if (h?.httpGet) fill(h.httpGet, { protocol: "HTTP1" });
    }
  }
}

const STATUSES = ["initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses"];

function statusDefaults(status: Tree): void {
  podAddresses(status);
  for (const s of [status, ...STATUSES.flatMap((l) => items(status[l]))]) {
    roundResources(s["allocatedResources"], s["resources"]?.limits, s["resources"]?.requests);
  }
}

/** The one address of old clients and the list of new ones say the same; where they differ the old member wins. */
function podAddresses(status: Tree): void {
  const first: string = items(status["podIPs"])[0]?.["ip"] ?? "";
  if (status["podIP"] && status["podIP"] !== first) status["podIPs"] = [{ ip: status["podIP"] }];
  else if (first) status["podIP"] = first;
}

/** Defaults of the pod template in `owner.template`, if there is one. */
export function templateDefaults(template: Tree | null | undefined, ctx?: RuleContext): void {
  if (!template) return;
  if (ctx) dropOldInitContainers(template["metadata"], ctx);
  podSpecDefaults(part(template, "spec"));
}

const OLD_INIT_CONTAINERS = localSet(
  "pod.beta.kubernetes.io/init-containers",
  "pod.alpha.kubernetes.io/init-containers",
  "pod.beta.kubernetes.io/init-container-statuses",
  "pod.alpha.kubernetes.io/init-container-statuses",
);

/** Annotations that held init containers before there was a member for them are not kept. */
function dropOldInitContainers(meta: Tree | undefined, ctx: RuleContext): void {
  if (!meta?.["annotations"]) return;
  for (const k of OLD_INIT_CONTAINERS(ctx.product)) delete meta["annotations"][k];
  if (emptyMap(meta["annotations"])) delete meta["annotations"];
}

function requestsFromLimits(container: Tree): void {
  const limits = container["resources"]?.limits;
  if (!limits) return;
  const requests = container["resources"].requests ??
    (emptyMap(limits) ? undefined : container["resources"].requests = {});
  for (const k in limits) if (!isSet(entryOf(requests, k))) requests[k] = limits[k];
}

/**
 * With this gate a pod's own resources follow its containers' when it is stored, not when it is read: admission may have
 * given it more containers.
 */
const FIX = "PodLevelResourcesFixDefaulting";

/** Completes a pod's own resources as the gate has it; a spec without any stays as it is. In place. */
export function completePodResources(spec: Tree, ctx: RuleContext): void {
  const { resources } = spec;
  if (!ctx.gate(FIX) || !ctx.gate("PodLevelResources") || !resources) return;
  if (emptyMap(resources.requests) && emptyMap(resources.limits)) return;
  limitsOfHugePages(spec);
  requestsOfPod(spec);
  limitsOfPod(spec);
}

/** Clients that do not know of a pod's own resources leave them out: with the gate that does not remove them. */
export function keepPodResources(spec: Tree | undefined, was: Tree | undefined, ctx: RuleContext): void {
  if (ctx.gate(FIX) && spec && !isSet(spec["resources"]) && isSet(was?.["resources"])) {
    spec["resources"] = copyTree(was!["resources"]);
  }
}

/** Where every container has a limit, the pod has the sum, or what it requests if that is more. */
function limitsOfPod(spec: Tree): void {
  const { resources } = spec, sums = aggregate(spec, "limits");
  const containers = [...items<Tree>(spec["containers"]), ...items<Tree>(spec["initContainers"])];
  const limits = { ...resources.limits };
  for (const k in resources.requests) {
    if (!isPodLevelResource(k) || isSet(limits[k]) || sums[k] === undefined) continue;
    if (!containers.every((c) => isSet(c["resources"]?.limits?.[k]))) continue;
    const asked = parseQuantity(resources.requests[k]);
    limits[k] = asked.cmp(parseQuantity(sums[k]!)) > 0 ? asked.toString() : sums[k];
  }
  if (!emptyMap(limits)) resources.limits = limits;
}

/** Of a spec with `resources`: limits of huge pages follow the containers'; requests the containers', then the limits. */
export function podLevelResources(spec: Tree): void {
  const { resources } = spec;
  if (!emptyMap(resources.limits) || !emptyMap(resources.requests)) limitsOfHugePages(spec);
  if (!emptyMap(resources.limits)) requestsOfPod(spec);
}

function limitsOfHugePages({ resources, ...spec }: Tree): void {
  const limits = { ...resources.limits };
  for (const [k, q] of Object.entries(aggregate(spec, "limits"))) {
    if (isHugePages(k) && !isSet(resources.requests?.[k])) limits[k] ??= q;
  }
  if (!emptyMap(limits)) resources.limits = limits;
}

function requestsOfPod({ resources, ...spec }: Tree): void {
  const requests = { ...resources.requests };
  for (const [k, q] of Object.entries(aggregate(spec, "requests"))) {
    if (isPodLevelResource(k) && !isHugePages(k)) requests[k] ??= q;
  }
  for (const k in resources.limits) if (isPodLevelResource(k)) requests[k] ??= resources.limits[k];
  if (!emptyMap(requests)) resources.requests = requests;
}

/** Defaults of a pod's spec, also in templates. */
function podSpecDefaults(spec: Tree): void {
  if (!spec["serviceAccountName"] && spec["serviceAccount"]) spec["serviceAccountName"] = spec["serviceAccount"];
  if (spec["serviceAccountName"]) spec["serviceAccount"] = spec["serviceAccountName"];
  for (const v of items(spec["volumes"])) volumeDefaults(v);
  for (const c of items(spec["initContainers"])) containerDefaults(c);
  for (const c of items(spec["containers"])) containerDefaults(c);
  for (const c of items(spec["ephemeralContainers"])) containerDefaults(c);
  fillZero(spec, { restartPolicy: "Always", dnsPolicy: "ClusterFirst", schedulerName: "default-scheduler" });
  fill(spec, { terminationGracePeriodSeconds: 30 });
  part(spec, "securityContext");
  roundResources(spec["overhead"], spec["resources"]?.limits, spec["resources"]?.requests);
}

function containerDefaults(c: Tree): void {
  for (const p of items(c["ports"])) fillZero(p, { protocol: "TCP" });
  for (const e of items(c["env"])) {
    if (e["valueFrom"]?.fieldRef) fillZero(e["valueFrom"].fieldRef, { apiVersion: "v1" });
    if (e["valueFrom"]?.fileKeyRef) fill(e["valueFrom"].fileKeyRef, { optional: false });
  }
  roundResources(part(c, "resources")["limits"], c["resources"].requests);
  for (const name of ["livenessProbe", "readinessProbe", "startupProbe"]) if (c[name]) probeDefaults(c[name]);
  for (const hook of [c["lifecycle"]?.postStart, c["lifecycle"]?.preStop]) {
    if (hook?.httpGet) fillZero(hook.httpGet, HTTP_GET);
  }
  fillZero(c, CONTAINER);
  if (!c["imagePullPolicy"]) c["imagePullPolicy"] = pullPolicyOf(c["image"] ?? "");
}

function probeDefaults(p: Tree): void {
  fillZero(p, PROBE);
  if (p["httpGet"]) fillZero(p["httpGet"], HTTP_GET);
  if (p["grpc"]) fill(p["grpc"], { service: "" });
}

function volumeDefaults(v: Tree): void {
  let source = false;
  for (const k in v) {
    if (k === "name" || !isSet(v[k])) continue;
    source = true;
    VOLUME_DEFAULTS[k]?.(v[k]);
  }
  if (!source) v["emptyDir"] = {};
  if (v["image"] && !v["image"].pullPolicy) v["image"].pullPolicy = pullPolicyOf(v["image"].reference ?? "");
  const template = v["ephemeral"]?.volumeClaimTemplate;
  if (template) claimSpecDefaults(part(template, "spec"));
}
