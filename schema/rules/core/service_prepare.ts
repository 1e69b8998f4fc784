/** What a service keeps and loses when it changes, before it is validated and anything is allocated. */
import { items, same, type Tree } from "../tree.ts";
import { isExternal, needsClusterIP, needsHealthCheck, needsNodePort, opensNodePorts } from "./service_types.ts";

/** Makes `clusterIPs` follow `clusterIP` for clients that know only the latter. */
export function linkAddresses(now: Tree, was: Tree | undefined): void {
  const ips = items<string>(now["clusterIPs"]);
  if (!was) {
    if (now["clusterIP"] && !ips.length) now["clusterIPs"] = [now["clusterIP"]];
    return;
  }
  const old = items<string>(was["clusterIPs"]), first = now["clusterIP"] ?? "", before = was["clusterIP"] ?? "";
  if (first === before) {
    if (old.length && !ips.length) now["clusterIPs"] = [...old];
  } else if (same(ips, old)) {
    if (first) now["clusterIPs"] = [first];
    else delete now["clusterIPs"];
  }
}

/** Gives back what had been allocated, where an update leaves it out and the type still has it. */
export function keepAllocated(now: Tree, was: Tree): void {
  if (needsClusterIP(now) && needsClusterIP(was)) {
    if (!now["clusterIP"] && was["clusterIP"]) now["clusterIP"] = was["clusterIP"];
    if (!items(now["clusterIPs"]).length && items(was["clusterIPs"]).length) now["clusterIPs"] = [...was["clusterIPs"]];
  }
  if (opensNodePorts(now) && opensNodePorts(was)) keepNodePorts(items(now["ports"]), items(was["ports"]));
  if (needsHealthCheck(now) && needsHealthCheck(was) && !now["healthCheckNodePort"] && was["healthCheckNodePort"]) {
    now["healthCheckNodePort"] = was["healthCheckNodePort"];
  }
}

function keepNodePorts(now: readonly Tree[], was: readonly Tree[]): void {
  const used = new Set(now.map((p) => p["nodePort"]));
  const byName = new Map(was.map((p) => [p["name"] ?? "", p["nodePort"]]));
  for (const p of now) {
    const old = byName.get(p["name"] ?? "");
    if (p["nodePort"] || !old || used.has(old)) continue;
    p["nodePort"] = old;
  }
}

/** Members that a type has alone: dropped when the type changes and the client did not touch them. */
export function dropByType(now: Tree, was: Tree): void {
  const drop = (had: boolean, has: boolean, members: readonly string[]) => {
    if (!had || has) return;
    for (const m of members) if (same(now[m], was[m])) delete now[m];
  };
  const named = now["type"] === "ExternalName" && was["type"] !== "ExternalName";
  if (named && same(now["clusterIPs"], was["clusterIPs"])) {
    delete now["clusterIP"];
    delete now["clusterIPs"];
  }
  drop(named, false, ["ipFamilies", "ipFamilyPolicy"]);
  if (!needsNodePort(now) && noNewNodePorts(now, was)) {
    for (const p of items(now["ports"])) delete p["nodePort"];
  }
  drop(needsHealthCheck(was), needsHealthCheck(now), ["healthCheckNodePort"]);
  drop(was["type"] === "LoadBalancer", now["type"] === "LoadBalancer", [
    "allocateLoadBalancerNodePorts",
    "loadBalancerClass",
  ]);
  drop(isExternal(was), isExternal(now), ["externalTrafficPolicy"]);
}

function noNewNodePorts(now: Tree, was: Tree): boolean {
  const of = (s: Tree) => items(s["ports"]).map((p) => p["nodePort"] ?? 0).filter(Boolean);
  const own = new Set(of(was));
  return of(now).every((p) => own.has(p));
}
