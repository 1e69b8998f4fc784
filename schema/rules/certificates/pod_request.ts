/** Rules of requests for certificates of pods: what is asked never changes, and is answered once. */
import type { Obj } from "../../model/types.ts";
import { byteLength, longer } from "../../values/utf8.ts";
import { format, immutable, keep, range, required } from "../checks/basic.ts";
import { dnsSubdomain, prefixedKey } from "../checks/formats.ts";
import { isOwnSigner, signerName } from "../checks/signers.ts";
import type { ErrorList } from "../errors.ts";
import { ANNOTATIONS_LIMIT } from "../object_meta.ts";
import { Path } from "../path.ts";
import { isSet, type Tree } from "../tree.ts";
import type { KindRules, RuleContext } from "../types.ts";
import { bytesOf } from "./pem.ts";
import { podRequestStatus } from "./pod_request_status.ts";
import { keepAllButStatus } from "../checks/status_meta.ts";

const BYTES = ["stubPKCS10Request", "pkixPublicKey", "proofOfPossession"];
const SPEC = Path.of("spec"), HOUR = 3600, OWN_LIMIT = 24 * HOUR, LIMIT = 91 * 24 * HOUR;
const MAX_UID = 128, MAX_BYTES = 10 * 1024;

function userAnnotations(map: Tree, path: Path, errors: ErrorList): void {
  let size = 0;
  for (const k in map) {
    size += byteLength(k) + byteLength(map[k] ?? "");
    if (k) format(k.toLowerCase(), path, errors, prefixedKey);
    else errors.required(path);
  }
  if (size > ANNOTATIONS_LIMIT) errors.tooLong(path, ANNOTATIONS_LIMIT);
}

function uid(spec: Tree, member: string, errors: ErrorList): void {
  const text: string = spec[member] ?? "", at = SPEC.child(member);
  if (!text) errors.invalid(at, text, "must not be empty");
  if (longer(text, MAX_UID)) errors.tooLong(at, MAX_UID);
}

/** The key: in a request of its own, or, as of old, beside a signature on the pod's UID. */
function key(spec: Tree, errors: ErrorList, ctx: RuleContext): void {
  const given = (m: string) => bytesOf(spec[m]), stub = given("stubPKCS10Request");
  const spki = given("pkixPublicKey"), proof = given("proofOfPossession");
  if (stub.length ? spki.length || proof.length : !spki.length || !proof.length) {
    return errors.invalid(SPEC, "", "must have stubPKCS10Request, or both of pkixPublicKey and proofOfPossession");
  }
  for (const m of BYTES) {
    if (given(m).length > MAX_BYTES) return errors.tooLong(SPEC.child(m), MAX_BYTES);
  }
  const tools = ctx.certificates;
  if (!tools) return;
  const name = stub.length ? "stubPKCS10Request" : "pkixPublicKey";
  const fault = stub.length ? tools.requestFault(stub) ?? tools.keyFault(tools.requestKey(stub)) : tools.keyFault(spki);
  if (fault) return errors.invalid(SPEC.child(name), "", fault);
  if (!stub.length && !tools.isProof(spki, spec["podUID"] ?? "", proof)) {
    errors.invalid(SPEC.child("proofOfPossession"), "", "must be the key's signature on the pod's UID");
  }
}

function created(spec: Tree, errors: ErrorList, ctx: RuleContext): void {
  const signer: string = spec["signerName"] ?? "", seconds = spec["maxExpirationSeconds"];
  signerName(signer, SPEC.child("signerName"), errors);
  const annotations = SPEC.child("unverifiedUserAnnotations");
  if (spec["unverifiedUserAnnotations"]) userAnnotations(spec["unverifiedUserAnnotations"], annotations, errors);
  for (
    const [name, id] of [["podName", "podUID"], ["serviceAccountName", "serviceAccountUID"], ["nodeName", "nodeUID"]]
  ) {
    format(spec[name!] ?? "", SPEC.child(name!), errors, dnsSubdomain);
    uid(spec, id!, errors);
  }
  const at = SPEC.child("maxExpirationSeconds");
  if (!isSet(seconds)) return void required(seconds, at, errors);
  range(seconds, HOUR, isOwnSigner(signer, ctx) ? OWN_LIMIT : LIMIT, at, errors);
  key(spec, errors, ctx);
}

/** Rules of `podcertificaterequests.certificates.k8s.io`. */
export const POD_REQUEST: KindRules = {
  unconditionalUpdate: false,
  meta: { whole: 0 },
  prepareCreate: (obj) => void (obj["status"] = {}),
  prepareUpdate(obj, old) {
    keep(obj, old, "status");
    for (const m of BYTES) if (obj["spec"]?.[m] === "" && !isSet(old["spec"]?.[m])) delete obj["spec"][m];
  },
  validate(obj: Obj, errors, ctx, old) {
    if (!old) created(obj["spec"] ?? {}, errors, ctx);
  },
  validateUpdate: (obj, old, errors) => immutable(obj["spec"], old["spec"], SPEC, errors),
  subresources: { status: { prepareUpdate: keepAllButStatus, validateUpdate: podRequestStatus } },
};
