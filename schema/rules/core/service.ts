/** Rules of services. Addresses and ports have been given by the allocators when these run. */
import { ipWarnings } from "../../values/ip.ts";
import { serviceWarnings } from "./service_warnings.ts";
import { format, keep, oneOf, requiredOneOf } from "../checks/basic.ts";
import { dnsLabel, dnsSubdomain, portNumber, qualifiedName } from "../checks/formats.ts";
import { isAddress, legacyAddress, legacyBlock } from "../checks/ip.ts";
import { ErrorList } from "../errors.ts";
import type { Obj } from "../../model/types.ts";
import { perProduct } from "../local.ts";
import { METADATA, nameFaults, validateLabels } from "../object_meta.ts";
import { Path } from "../path.ts";
import { isSet, items, repeats, type Tree } from "../tree.ts";
import type { KindRules, ValidateContext } from "../types.ts";
import { endpointAddress, PROTOCOLS } from "./endpoints.ts";
import { portNumberOrName } from "./handlers.ts";
import { clusterAddresses, clusterAddressesUpdate, isHeadless } from "./service_addresses.ts";
import { dropByType, keepAllocated, linkAddresses } from "./service_prepare.ts";
import { isExternal, needsHealthCheck } from "./service_types.ts";

const SPEC = Path.of("spec");
const TYPES = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
/** The first is older than the gate of the others. */
const DISTRIBUTIONS = ["PreferClose", "PreferSameZone", "PreferSameNode"];
const MAX_AFFINITY_SECONDS = 86400;

const ANNOTATIONS = perProduct((p) => ({
  hints: p.local("service.kubernetes.io/topology-aware-hints"),
  mode: p.local("service.kubernetes.io/topology-mode"),
  ranges: p.local("service.beta.kubernetes.io/load-balancer-source-ranges"),
}));

function whole(obj: Obj, old: Obj | undefined, errors: ErrorList, ctx: ValidateContext): void {
  const spec: Tree = obj["spec"] ?? {}, { type } = spec, headless = isHeadless(spec);
  if (!old && !ctx.gate("RelaxedServiceNameValidation")) strictNames(obj, errors);
  annotations(obj, errors, ctx);
  if (!items(spec["ports"]).length && !headless && type !== "ExternalName") errors.required(SPEC.child("ports"));
  if (headless && (type === "LoadBalancer" || type === "NodePort")) {
    errors.invalid(SPEC.child("clusterIPs").index(0), "None", `must not be 'None' for ${type} services`);
  }
  if (type === "ExternalName") externalName(spec, errors);
  ports(spec, errors);
  if (spec["selector"]) validateLabels(spec["selector"], SPEC.child("selector"), errors);
  affinity(spec, errors);
  clusterAddresses(spec, old?.["spec"], errors, ctx);
  const known = new Set(items<string>(old?.["spec"]?.externalIPs));
  for (const [i, ip] of items<string>(spec["externalIPs"]).entries()) {
    const at = SPEC.child("externalIPs").index(i), found = new ErrorList();
    legacyAddress(ip, at, found, ctx.gate("StrictIPCIDRValidation"), known);
    if (found.empty) endpointAddress(ip, at, found);
    errors.take(found.causes);
  }
  requiredOneOf(type ?? "", TYPES, SPEC.child("type"), errors);
  uniquePorts(spec, errors);
  sourceRanges(obj, old, errors, ctx);
  loadBalancer(spec, errors);
  traffic(spec, errors, ctx);
}

/** Names that begin with a digit came late; what is no label of domains is told already. */
function strictNames({ metadata: { generateName = "", name = "" } }: Obj, errors: ErrorList): void {
  for (const [member, text, prefix] of [["generateName", generateName, true], ["name", name, false]] as const) {
    if (!text || nameFaults("dns1123Label", text, prefix).length) continue;
    for (const fault of nameFaults("dns1035Label", text, prefix)) errors.invalid(METADATA.child(member), text, fault);
  }
}

function annotations(obj: Obj, errors: ErrorList, ctx: ValidateContext): void {
  const own = obj.metadata.annotations;
  if (!own) return;
  const { hints, mode } = ANNOTATIONS(ctx.product);
  if (mode in own && hints in own && own[mode] !== own[hints]) {
    errors.invalid(METADATA.child("annotations").key(mode), own[mode], `must match annotations[${hints}]`);
  }
}

function externalName(spec: Tree, errors: ErrorList): void {
  for (const m of ["clusterIPs", "ipFamilies"]) {
    if (items(spec[m]).length) errors.forbidden(SPEC.child(m), "must not be set for ExternalName services");
  }
  if (isSet(spec["ipFamilyPolicy"])) {
    errors.forbidden(SPEC.child("ipFamilyPolicy"), "must not be set for ExternalName services");
  }
  const name = (spec["externalName"] ?? "").replace(/\.$/, "");
  if (name) format(name, SPEC.child("externalName"), errors, dnsSubdomain);
  else errors.required(SPEC.child("externalName"));
}

function ports(spec: Tree, errors: ErrorList): void {
  const list = items(spec["ports"]), names = new Set<string>();
  for (const [i, p] of list.entries()) {
    const at = SPEC.child("ports").index(i), name: string = p["name"] ?? "";
    if (!name && list.length > 1) errors.required(at.child("name"));
    if (name) {
      format(name, at.child("name"), errors, dnsLabel);
      if (names.has(name)) errors.duplicate(at.child("name"), name);
      names.add(name);
    }
    for (const f of portNumber(p["port"] ?? 0)) errors.invalid(at.child("port"), p["port"] ?? 0, f);
    requiredOneOf(p["protocol"] ?? "", PROTOCOLS, at.child("protocol"), errors);
    portNumberOrName(p["targetPort"], at.child("targetPort"), errors);
    if (isSet(p["appProtocol"])) format(p["appProtocol"], at.child("appProtocol"), errors, qualifiedName);
  }
}

function uniquePorts(spec: Tree, errors: ErrorList): void {
  const list = items(spec["ports"]), at = (i: number) => SPEC.child("ports").index(i);
  for (const [i, p] of list.entries()) {
    if (p["nodePort"] && spec["type"] === "ClusterIP") {
      errors.forbidden(at(i).child("nodePort"), "must not be used when `type` is 'ClusterIP'");
    }
  }
  // Those without a node port are each other than all.
  for (const i of repeats(list.map((p, i) => p["nodePort"] ? `${p["protocol"]}/${p["nodePort"]}` : String(i)))) {
    errors.duplicate(at(i).child("nodePort"), list[i]!["nodePort"]);
  }
  for (const i of repeats(list.map((p) => `${p["protocol"]}/${p["port"]}`))) {
    errors.duplicate(at(i), { protocol: list[i]!["protocol"], port: list[i]!["port"] });
  }
}

function affinity(spec: Tree, errors: ErrorList): void {
  const at = SPEC.child("sessionAffinityConfig"), config = spec["sessionAffinityConfig"];
  requiredOneOf(spec["sessionAffinity"] ?? "", ["ClientIP", "None"], SPEC.child("sessionAffinity"), errors);
  if (spec["sessionAffinity"] === "None" && config) {
    errors.forbidden(at, "must not be set when session affinity is None");
  }
  if (spec["sessionAffinity"] !== "ClientIP") return;
  if (!config) return errors.required(at, "when session affinity is ClientIP");
  if (!config.clientIP) return errors.required(at.child("clientIP"), "when session affinity is ClientIP");
  const seconds = config.clientIP.timeoutSeconds, place = at.child("clientIP", "timeoutSeconds");
  if (!isSet(seconds)) errors.required(place, "when session affinity is ClientIP");
  else if (seconds <= 0 || seconds > MAX_AFFINITY_SECONDS) {
    errors.invalid(place, seconds, `must be between 1 and ${MAX_AFFINITY_SECONDS}`);
  }
}

function sourceRanges(obj: Obj, old: Obj | undefined, errors: ErrorList, ctx: ValidateContext): void {
  const spec: Tree = obj["spec"],
    strict = ctx.gate("StrictIPCIDRValidation"),
    list = items<string>(spec["loadBalancerSourceRanges"]);
  const refuse = (at: Path) => {
    if (spec["type"] !== "LoadBalancer") errors.forbidden(at, "may only be used when `type` is 'LoadBalancer'");
  };
  if (list.length) {
    const at = SPEC.child("LoadBalancerSourceRanges");
    refuse(at);
    const known = new Set(items<string>(old?.["spec"]?.loadBalancerSourceRanges).map((r) => r.trim()));
    for (const [i, r] of list.entries()) legacyBlock(r.trim(), at.index(i), errors, strict, known);
    return;
  }
  const { ranges } = ANNOTATIONS(ctx.product), text = obj.metadata.annotations?.[ranges];
  if (text === undefined) return;
  const at = METADATA.child("annotations").key(ranges);
  refuse(at);
  if (old?.metadata.annotations?.[ranges] === text || !text.trim()) return;
  for (const r of text.trim().split(",")) legacyBlock(r.trim(), at, errors, strict);
}

function loadBalancer(spec: Tree, errors: ErrorList): void {
  const is = spec["type"] === "LoadBalancer", allocate = spec["allocateLoadBalancerNodePorts"];
  if (!is && isSet(allocate)) {
    errors.forbidden(SPEC.child("allocateLoadBalancerNodePorts"), "may only be used when `type` is 'LoadBalancer'");
  }
  if (is && !isSet(allocate)) errors.required(Path.of("allocateLoadBalancerNodePorts"));
  loadBalancerClass(spec, errors);
}

function loadBalancerClass(spec: Tree, errors: ErrorList): void {
  if (!isSet(spec["loadBalancerClass"])) return;
  const at = SPEC.child("loadBalancerClass");
  if (spec["type"] === "LoadBalancer") format(spec["loadBalancerClass"], at, errors, qualifiedName);
  else errors.forbidden(at, "may only be used when `type` is 'LoadBalancer'");
}

function traffic(spec: Tree, errors: ErrorList, ctx: ValidateContext): void {
  const outside = SPEC.child("externalTrafficPolicy"),
    health = SPEC.child("healthCheckNodePort"),
    port = spec["healthCheckNodePort"];
  if (isExternal(spec)) requiredOneOf(spec["externalTrafficPolicy"] ?? "", ["Cluster", "Local"], outside, errors);
  else if (spec["externalTrafficPolicy"]) {
    errors.invalid(outside, spec["externalTrafficPolicy"], "may only be set for services reached from outside");
  }
  if (!needsHealthCheck(spec)) {
    if (port) {
      errors.invalid(
        health,
        port,
        "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      );
    }
  } else if (!port) errors.required(health);
  else for (const f of portNumber(port)) errors.invalid(health, port, f);
  const inside = spec["internalTrafficPolicy"], at = SPEC.child("internalTrafficPolicy");
  if (isSet(inside)) oneOf(inside, ["Cluster", "Local"], at, errors);
  else if (["ClusterIP", "NodePort", "LoadBalancer"].includes(spec["type"])) errors.required(at);
  if (isSet(spec["trafficDistribution"])) {
    const known = ctx.gate("PreferSameTrafficDistribution") ? DISTRIBUTIONS : DISTRIBUTIONS.slice(0, 1);
    oneOf(spec["trafficDistribution"], known, SPEC.child("trafficDistribution"), errors);
  }
}

function update(obj: Obj, old: Obj, errors: ErrorList): void {
  const now: Tree = obj["spec"], was: Tree = old["spec"];
  clusterAddressesUpdate(now, was, errors);
  if (
    was["type"] === "LoadBalancer" && now["type"] === "LoadBalancer" &&
    now["loadBalancerClass"] !== was["loadBalancerClass"]
  ) {
    errors.invalid(SPEC.child("loadBalancerClass"), now["loadBalancerClass"], "may not change once set");
  }
  loadBalancerClass(now, errors);
  if (needsHealthCheck(was) && needsHealthCheck(now) && now["healthCheckNodePort"] !== was["healthCheckNodePort"]) {
    errors.forbidden(SPEC.child("healthCheckNodePort"), "field is immutable");
  }
}

const IP_MODES = ["Proxy", "VIP"];

/** Where load balancers listen; also of ingresses. */
function balancerStatus(obj: Obj, old: Obj, errors: ErrorList, ctx: ValidateContext): void {
  const path = Path.of("status", "loadBalancer", "ingress"), list = items(obj["status"]?.loadBalancer?.ingress);
  if (list.length && obj["spec"].type !== "LoadBalancer" && !ctx.gate("AllowServiceLBStatusOnNonLB")) {
    return errors.forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'");
  }
  const known = new Set(items(old["status"]?.loadBalancer?.ingress).map((x) => String(x["ip"] ?? "")));
  for (const [i, x] of list.entries()) {
    const at = path.index(i), { ip, ipMode, hostname } = x;
    if (ip) legacyAddress(ip, at.child("ip"), errors, ctx.gate("StrictIPCIDRValidation"), known);
    if (!isSet(ipMode)) {
      if (ip) errors.required(at.child("ipMode"), "must be specified when `ip` is set");
    } else if (!ip) errors.forbidden(at.child("ipMode"), "must not be specified when `ip` is not set");
    else oneOf(ipMode, IP_MODES, at.child("ipMode"), errors);
    if (!hostname) continue;
    format(hostname, at.child("hostname"), errors, dnsSubdomain);
    if (isAddress(hostname)) errors.invalid(at.child("hostname"), hostname, "must be a DNS name, not an IP address");
  }
}

/** Rules of `services`. */
export const SERVICE: KindRules = {
  changesFirst: true,
  name: "dns1123Label",
  createOnUpdate: true,
  meta: { whole: 0 },
  prepareCreate(obj) {
    obj["status"] = { loadBalancer: {} };
    linkAddresses(obj["spec"] ??= {}, undefined);
  },
  prepareUpdate(obj, old) {
    keep(obj, old, "status");
    keepAllocated(obj["spec"], old["spec"]);
    linkAddresses(obj["spec"], old["spec"]);
    dropByType(obj["spec"], old["spec"]);
    if (obj["spec"].type !== "LoadBalancer") {
      obj["status"] = { ...obj["status"], loadBalancer: {} };
    }
  },
  validate: (obj, errors, ctx, old) => whole(obj, old, errors, ctx),
  validateUpdate: update,
  warnings: serviceWarnings,
  subresources: {
    status: {
      prepareUpdate: (obj, old) => keep(obj, old, "spec"),
      validateUpdate: balancerStatus,
      warnings: (obj) =>
        items(obj["status"]?.loadBalancer?.ingress).flatMap((x, i) =>
          ipWarnings(`status.loadBalancer.ingress[${i}]`, x["ip"] ?? "")
        ),
    },
  },
};
