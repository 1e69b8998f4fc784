/** Rules of endpoint slices. */
import type { Obj } from "../../model/types.ts";
import { format, oneOf } from "../checks/basic.ts";
import { forgetEmpty } from "../checks/fill.ts";
import { dnsLabel, dnsSubdomain, type Format, labelValue, qualifiedName } from "../checks/formats.ts";
import { endpointAddress, PROTOCOLS } from "../core/endpoints.ts";
import type { ErrorList } from "../errors.ts";
import { localSet, perProduct } from "../local.ts";
import { validateLabels } from "../object_meta.ts";
import { Path } from "../path.ts";
import { count, isSet, items, same, type Tree } from "../tree.ts";
import type { KindRules, ValidateContext } from "../types.ts";
import { ipErrors, ipWarnings, legacyIpErrors, tryParseIp } from "../../values/ip.ts";

const ENDPOINTS = Path.of("endpoints"), PORTS = Path.of("ports"), TYPE = Path.of("addressType");
const LIMITS = { endpoints: 1000, addresses: 100, ports: 20_000, topology: 16, hints: 8 } as const;
const TYPES = ["FQDN", "IPv4", "IPv6"];
const FAMILIES: ReadonlyMap<string, 4 | 6> = new Map([["IPv4", 4], ["IPv6", 6]]);

/** Says who made a slice. What these make holds addresses that they have put right themselves. */
const MANAGED_BY = perProduct((p) => p.local("endpointslice.kubernetes.io/managed-by"));
const CONTROLLERS = localSet("endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io");

/** How one slice is checked. */
interface Scope {
  readonly errors: ErrorList;
  readonly type: string;
  readonly strict: boolean;
}

function domainName(text: string, path: Path, errors: ErrorList): void {
  if (!text) return errors.required(path);
  const name = text.endsWith(".") ? text.slice(0, -1) : text, labels = name.split(".");
  const bad = dnsSubdomain(name)[0] ?? (labels.length < 2 ? "must have at least two labels" : undefined) ??
    labels.flatMap((l) => dnsLabel(l))[0];
  if (bad) errors.invalid(path, name, bad);
}

/** Canonical IPv4, and by its first byte in no special range: most of what slices hold. Anything else takes the long way. */
const ORDINARY_4 = /^(?:[1-9]|[1-9]\d|1\d\d|2[0-2]\d|23\d)(?:\.(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])){3}$/;
const SPECIAL_4 = /^(?:127|169|224)\./;
const isOrdinary4 = (text: string) => ORDINARY_4.test(text) && !SPECIAL_4.test(text);

function address(text: string, list: Path, index: number, s: Scope): void {
  const family = FAMILIES.get(s.type);
  if (family === 4 && isOrdinary4(text)) return;
  const path = list.index(index);
  if (!family) return s.type === "FQDN" ? domainName(text, path, s.errors) : undefined;
  // IPv6 addresses have been canonical from the first.
  const faults = family === 4 ? legacyIpErrors(text, s.strict) : ipErrors(text);
  for (const f of faults) s.errors.invalid(path, text, f);
  if (faults.length) return;
  if (tryParseIp(text, { legacy: true })?.family !== family) {
    s.errors.invalid(list, text, `must be an IPv${family} address`);
  }
  endpointAddress(text, path, s.errors);
}

function endpoint(e: Tree, path: Path, s: Scope): void {
  const addresses = items<string>(e["addresses"]), at = path.child("addresses"), { errors } = s;
  if (!addresses.length) errors.required(at, "must have at least one address");
  else if (addresses.length > LIMITS.addresses) errors.tooMany(at, addresses.length, LIMITS.addresses);
  for (let i = 0; i < addresses.length; i++) address(addresses[i]!, at, i, s);
  if (isSet(e["nodeName"])) format(e["nodeName"], path.child("nodeName"), errors, dnsSubdomain);
  const topology = e["deprecatedTopology"], place = path.child("deprecatedTopology");
  if (topology) {
    const size = Object.keys(topology).length;
    if (size > LIMITS.topology) errors.tooMany(place, size, LIMITS.topology);
    validateLabels(topology, place, errors);
  }
  if (isSet(e["hostname"])) format(e["hostname"], path.child("hostname"), errors, dnsLabel);
  hints(e["hints"]?.forZones, path.child("hints", "forZones"), errors, labelValue);
  hints(e["hints"]?.forNodes, path.child("hints", "forNodes"), errors, dnsSubdomain);
}

/** Zones or nodes that should use an endpoint, each once. */
function hints(list: readonly Tree[] | undefined, path: Path, errors: ErrorList, f: Format): void {
  if (!list) return;
  if (list.length > LIMITS.hints) return errors.tooMany(path, list.length, LIMITS.hints);
  const seen = new Set<string>();
  for (const [i, h] of list.entries()) {
    const name: string = h["name"] ?? "", at = path.index(i).child("name");
    if (seen.has(name)) errors.duplicate(at, name);
    seen.add(name);
    format(name, at, errors, f);
  }
}

function ports(list: readonly Tree[], errors: ErrorList): void {
  if (list.length > LIMITS.ports) return errors.tooMany(PORTS, list.length, LIMITS.ports);
  const seen = new Set<string>();
  for (const [i, p] of list.entries()) {
    const at = PORTS.index(i), name: string = p["name"] ?? "";
    if (name) format(name, at.child("name"), errors, dnsLabel);
    if (seen.has(name)) errors.duplicate(at.child("name"), name);
    seen.add(name);
    if (!isSet(p["protocol"])) errors.required(at.child("protocol"));
    else oneOf(p["protocol"], PROTOCOLS, at.child("protocol"), errors);
    if (isSet(p["appProtocol"])) format(p["appProtocol"], at.child("appProtocol"), errors, qualifiedName);
  }
}

function validate(obj: Obj, errors: ErrorList, ctx: ValidateContext, old?: Obj): void {
  const type: string = obj["addressType"] ?? "", list = items(obj["endpoints"]);
  if (!type) errors.required(TYPE);
  else oneOf(type, TYPES, TYPE, errors);
  ports(items(obj["ports"]), errors);
  if (list.length > LIMITS.endpoints) errors.tooMany(ENDPOINTS, list.length, LIMITS.endpoints);
  else {
    const from = errors.causes.length, scope: Scope = { errors, type, strict: ctx.gate("StrictIPCIDRValidation") };
    for (let i = 0; i < list.length; i++) endpoint(list[i]!, ENDPOINTS.index(i), scope);
    // What older servers took may stay as it is.
    if (errors.causes.length > from && old && same(list, old["endpoints"])) errors.forget(from);
  }
}

/** Topology of the first version cannot be written any more: it stays only while the endpoints stay. */
function dropTopology(obj: Obj, old: Obj | undefined): void {
  if (old && same(obj["endpoints"], old["endpoints"])) return;
  for (const e of items(obj["endpoints"])) if (e["deprecatedTopology"]) delete e["deprecatedTopology"];
}

/** Counts what a client sent: topology too, which is dropped afterwards. */
function countGeneration(obj: Obj, old: Obj): void {
  const changed = ["addressType", "endpoints", "ports"].some((m) => !same(obj[m], old[m]));
  if (changed || !same(obj.metadata.labels ?? {}, old.metadata.labels ?? {})) {
    obj.metadata.generation = (old.metadata.generation ?? 0) + 1;
  }
}

/** Rules of `endpointslices.discovery.k8s.io`. Changed labels count as a new generation too. */
export const ENDPOINT_SLICE: KindRules = {
  meta: { compared: 0 },
  prepareCreate(obj) {
    obj.metadata.generation = 1;
    forgetEmpty(obj, "endpoints", "ports");
    dropTopology(obj, undefined);
  },
  prepareUpdate(obj, old) {
    forgetEmpty(obj, "endpoints", "ports");
    countGeneration(obj, old);
    dropTopology(obj, old);
  },
  validate,
  warnings(obj, old, ctx) {
    const out = !old && obj["addressType"] === "FQDN" ? ["spec.addressType: FQDN endpoints are deprecated"] : [];
    if (
      CONTROLLERS(ctx.product).has(obj.metadata.labels?.[MANAGED_BY(ctx.product)] ?? "") || !count(obj["endpoints"])
    ) return out;
    return out.concat(
      items(obj["endpoints"]).flatMap((e, i) =>
        items<string>(e["addresses"]).flatMap((a, j) =>
          isOrdinary4(a) ? [] : ipWarnings(`endpoints[${i}].addresses[${j}]`, a)
        )
      ),
    );
  },
};
