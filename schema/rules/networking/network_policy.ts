/** Rules of network policies. */
import type { Obj } from "../../model/types.ts";
import { format } from "../checks/basic.ts";
import { portName, portNumber } from "../checks/formats.ts";
import { labelSelector, type SelectorOptions } from "../checks/selectors.ts";
import { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { isSet, items, type Tree } from "../tree.ts";
import type { KindRules, ValidateContext } from "../types.ts";
import { cidrWarnings, contains, legacyCidrErrors, tryParseCidr } from "../../values/ip.ts";

const SPEC = Path.of("spec");
const PROTOCOLS = ["TCP", "UDP", "SCTP"], TYPES = ["Ingress", "Egress"];
/** Directions of rules and where their peers stand. */
const DIRECTIONS = [["ingress", "from"], ["egress", "to"]] as const;

/** How one policy is checked. */
interface Scope {
  readonly errors: ErrorList;
  readonly selectors: SelectorOptions;
  readonly strict: boolean;
  /** Blocks that the stored policy has: they pass as they are. */
  readonly known: ReadonlySet<string>;
}

function port(p: Tree, path: Path, errors: ErrorList): void {
  const { protocol, port: at, endPort } = p;
  if (isSet(protocol) && !PROTOCOLS.includes(protocol)) {
    errors.notSupported(path.child("protocol"), protocol, PROTOCOLS);
  }
  const end = path.child("endPort");
  if (typeof at === "number") {
    for (const f of portNumber(at)) errors.invalid(path.child("port"), at, f);
    if (!isSet(endPort)) return;
    if (endPort < at) errors.invalid(end, endPort, "must be greater than or equal to `port`");
    for (const f of portNumber(endPort)) errors.invalid(end, endPort, f);
    return;
  }
  if (isSet(endPort)) errors.invalid(end, endPort, "must not be set when `port` is not a number");
  if (isSet(at)) format(at, path.child("port"), errors, portName);
}

function block(b: Tree, path: Path, s: Scope): void {
  const cidr: string = b["cidr"] ?? "", { errors } = s;
  if (!cidr) return errors.required(path.child("cidr"));
  cidrText(cidr, path.child("cidr"), s);
  const outer = tryParseCidr(cidr, { legacy: true });
  if (!outer) return;
  for (const [i, text] of items<string>(b["except"]).entries()) {
    const at = path.child("except").index(i);
    cidrText(text, at, s);
    const inner = tryParseCidr(text, { legacy: true });
    if (!inner) continue;
    const inside = contains(outer, { family: inner.family, bits: inner.first }) && inner.prefix > outer.prefix;
    if (!inside) errors.invalid(at, text, "must be a strict subset of `cidr`");
  }
}

function cidrText(text: string, path: Path, s: Scope): void {
  if (s.known.has(text)) return;
  for (const f of legacyCidrErrors(text, s.strict)) s.errors.invalid(path, text, f);
}

function peer(p: Tree, path: Path, s: Scope): void {
  const { podSelector, namespaceSelector, ipBlock } = p;
  labelSelector(podSelector, path.child("podSelector"), s.errors, s.selectors);
  labelSelector(namespaceSelector, path.child("namespaceSelector"), s.errors, s.selectors);
  if (ipBlock) block(ipBlock, path.child("ipBlock"), s);
  const others = isSet(podSelector) || isSet(namespaceSelector);
  if (!ipBlock && !others) s.errors.required(path, "must specify a peer");
  else if (ipBlock && others) s.errors.forbidden(path, "must not have both ipBlock and another peer");
}

function policySpec(spec: Tree, s: Scope): void {
  labelSelector(spec["podSelector"], SPEC.child("podSelector"), s.errors, s.selectors);
  for (const [direction, peers] of DIRECTIONS) {
    const rules = items(spec[direction]);
    for (let i = 0; i < rules.length; i++) {
      const at = SPEC.child(direction).index(i);
      for (const [j, p] of items(rules[i]!["ports"]).entries()) port(p, at.child("ports").index(j), s.errors);
      for (const [j, p] of items(rules[i]![peers]).entries()) peer(p, at.child(peers).index(j), s);
    }
  }
  const types = items<string>(spec["policyTypes"]), at = SPEC.child("policyTypes");
  if (types.length > TYPES.length) return s.errors.invalid(at, types, "must not have more than two items");
  for (const [i, t] of types.entries()) if (!TYPES.includes(t)) s.errors.notSupported(at.index(i), t, TYPES);
}

/** Every block of a policy, with its place. */
function* blocks(spec: Tree): Generator<[Path, string]> {
  for (const [direction, peers] of DIRECTIONS) {
    for (const [i, r] of items(spec[direction]).entries()) {
      for (const [j, p] of items(r[peers]).entries()) {
        if (!p["ipBlock"]) continue;
        const at = SPEC.child(direction).index(i).child(peers).index(j).child("ipBlock");
        yield [at.child("cidr"), p["ipBlock"].cidr ?? ""];
        for (const [k, e] of items<string>(p["ipBlock"].except).entries()) yield [at.child("except").index(k), e];
      }
    }
  }
}

function hasBadSelector(spec: Tree): boolean {
  const found = new ErrorList();
  labelSelector(spec["podSelector"], SPEC, found);
  return !found.empty;
}

function validate(obj: Obj, errors: ErrorList, ctx: ValidateContext, old?: Obj): void {
  const was: Tree | undefined = old && (old["spec"] ?? {});
  policySpec(obj["spec"] ?? {}, {
    errors,
    selectors: { allowInvalidValues: !!was && hasBadSelector(was) },
    strict: ctx.gate("StrictIPCIDRValidation"),
    known: new Set(was ? [...blocks(was)].map(([, text]) => text) : []),
  });
}

/** Rules of `networkpolicies.networking.k8s.io`. */
export const NETWORK_POLICY: KindRules = {
  generation: ["spec"],
  generationOfEmpty: true,
  meta: { whole: 0 },
  validate,
  warnings: (obj) => [...blocks(obj["spec"] ?? {})].flatMap(([path, text]) => cidrWarnings(String(path), text)),
};
