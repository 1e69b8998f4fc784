/** PEM: base64 between labelled lines. */

/** Wraps DER as PEM. `label` as in `CERTIFICATE`. */
export function toPem(label: string, der: Uint8Array): string {
  const lines = der.toBase64().match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}

/** The DER of each block with the label, in order. Text around blocks is ignored. @throws Error when a block is no base64 */
export function fromPem(label: string, pem: string): Uint8Array[] {
  const block = new RegExp(`-----BEGIN ${label}-----([^-]*)-----END ${label}-----`, "g");
  return [...pem.matchAll(block)].map((match) => {
    try {
      return Uint8Array.fromBase64(match[1]!);
    } catch (cause) {
      throw new Error(`Cannot read a PEM block "${label}": its content is not base64`, { cause });
    }
  });
}
