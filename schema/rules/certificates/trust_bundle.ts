/** Rules of bundles of roots that everybody in the cluster may read. */
import type { Obj } from "../../model/types.ts";
import { maskTrailingDash } from "../../values/names.ts";
import { longer } from "../../values/utf8.ts";
import { immutable } from "../checks/basic.ts";
import { pathSegment } from "../checks/formats.ts";
import { signerName, trustBundleNameFaults } from "../checks/signers.ts";
import type { ErrorList } from "../errors.ts";
import { METADATA } from "../object_meta.ts";
import { Path } from "../path.ts";
import type { Tree } from "../tree.ts";
import type { KindRules, RuleContext } from "../types.ts";
import { type PemBlock, pemBlocks } from "./pem.ts";

const SIGNER = Path.of("spec", "signerName"), BUNDLE = Path.of("spec", "trustBundle");
const MAX_BUNDLE = 1024 * 1024;

/** Why a block is no root; undefined: it is one. */
function rootFault(b: PemBlock, ctx: RuleContext): string | undefined {
  if (b.type !== "CERTIFICATE") return `is of type ${b.type}`;
  if (b.hasHeaders) return "has headers";
  try {
    return ctx.certificates && !ctx.certificates.certificate(b.bytes).isCa ? "is not an authority's" : undefined;
  } catch {
    return "is no certificate";
  }
}

/** Roots, at least one, none twice. */
function trustBundle(text: string, errors: ErrorList, ctx: RuleContext): void {
  if (longer(text, MAX_BUNDLE)) return errors.tooLong(BUNDLE, MAX_BUNDLE);
  const fail = (why: string) => errors.invalid(BUNDLE, "<value omitted>", why);
  const blocks = pemBlocks(text);
  const faults = blocks.flatMap((b, i) => {
    const fault = rootFault(b, ctx);
    return fault ? [`block ${i} ${fault}`] : [];
  });
  for (const f of faults) fail(f);
  if (faults.length) return;
  if (!blocks.length) fail("must hold at least one root");
  const times = new Map<string, number>();
  for (const b of blocks) times.set(b.bytes.toBase64(), (times.get(b.bytes.toBase64()) ?? 0) + 1);
  for (const n of times.values()) if (n > 1) fail("must not hold a root twice");
}

/** The name starts with the signer's. What cannot stand in a path is told by the common rules. */
function nameOfSigner(obj: Obj, signer: string, errors: ErrorList): void {
  const { generateName, name } = obj.metadata;
  for (const [member, text] of [["generateName", generateName && maskTrailingDash(generateName)], ["name", name]]) {
    if (!text || pathSegment(text).length) continue;
    for (const f of trustBundleNameFaults(text, signer)) errors.invalid(METADATA.child(member!), text, f);
  }
}

/** Rules of `clustertrustbundles.certificates.k8s.io`. A bundle that did not change is taken as good. */
export const TRUST_BUNDLE: KindRules = {
  name: (name) => [...pathSegment(name)],
  unconditionalUpdate: false,
  validate(obj, errors, ctx, old) {
    const spec: Tree = obj["spec"] ?? {},
      signer: string = spec["signerName"] ?? "",
      text: string = spec["trustBundle"] ?? "";
    nameOfSigner(obj, signer, errors);
    if (signer) signerName(signer, SIGNER, errors);
    if (!old || text !== (old["spec"]?.trustBundle ?? "")) trustBundle(text, errors, ctx);
  },
  validateUpdate: (obj, old, errors) =>
    immutable(obj["spec"]?.signerName || null, old["spec"]?.signerName || null, SIGNER, errors),
};
