/** PEM: base64 between labelled lines, with headers that certificates must not have. */

/** One block. */
export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Uint8Array;
}

const BLOCK = /^-----BEGIN ([^\n]*?)-----[ \t]*\r?\n([\s\S]*?)(?:^|\n)-----END \1-----[ \t]*(?:\r?\n|$)/gm;

/** The blocks of a text, in order. What is around them, and what is no base64, is passed over. */
export function pemBlocks(text: string): PemBlock[] {
  const out: PemBlock[] = [];
  for (const [, type = "", body = ""] of text.matchAll(BLOCK)) {
    const lines = body.split(/\r?\n/), end = lines.findIndex((l) => !l.includes(": ") && !/^[^\s:]+:$/.test(l));
    try {
      const bytes = Uint8Array.fromBase64(lines.slice(Math.max(end, 0)).join(""));
      out.push({ type, hasHeaders: end > 0, bytes });
    } catch {
      continue;
    }
  }
  return out;
}

/** Text of a member that holds bytes. */
export function textOfBytes(base64: string | null | undefined): string {
  return new TextDecoder().decode(bytesOf(base64));
}
/** Bytes of a member that holds bytes. */
export function bytesOf(base64: string | null | undefined): Uint8Array {
  return Uint8Array.fromBase64(base64 ?? "");
}
