/** Defaults of the core group. */
import { NAME_LABEL } from "./namespace.ts";
import { fill, fillZero, part, roundResources } from "../checks/fill.ts";
import type { DefaultsTable } from "../tables.ts";
import type { RuleContext } from "../types.ts";
import { emptyMap, isSet, items, type Tree } from "../tree.ts";
import { copyTree } from "../../values/copy.ts";
import { podDefaults, templateDefaults } from "./pod_defaults.ts";
import { claimDefaults, VOLUME_DEFAULTS } from "./volume_defaults.ts";

function serviceDefaults(s: Tree): void {
  const spec = part(s, "spec");
  fillZero(spec, { sessionAffinity: "None", type: "ClusterIP" });
  if (spec["sessionAffinity"] === "None") delete spec["sessionAffinityConfig"];
  if (spec["sessionAffinity"] === "ClientIP" && !isSet(spec["sessionAffinityConfig"]?.clientIP?.timeoutSeconds)) {
    spec["sessionAffinityConfig"] = { clientIP: { timeoutSeconds: 10800 } };
  }
  for (const p of items(spec["ports"])) {
    fillZero(p, { protocol: "TCP" });
    if (!p["targetPort"]) p["targetPort"] = p["port"] ?? 0;
  }
  const { type } = spec;
  const outside = type === "LoadBalancer" || type === "NodePort" ||
    (type === "ClusterIP" && items(spec["externalIPs"]).length > 0);
  if (outside) fillZero(spec, { externalTrafficPolicy: "Cluster" });
  if (type === "NodePort" || type === "LoadBalancer" || type === "ClusterIP") {
    fill(spec, { internalTrafficPolicy: "Cluster" });
  }
  if (type === "LoadBalancer") {
    fill(spec, { allocateLoadBalancerNodePorts: true });
    for (const i of items(s["status"]?.loadBalancer?.ingress)) if (i["ip"]) fill(i, { ipMode: "VIP" });
  }
}

function limitRangeDefaults(r: Tree): void {
  for (const item of items(r["spec"]?.limits)) {
    if (item["type"] === "Container") {
      const limit = { ...item["max"], ...item["default"] };
      const request = { ...item["min"], ...limit, ...item["defaultRequest"] };
      if (!emptyMap(limit)) item["default"] = limit;
      if (!emptyMap(request)) item["defaultRequest"] = request;
    }
    roundResources(item["max"], item["min"], item["default"], item["defaultRequest"], item["maxLimitRequestRatio"]);
  }
}

function controllerDefaults(rc: Tree, ctx: RuleContext): void {
  const spec = part(rc, "spec");
  const labels = spec["template"]?.metadata?.labels;
  if (labels) {
    if (emptyMap(spec["selector"])) spec["selector"] = copyTree(labels);
    if (emptyMap(part(rc, "metadata")["labels"])) rc["metadata"].labels = copyTree(labels);
  }
  fill(spec, { replicas: 1 });
  templateDefaults(spec["template"], ctx);
}

/** Text that a client may give in place of base64. */
function secretDefaults(s: Tree): void {
  fillZero(s, { type: "Opaque" });
  const plain = s["stringData"];
  if (!plain) return;
  const utf8 = new TextEncoder();
  for (const k in plain) part(s, "data")[k] = utf8.encode(plain[k]).toBase64();
  delete s["stringData"];
}

function nodeDefaults(n: Tree): void {
  const status = part(n, "status");
  if (!status["allocatable"] && status["capacity"]) status["allocatable"] = copyTree(status["capacity"]);
  roundResources(status["capacity"], status["allocatable"]);
  const spec = part(n, "spec");
  const [first] = items<string>(spec["podCIDRs"]);
  // The one block of old clients wins over a list that begins with another.
  if (spec["podCIDR"] && spec["podCIDR"] !== first) spec["podCIDRs"] = [spec["podCIDR"]];
  else if (first) spec["podCIDR"] = first;
}

function volumeDefaults(pv: Tree): void {
  const spec = part(pv, "spec");
  fillZero(part(pv, "status"), { phase: "Pending" });
  fillZero(spec, { persistentVolumeReclaimPolicy: "Retain" });
  fill(spec, { volumeMode: "Filesystem" });
  roundResources(spec["capacity"]);
  for (const k in spec) if (spec[k] && typeof spec[k] === "object") VOLUME_DEFAULTS[k]?.(spec[k]);
}

/** Rows of the core group. */
export const DEFAULTS: DefaultsTable = {
  "v1/Pod": podDefaults,
  "v1/PodTemplate": (t: Tree, ctx) => templateDefaults(part(t, "template"), ctx),
  "v1/ReplicationController": controllerDefaults,
  "v1/Service": serviceDefaults,
  "v1/Secret": secretDefaults,
  "v1/LimitRange": limitRangeDefaults,
  "v1/ResourceQuota": (q: Tree) => roundResources(q["spec"]?.hard, q["status"]?.hard, q["status"]?.used),
  "v1/Endpoints": (e: Tree) => {
    for (const s of items(e["subsets"])) for (const p of items(s["ports"])) fillZero(p, { protocol: "TCP" });
  },
  "v1/Namespace": (n: Tree, ctx) => {
    const { name } = n["metadata"];
    if (name) part(n["metadata"], "labels")[ctx.product.local(NAME_LABEL)] = name;
    fillZero(part(n, "status"), { phase: "Active" });
  },
  "v1/Node": nodeDefaults,
  "v1/PersistentVolume": volumeDefaults,
  "v1/PersistentVolumeClaim": claimDefaults,
};
