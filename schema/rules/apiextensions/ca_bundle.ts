/** Authorities that verify a conversion webhook. */
import { pemBlocks, textOfBytes } from "../certificates/pem.ts";
import type { CertificateTools } from "../certificates/tools.ts";
import type { Tree } from "../tree.ts";

/** The bundle of a definition's `spec`, base64 of PEM; empty: there is none. */
export const bundleOf = (spec: Tree | undefined): string => spec?.["conversion"]?.webhook?.clientConfig?.caBundle ?? "";

/** Whether a bundle, base64 of PEM, is none or holds a certificate; what else stands there is not looked at. */
export function isSoundBundle(base64: string, tools: CertificateTools | undefined): boolean {
  if (!base64) return true;
  return pemBlocks(textOfBytes(base64)).some((b) => {
    if (b.type !== "CERTIFICATE" || b.hasHeaders) return false;
    try {
      tools?.certificate(b.bytes);
      return true;
    } catch {
      return false;
    }
  });
}
