/** Printers of the networking, discovery and policy groups. */
import type { Obj } from "../../schema/model/types.ts";
import { AGE, ageOf, className, col, NAME, table } from "./parts.ts";
import { count, firstOf, ingressAddresses, NONE, orUnset, selectorCell } from "./text.ts";
import type { Printers } from "./types.ts";

/** Hosts of the rules, the first three shown; `*` where none is named. */
function hosts(o: Obj): string {
  const rules = (o.spec?.rules ?? []) as { host?: string }[];
  const named = rules.flatMap((r) => r.host || []);
  if (named.length === 0) return "*";
  const third = rules.indexOf(rules.filter((r) => r.host)[2] ?? {});
  // Rules are counted, not hosts: one without a host is among those not shown once three are.
  return third >= 0 && third < rules.length - 1 ? firstOf(named.slice(0, 3), 3, ",", rules.length) : named.join(",");
}

function parameters(o: Obj): string {
  const p = o.spec?.parameters as { apiGroup?: string; kind: string; name: string } | undefined;
  return p ? `${p.kind}${p.apiGroup === undefined ? "" : `.${p.apiGroup}`}/${p.name}` : NONE;
}

function parent(o: Obj): string {
  const p = o.spec?.parentRef as { group?: string; resource?: string; namespace?: string; name?: string } | undefined;
  if (!p) return NONE;
  const resource = (p.group ? `${p.resource ?? ""}.${p.group}` : p.resource ?? "").toLowerCase();
  return [resource, ...(p.namespace ? [p.namespace] : []), p.name ?? ""].join("/");
}

/** Printers of the networking group, by public id, with annotations in the dialect of the server. */
export const networking = (local: (name: string) => string): Printers => ({
  "ingressclasses.networking.k8s.io": table(
    className([local("ingressclass.kubernetes.io/is-default-class")]),
    col("Controller", (o) => o.spec?.controller ?? ""),
    col("Parameters", parameters),
    AGE,
  ),
  "ingresses.networking.k8s.io": table(
    NAME,
    col("Class", (o) => o.spec?.ingressClassName ?? NONE),
    col("Hosts", hosts),
    col("Address", (o) => ingressAddresses(o.status?.loadBalancer)),
    col("Ports", (o) => o.spec?.tls?.length ? "80, 443" : "80"),
    AGE,
  ),
  // The public server sends an age that has no column; so rows here are one cell longer too.
  "ipaddresses.networking.k8s.io": table(NAME, col("ParentRef", parent), { cell: ageOf }),
  "networkpolicies.networking.k8s.io": table(NAME, col("Pod-Selector", (o) => selectorCell(o.spec?.podSelector)), AGE),
  "servicecidrs.networking.k8s.io": table(NAME, col("CIDRs", (o) => (o.spec?.cidrs ?? []).join(",")), AGE),
});

interface SlicePort {
  name?: string;
  port?: number;
}
const ports = (o: Obj): string =>
  orUnset(firstOf(((o.ports ?? []) as SlicePort[]).map((p) => `${p.port ?? p.name ?? "*"}`), 3) || undefined);
const addresses = (o: Obj): string =>
  orUnset(
    firstOf(((o.endpoints ?? []) as { addresses?: string[] }[]).flatMap((e) => e.addresses ?? []), 3) || undefined,
  );

/** Printers of the discovery group. */
export const DISCOVERY: Printers = {
  "endpointslices.discovery.k8s.io": table(
    NAME,
    col("AddressType", (o) => o.addressType ?? ""),
    col("Ports", ports),
    col("Endpoints", addresses),
    AGE,
  ),
};

const orNotApplicable = (v: number | string | undefined): string => v === undefined ? "N/A" : `${v}`;

/** Printers of the policy group. */
export const POLICY: Printers = {
  "poddisruptionbudgets.policy": table(
    NAME,
    col("Min Available", (o) => orNotApplicable(o.spec?.minAvailable)),
    col("Max Unavailable", (o) => orNotApplicable(o.spec?.maxUnavailable)),
    col("Allowed Disruptions", (o) => count(o.status?.disruptionsAllowed), "integer"),
    AGE,
  ),
};
