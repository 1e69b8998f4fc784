/** Rules of certificate signing requests. */
import type { Obj } from "../../model/types.ts";
import { keep } from "../checks/basic.ts";
import { pathPrefix, pathSegment } from "../checks/formats.ts";
import { signerName } from "../checks/signers.ts";
import type { ErrorList } from "../errors.ts";
import { perProduct } from "../local.ts";
import { METADATA } from "../object_meta.ts";
import { Path } from "../path.ts";
import { isSet, items, repeats, same, type Tree } from "../tree.ts";
import type { KindRules, RuleContext, ValidateContext } from "../types.ts";
import { pemBlocks, textOfBytes } from "./pem.ts";
import { nowTime } from "../../values/time.ts";

const SPEC = Path.of("spec"), USAGES = SPEC.child("usages"), SIGNER = SPEC.child("signerName");
const CONDITIONS = Path.of("status", "conditions"), CERTIFICATE = Path.of("status", "certificate");
const MIN_EXPIRATION = 600;
const KNOWN_USAGES = [
  "any",
  "cert sign",
  "client auth",
  "code signing",
  "content commitment",
  "crl sign",
  "data encipherment",
  "decipher only",
  "digital signature",
  "email protection",
  "encipher only",
  "ipsec end system",
  "ipsec tunnel",
  "ipsec user",
  "key agreement",
  "key encipherment",
  "microsoft sgc",
  "netscape sgc",
  "ocsp signing",
  "s/mime",
  "server auth",
  "signing",
  "timestamping",
];
const DECISIONS = ["Approved", "Denied"], LASTING = [...DECISIONS, "Failed"];
const STATUSES = ["False", "True", "Unknown"], ONLY_TRUE = ["True"];
const legacySigner = perProduct((p) => p.local("kubernetes.io/legacy-unknown"));

const typesOf = (obj: Tree | undefined): string[] => items(obj?.["status"]?.conditions).map((c) => c["type"] ?? "");

/** Why a text is no request; undefined: it is one. */
function requestFault(spec: Tree, ctx: RuleContext): string | undefined {
  const [block] = pemBlocks(textOfBytes(spec["request"]));
  if (block?.type !== "CERTIFICATE REQUEST") return "must be a PEM block of type CERTIFICATE REQUEST";
  return ctx.certificates?.requestFault(block.bytes);
}

/** Why a text does not hold certificates and nothing else; undefined: it does, or is empty. */
function certificateFault(base64: string | undefined, ctx: RuleContext): string | undefined {
  if (!base64) return undefined;
  const blocks = pemBlocks(textOfBytes(base64));
  if (!blocks.length) return "must hold at least one PEM block of type CERTIFICATE";
  for (const b of blocks) {
    if (b.type !== "CERTIFICATE") return `must hold only PEM blocks of type CERTIFICATE, not ${b.type}`;
    if (b.hasHeaders) return "must not have headers";
    try {
      ctx.certificates?.certificate(b.bytes);
    } catch (e) {
      return (e as Error).message;
    }
  }
  return undefined;
}

function usages(list: readonly string[], before: readonly string[], errors: ErrorList): void {
  if (!list.length) errors.required(USAGES);
  if (before.every((u) => KNOWN_USAGES.includes(u))) {
    for (const [i, u] of list.entries()) {
      if (!KNOWN_USAGES.includes(u)) errors.notSupported(USAGES.index(i), u, KNOWN_USAGES);
    }
  }
  if (repeats(before).size) return;
  for (const i of repeats(list)) errors.duplicate(USAGES.index(i), list[i]);
}

/** Conditions. What was wrong in the stored ones is forgiven. */
function conditions(obj: Obj, old: Obj | undefined, errors: ErrorList): void {
  const types = typesOf(obj), before = typesOf(old);
  const both = (list: readonly string[]) => DECISIONS.every((d) => list.includes(d));
  const again = repeats(before).size ? repeats([]) : repeats(types), untyped = before.includes("");
  for (const [i, c] of items(obj["status"]?.conditions).entries()) {
    const at = CONDITIONS.index(i), type = types[i]!, allowed = LASTING.includes(type) ? ONLY_TRUE : STATUSES;
    if (!type && !untyped) errors.required(at.child("type"));
    if (!c["status"]) errors.required(at.child("status"));
    else if (!allowed.includes(c["status"])) errors.notSupported(at.child("status"), c["status"], allowed);
    if (again.has(i)) errors.duplicate(at.child("type"), type);
  }
  if (both(types) && !both(before)) errors.invalid(CONDITIONS, types, "Approved and Denied must not both be there");
}

function validate(obj: Obj, errors: ErrorList, ctx: ValidateContext, old?: Obj): void {
  const spec: Tree = obj["spec"] ?? {}, was: Tree | undefined = old?.["spec"], legacy = legacySigner(ctx.product);
  const unchanged = was && same(spec["request"], was["request"]);
  const fault = unchanged ? undefined : requestFault(spec, ctx);
  if (fault) errors.invalid(SPEC.child("request"), spec["request"] ?? "", fault);
  usages(items<string>(spec["usages"]), items<string>(was?.["usages"]), errors);
  if (spec["signerName"] === legacy && was?.["signerName"] !== legacy) {
    errors.invalid(SIGNER, legacy, "must not be the signer of old");
  } else signerName(spec["signerName"] ?? "", SIGNER, errors);
  if (isSet(spec["expirationSeconds"]) && spec["expirationSeconds"] < MIN_EXPIRATION) {
    errors.invalid(SPEC.child("expirationSeconds"), spec["expirationSeconds"], `must be at least ${MIN_EXPIRATION}`);
  }
  conditions(obj, old, errors);
  certificate(obj, old, errors, ctx);
  if (old || !errors.empty) return;
  // Any name will do that fits in a path, and that is looked at last.
  const { generateName } = obj.metadata;
  for (const f of generateName ? pathPrefix(generateName) : []) {
    errors.invalid(METADATA.child("generateName"), generateName, f);
  }
  for (const f of pathSegment(obj.metadata.name ?? "")) errors.invalid(METADATA.child("name"), obj.metadata.name, f);
}

function certificate(obj: Obj, old: Obj | undefined, errors: ErrorList, ctx: ValidateContext): void {
  const given = obj["status"]?.certificate;
  if (old && (same(given, old["status"]?.certificate) || certificateFault(old["status"]?.certificate, ctx))) return;
  const wrong = certificateFault(given, ctx);
  if (wrong) errors.invalid(CERTIFICATE, "<certificate data>", wrong);
}

/** What each door may change: conditions that decide, or the certificate. */
function decided(obj: Obj, old: Obj, errors: ErrorList, door: string): void {
  const of = (o: Obj, type: string) => items(o["status"]?.conditions).filter((c) => c["type"] === type);
  for (const t of LASTING) {
    const now = of(obj, t), was = of(old, t);
    if (now.length < was.length) errors.forbidden(CONDITIONS, `a condition ${t} must not be removed`);
    else if (door !== "approval" && DECISIONS.includes(t) && !same(now, was)) {
      errors.forbidden(CONDITIONS, `a condition ${t} is set through approval only`);
    }
  }
  const was = old["status"]?.certificate;
  if (same(obj["status"]?.certificate, was)) return;
  if (door !== "status") errors.forbidden(CERTIFICATE, "is set through the status only");
  else if (was) errors.forbidden(CERTIFICATE, "must not be changed once set");
}

/** Decisions stay as they were, where as many are sent: only to add or take one is refused. */
function keepDecisions(obj: Obj, old: Obj): void {
  const list: Tree[] | undefined = obj["status"]?.conditions;
  if (!list) return;
  for (const type of DECISIONS) {
    const was = items<Tree>(old["status"]?.conditions).filter((c) => c["type"] === type);
    const at = [...list.keys()].filter((i) => list[i]!["type"] === type);
    if (at.length === was.length) at.forEach((i, n) => list[i] = was[n]!);
  }
}

/** Times of conditions that clients leave out: a condition that is as it was keeps its time. */
function fillTimes(obj: Obj, old: Obj, ctx: RuleContext): void {
  const now = nowTime(ctx.now()), stateOf = (c: Tree) => JSON.stringify([c["type"], c["status"]]);
  const before = new Map(items(old["status"]?.conditions).toReversed().map((c) => [stateOf(c), c]));
  for (const c of items(obj["status"]?.conditions)) {
    c["lastUpdateTime"] ??= now;
    c["lastTransitionTime"] ??= before.get(stateOf(c))?.["lastTransitionTime"] ?? now;
  }
}

const DOOR = { whole: 1, runs: 1 };

/** Rules of `certificatesigningrequests.certificates.k8s.io`. Who asks is the server's to write into the spec. */
export const SIGNING_REQUEST: KindRules = {
  name: () => [],
  prepareCreate: (obj) => void (obj["status"] = {}),
  prepareUpdate(obj, old) {
    keep(obj, old, "spec");
    keep(obj, old, "status");
  },
  validate,
  validateUpdate: (obj, old, errors) => decided(obj, old, errors, ""),
  subresources: {
    status: {
      meta: DOOR,
      prepareUpdate(obj, old, ctx) {
        keep(obj, old, "spec");
        keepDecisions(obj, old);
        fillTimes(obj, old, ctx);
      },
      validateUpdate: (obj, old, errors) => decided(obj, old, errors, "status"),
    },
    approval: {
      meta: DOOR,
      prepareUpdate(obj, old, ctx) {
        keep(obj, old, "spec");
        const given = obj["status"]?.conditions;
        obj["status"] = { ...old["status"], ...(given ? { conditions: given } : {}) };
        if (!given) delete obj["status"].conditions;
        fillTimes(obj, old, ctx);
      },
      validateUpdate: (obj, old, errors) => decided(obj, old, errors, "approval"),
    },
  },
};
