/** Rules of the answer to a pod's request for a certificate. Each step needs the one before: the first fault ends it. */
import type { Obj } from "../../model/types.ts";
import { sameBytes } from "../../values/bytes.ts";
import { longer } from "../../values/utf8.ts";
import { conditions } from "../checks/conditions.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { items, same, type Tree } from "../tree.ts";
import type { RuleContext, ValidateContext } from "../types.ts";
import { bytesOf, pemBlocks } from "./pem.ts";
import type { CertificateInfo } from "./tools.ts";

const STATUS = Path.of("status"), CONDITIONS = STATUS.child("conditions"), CHAIN = STATUS.child("certificateChain");
const ENDS = ["Issued", "Denied", "Failed"], MAX_CHAIN = 100 * 1024;
const MINUTE = 60_000, HOUR = 60 * MINUTE;

const end = (s: Tree): string | undefined =>
  items(s["conditions"]).find((c) => ENDS.includes(c["type"]) && c["status"] === "True")?.["type"];

function knownConditions(status: Tree, errors: ErrorList): void {
  let known = 0;
  for (const [i, c] of items(status["conditions"]).entries()) {
    const at = CONDITIONS.child(`[${i}]`);
    if (!ENDS.includes(c["type"])) {
      errors.notSupported(at.child("type"), c["type"] ?? "", ENDS);
      continue;
    }
    if (++known > 1) errors.invalid(at.child("type"), c["type"], "only one of the known conditions may be there");
    if (c["status"] !== "True") errors.notSupported(at.child("status"), c["status"] ?? "", ["True"]);
  }
  conditions(status["conditions"], CONDITIONS, errors);
}

const fail = (errors: ErrorList, why: string) => errors.invalid(STATUS, "<value omitted>", why);

function names(leaf: CertificateInfo, errors: ErrorList): void {
  for (const n of leaf.dnsNames) {
    if (!n) errors.invalid(CHAIN, n, "must not have an empty name");
    if (n.includes("..")) errors.invalid(CHAIN, n, "must not have a name with '..'");
    if (n.startsWith(".") || n.endsWith(".")) {
      errors.invalid(CHAIN, n, "must not have a name that starts or ends with '.'");
    }
  }
  for (const e of leaf.emails) {
    if (!/^[^\s@<>]+@[^\s@<>]+$/.test(e)) errors.invalid(CHAIN, e, "must not have a wrong address of mail");
  }
}

/** The leaf's times and those that the status tells. */
function times(s: Tree, leaf: CertificateInfo, maxSeconds: number, errors: ErrorList, ctx: RuleContext): void {
  for (const m of ["notBefore", "notAfter", "beginRefreshAt"]) if (!s[m]) errors.required(STATUS.child(m));
  if (!errors.empty) return;
  const at = (m: string) => Date.parse(s[m]),
    wrong = (m: string, why: string) => errors.invalid(STATUS.child(m), s[m], why);
  const begin = leaf.notBefore.getTime(), until = leaf.notAfter.getTime(), life = until - begin;
  if (at("notBefore") !== begin) return wrong("notBefore", "must be the time in the certificate");
  if (Math.abs(begin - ctx.now()) >= 5 * MINUTE) return wrong("notBefore", "must be within 5 minutes of now");
  if (at("notAfter") !== until) return wrong("notAfter", "must be the time in the certificate");
  if (life < HOUR) return errors.invalid(CHAIN, life, "must be good for at least an hour");
  if (life > maxSeconds * 1000) return errors.invalid(CHAIN, life, "must not be good for longer than was asked for");
  const refresh = at("beginRefreshAt");
  if (refresh < begin + 10 * MINUTE) return wrong("beginRefreshAt", "must be at least 10 minutes after notBefore");
  if (refresh > until - 10 * MINUTE) wrong("beginRefreshAt", "must be at least 10 minutes before notAfter");
}

function issued(s: Tree, spec: Tree, errors: ErrorList, ctx: RuleContext): void {
  const chain: string = s["certificateChain"] ?? "", wrong = (why: string) => errors.invalid(CHAIN, chain, why);
  if (longer(chain, MAX_CHAIN)) return errors.tooLong(CHAIN, MAX_CHAIN);
  const blocks = pemBlocks(chain), tools = ctx.certificates;
  if (!blocks.length) return wrong("must hold at least one certificate");
  if (blocks[0]!.type !== "CERTIFICATE") return wrong("must hold certificates only");
  if (!tools) return;
  let leaf: CertificateInfo;
  try {
    leaf = tools.certificate(blocks[0]!.bytes);
  } catch {
    return wrong("must start with a certificate that can be read");
  }
  names(leaf, errors);
  const stub = bytesOf(spec["stubPKCS10Request"]);
  const key = stub.length ? tools.requestKey(stub) : bytesOf(spec["pkixPublicKey"]);
  if (!sameBytes(key, leaf.publicKey)) return wrong("must be issued for the requested key");
  const before = errors.causes.length;
  times(s, leaf, spec["maxExpirationSeconds"] ?? 0, errors, ctx);
  if (errors.causes.length > before) return;
  for (const b of blocks.slice(1)) {
    if (b.type !== "CERTIFICATE") return wrong("must hold certificates only");
    try {
      tools.certificate(b.bytes);
    } catch {
      return wrong("must hold certificates that can be read");
    }
  }
}

/** Checks a write of the status. */
export function podRequestStatus(obj: Obj, old: Obj, errors: ErrorList, ctx: ValidateContext): void {
  const now: Tree = obj["status"] ?? {}, was: Tree = old["status"] ?? {};
  if (!errors.empty) return;
  knownConditions(now, errors);
  if (!errors.empty) return;
  if (end(was)) {
    if (!same(now, was)) fail(errors, "must not change once the request is issued, denied or failed");
    return;
  }
  const became = end(now);
  if (became === "Issued") issued(now, old["spec"] ?? {}, errors, ctx);
  else if (became) {
    if (!same(now, { conditions: now["conditions"] })) fail(errors, "must hold conditions only when denied or failed");
  } else if (!same(now, was)) fail(errors, "must not change before the request is issued, denied or failed");
}
