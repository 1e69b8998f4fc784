/** Certificates as text. */
import { pemBlocks } from "../../schema/rules/certificates/pem.ts";

const LINE = /.{1,64}/g;

/** A certificate, DER as base64. */
export function certificatePem(base64: string): string {
  return ["-----BEGIN CERTIFICATE-----", ...base64.match(LINE) ?? [], "-----END CERTIFICATE-----", ""].join("\n");
}

/** The certificates of a text, DER as base64, and nothing that stands between them. */
export function certificatesIn(text: string): string[] {
  return pemBlocks(text).map((b) => b.bytes.toBase64());
}
