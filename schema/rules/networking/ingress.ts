/** Rules of ingresses. */
import type { Obj } from "../../model/types.ts";
import { format, keep } from "../checks/basic.ts";
import {
  dns1035Label,
  dnsLabel,
  dnsSubdomain,
  pathSegment,
  portName,
  portNumber,
  wildcardSubdomain,
} from "../checks/formats.ts";
import { ErrorList } from "../errors.ts";
import { perProduct } from "../local.ts";
import { Path } from "../path.ts";
import { isSet, items, type Tree } from "../tree.ts";
import type { KindRules, RuleContext, ValidateContext } from "../types.ts";
import { legacyIpErrors, tryParseIp } from "../../values/ip.ts";

const SPEC = Path.of("spec");
const PATH_TYPES = ["Exact", "ImplementationSpecific", "Prefix"];
const BAD_PARTS = ["//", "/./", "/../", "%2f", "%2F"], BAD_ENDS = ["/..", "/."];
const classAnnotation = perProduct((p) => p.local("kubernetes.io/ingress.class"));

/** What an ingress is forgiven because the stored one already has it. */
interface Forgiven {
  readonly secretNames: boolean;
  /** Rules below hosts with a wildcard. */
  readonly wildcardRules: boolean;
  /** Names of services may start with a digit. */
  readonly serviceNames: boolean;
}

const isAddress = (host: string) => tryParseIp(host, { legacy: true }) !== undefined;

function host(name: string, path: Path, errors: ErrorList): void {
  format(name, path, errors, name.includes("*") ? wildcardSubdomain : dnsSubdomain);
}

function backend(b: Tree, path: Path, errors: ErrorList, f: Forgiven): void {
  const { resource, service } = b;
  if (resource && service) return errors.invalid(path, "", "must not have both a resource and a service");
  if (resource) return resourceReference(resource, path.child("resource"), errors);
  if (!service) return errors.invalid(path, "", "must have a resource or a service");
  const at = path.child("service"), name: string = service.name ?? "";
  if (!name) errors.required(at.child("name"));
  else format(name, at.child("name"), errors, f.serviceNames ? dnsLabel : dns1035Label);
  const port: Tree = service.port ?? {};
  if (port["name"] && port["number"]) errors.invalid(path, "", "must not have both a name and a number of a port");
  else if (port["name"]) format(port["name"], at.child("port", "name"), errors, portName);
  else if (port["number"]) {
    for (const fault of portNumber(port["number"])) errors.invalid(at.child("port", "number"), port["number"], fault);
  } else errors.required(path, "name or number of a port is required");
}

function resourceReference(r: Tree, path: Path, errors: ErrorList): void {
  if (isSet(r["apiGroup"])) format(r["apiGroup"], path.child("apiGroup"), errors, dnsSubdomain);
  for (const member of ["kind", "name"]) {
    if (!r[member]) errors.required(path.child(member));
    else format(r[member], path.child(member), errors, pathSegment);
  }
}

function httpPath(p: Tree, path: Path, errors: ErrorList, f: Forgiven): void {
  const type = p["pathType"], text: string = p["path"] ?? "", at = path.child("path");
  if (!isSet(type)) return errors.required(path.child("pathType"));
  const strict = type === "Exact" || type === "Prefix";
  if (!PATH_TYPES.includes(type)) errors.notSupported(path.child("pathType"), type, PATH_TYPES);
  else if (!text.startsWith("/") && (strict || text)) errors.invalid(at, text, "must be an absolute path");
  if (strict) {
    for (const part of BAD_PARTS) if (text.includes(part)) errors.invalid(at, text, `must not contain '${part}'`);
    for (const end of BAD_ENDS) if (text.endsWith(end)) errors.invalid(at, text, `must not end with '${end}'`);
  }
  backend(p["backend"] ?? {}, path.child("backend"), errors, f);
}

function rule(r: Tree, path: Path, errors: ErrorList, f: Forgiven): void {
  const name: string = r["host"] ?? "", at = path.child("host");
  if (name) {
    if (isAddress(name)) errors.invalid(at, name, "must be a DNS name, not an IP address");
    host(name, at, errors);
  }
  if (!name.includes("*") || !f.wildcardRules) paths(r, path, errors, f);
}

function paths(r: Tree, path: Path, errors: ErrorList, f: Forgiven): void {
  if (!r["http"]) return;
  const list = items(r["http"].paths), at = path.child("http", "paths");
  if (!list.length) errors.required(at);
  for (let i = 0; i < list.length; i++) httpPath(list[i]!, at.index(i), errors, f);
}

function ingressSpec(spec: Tree, errors: ErrorList, f: Forgiven): void {
  const rules = items(spec["rules"]), at = SPEC.child("rules");
  if (!rules.length && !spec["defaultBackend"]) {
    errors.invalid(SPEC, spec["rules"] ?? [], "must have a `defaultBackend` or `rules`");
  }
  if (spec["defaultBackend"]) backend(spec["defaultBackend"], SPEC.child("defaultBackend"), errors, f);
  for (let i = 0; i < rules.length; i++) rule(rules[i]!, at.index(i), errors, f);
  for (const [i, t] of items(spec["tls"]).entries()) {
    const place = SPEC.child("tls").index(i);
    for (const [j, h] of items<string>(t["hosts"]).entries()) host(h, place.child("hosts").index(j), errors);
    if (t["secretName"] && !f.secretNames) format(t["secretName"], place.child("secretName"), errors, dnsSubdomain);
  }
  if (isSet(spec["ingressClassName"])) {
    format(spec["ingressClassName"], SPEC.child("ingressClassName"), errors, dnsSubdomain);
  }
}

const STRICT: Forgiven = { secretNames: false, wildcardRules: false, serviceNames: false };

function forgiven(old: Obj | undefined, ctx: RuleContext): Forgiven {
  const serviceNames = ctx.gate("RelaxedServiceNameValidation");
  if (!old) return { ...STRICT, serviceNames };
  const spec: Tree = old["spec"] ?? {}, rules = items(spec["rules"]);
  return {
    secretNames: items(spec["tls"]).some((t) => t["secretName"] && dnsSubdomain(t["secretName"]).length > 0),
    wildcardRules: rules.some((r) => r["host"]?.includes("*") && isWrong(r)),
    serviceNames: serviceNames || serviceNamesOf(spec).some((n) => !dnsLabel(n).length && dns1035Label(n).length > 0),
  };
}

function isWrong(r: Tree): boolean {
  const found = new ErrorList();
  paths(r, SPEC, found, STRICT);
  return !found.empty;
}

function serviceNamesOf(spec: Tree): string[] {
  const backends = [
    spec["defaultBackend"],
    ...items(spec["rules"]).flatMap((r) => items(r["http"]?.paths).map((p) => p["backend"])),
  ];
  return backends.map((b) => b?.service?.name ?? "").filter(Boolean);
}

function validate(obj: Obj, errors: ErrorList, ctx: ValidateContext, old?: Obj): void {
  const spec: Tree = obj["spec"] ?? {};
  ingressSpec(spec, errors, forgiven(old, ctx));
  const annotation = classAnnotation(ctx.product), named = obj.metadata.annotations?.[annotation];
  if (!old && named !== undefined && isSet(spec["ingressClassName"]) && named !== spec["ingressClassName"]) {
    errors.invalid(Path.of("annotations", annotation), named, "must match `ingressClassName` when both are specified");
  }
}

/** Where load balancers listen. Addresses that stood there before pass as they are. */
function balancers(obj: Obj, old: Obj, errors: ErrorList, ctx: ValidateContext): void {
  const before = new Set(items(old["status"]?.loadBalancer?.ingress).map((x) => x["ip"]));
  for (const [i, x] of items(obj["status"]?.loadBalancer?.ingress).entries()) {
    const at = Path.of("status", "loadBalancer", "ingress").index(i), { ip, hostname } = x;
    if (ip && !before.has(ip)) {
      for (const f of legacyIpErrors(ip, ctx.gate("StrictIPCIDRValidation"))) errors.invalid(at.child("ip"), ip, f);
    }
    if (!hostname) continue;
    format(hostname, at.child("hostname"), errors, dnsSubdomain);
    if (isAddress(hostname)) errors.invalid(at.child("hostname"), hostname, "must be a DNS name, not an IP address");
  }
}

/** Rules of `ingresses.networking.k8s.io`. */
export const INGRESS: KindRules = {
  generation: ["spec"],
  prepareCreate: (obj) => void (obj["status"] = { loadBalancer: {} }),
  prepareUpdate: (obj, old) => keep(obj, old, "status"),
  validate,
  warnings(obj, old, ctx) {
    const annotation = classAnnotation(ctx.product);
    if (old || obj.metadata.annotations?.[annotation] === undefined) return [];
    return [`annotation "${annotation}" is deprecated: name the class in spec.ingressClassName`];
  },
  subresources: {
    status: { prepareUpdate: (obj, old) => keep(obj, old, "spec"), validateUpdate: balancers },
  },
};
