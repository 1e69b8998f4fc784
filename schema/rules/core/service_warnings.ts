/** What authors of services and endpoints should know though it is allowed. */
import type { Obj } from "../../model/types.ts";
import { cidrWarnings, ipWarnings } from "../../values/ip.ts";
import { items, type Tree } from "../tree.ts";
import type { RuleContext } from "../types.ts";

/** Warnings about a service. */
export function serviceWarnings(obj: Obj, _old: Obj | undefined, ctx: RuleContext): string[] {
  const s: Tree = obj["spec"] ?? {}, out: string[] = [], externalName = s["type"] === "ExternalName";
  const headless = s["type"] === "ClusterIP" && s["clusterIP"] === "None";
  const hints = ctx.product.local("service.kubernetes.io/topology-aware-hints");
  if (obj.metadata.annotations?.[hints] !== undefined) {
    out.push(`annotation ${hints} is deprecated: use ${ctx.product.local("service.kubernetes.io/topology-mode")}`);
  }
  if (s["clusterIP"] && s["clusterIP"] !== "None") addresses(s["clusterIPs"], "spec.clusterIPs", out);
  if (headless) {
    if (s["loadBalancerIP"]) out.push("spec.loadBalancerIP is ignored for headless services");
    if (items(s["externalIPs"]).length) out.push("spec.externalIPs is ignored for headless services");
    if (s["sessionAffinity"] !== "None") out.push("spec.SessionAffinity is ignored for headless services");
  }
  addresses(s["externalIPs"], "spec.externalIPs", out);
  if (items(s["externalIPs"]).length && !headless && !externalName) {
    out.push("spec.externalIPs is deprecated: clusters may stop to implement it");
  }
  if (s["loadBalancerIP"]) out.push(...ipWarnings("spec.loadBalancerIP", s["loadBalancerIP"]));
  for (const [i, block] of items<string>(s["loadBalancerSourceRanges"]).entries()) {
    out.push(...cidrWarnings(`spec.loadBalancerSourceRanges[${i}]`, block.trim()));
  }
  if (externalName && items(s["externalIPs"]).length) {
    out.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if (!externalName && s["externalName"]) out.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  if (s["trafficDistribution"] === "PreferClose") {
    out.push('spec.trafficDistribution: "PreferClose" is deprecated: use "PreferSameZone"');
  }
  return out;
}

function addresses(list: readonly string[] | undefined, path: string, out: string[]): void {
  for (const [i, ip] of items<string>(list).entries()) out.push(...ipWarnings(`${path}[${i}]`, ip));
}

/** Warnings about endpoints. */
export function endpointsWarnings(obj: Obj): string[] {
  return items(obj["subsets"]).flatMap((s, i) =>
    ["addresses", "notReadyAddresses"].flatMap((list) =>
      items(s[list]).flatMap((a, j) => ipWarnings(`subsets[${i}].${list}[${j}].ip`, a["ip"] ?? ""))
    )
  );
}
