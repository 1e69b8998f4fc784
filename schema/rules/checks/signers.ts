/** Names of signers of certificates and of the bundles that trust them. */
import { longer } from "../../values/utf8.ts";
import type { ErrorList } from "../errors.ts";
import { localSet } from "../local.ts";
import type { Path } from "../path.ts";
import type { RuleContext } from "../types.ts";
import { format } from "./basic.ts";
import { dnsLabel, dnsSubdomain, type Format } from "./formats.ts";

const MAX_DOMAIN = 253, MAX_NAME = MAX_DOMAIN + 1 + 253 + 63 + 1;

/** `<domain>/<path>`: a domain of at least two labels, and dotted names after it. */
export function signerName(name: string, path: Path, errors: ErrorList): void {
  if (!name) return errors.required(path);
  const [domain = "", rest, more] = name.split("/");
  if (rest === undefined || more !== undefined) {
    return errors.invalid(path, name, "must be a domain and a path, such as example.com/signer-name");
  }
  if (longer(domain, MAX_DOMAIN)) errors.tooLong(path, MAX_DOMAIN);
  firstFault(domain, dnsLabel, path, errors);
  if (!domain.includes(".")) {
    errors.invalid(path, domain, "must be a domain with at least two segments separated by dots");
  }
  firstFault(rest, dnsSubdomain, path, errors);
  if (longer(name, MAX_NAME)) errors.tooLong(path, MAX_NAME);
}

function firstFault(dotted: string, f: Format, path: Path, errors: ErrorList): void {
  const bad = dotted.split(".").find((label) => f(label).length > 0);
  if (bad !== undefined) format(bad, path, errors, f);
}

const own = localSet("kubernetes.io");
/** Whether a signer is one of the project's own. */
export function isOwnSigner(name: string, ctx: RuleContext): boolean {
  const domain = name.split("/", 1)[0]!;
  for (const o of own(ctx.product)) if (domain === o || domain.endsWith(`.${o}`)) return true;
  return false;
}

/** Faults of a trust bundle's name. With a signer it starts with the signer's name, `/` as `:`, and `:`. */
export function trustBundleNameFaults(name: string, signer: string): readonly string[] {
  if (!signer) return name.includes(":") ? ["must not contain ':' without a signer"] : dnsSubdomain(name);
  const prefix = `${signer.replaceAll("/", ":")}:`;
  return name.startsWith(prefix) ? dnsSubdomain(name.slice(prefix.length)) : [`must start with ${prefix}`];
}

/** The name of a trust bundle whose signer stands in the name itself. */
export const trustBundleName: Format = (name) => {
  const at = name.lastIndexOf(":");
  return trustBundleNameFaults(name, at < 0 ? "" : name.slice(0, at).replaceAll(":", "/"));
};
