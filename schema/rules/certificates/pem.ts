/** PEM: base64 between labelled lines, with headers that certificates must not have. */

/** One block. */
export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Uint8Array;
}

const BEGIN = "-----BEGIN ", END = "\n-----END ", DASHES = "-----";

/**
 * The blocks of a text, in order. What is around them, and what is no base64, is passed over. Signers read a request again: whatever
 * is a block to one of them must be the same here, so that nobody is shown another request than the one that is signed.
 */
export function pemBlocks(text: string): PemBlock[] {
  const out: PemBlock[] = [];
  for (let at = 0;;) {
    const end = text.indexOf(END, at);
    if (end < 0) return out;
    const block = blockBefore(text, at, end);
    if (block === NOTHING_MORE) return out;
    if (block) out.push(block);
    at = block ? lineAt(text, end + 1).next : end + END.length;
  }
}

/** Headers go on beyond the end: signers read no further. */
const NOTHING_MORE = Symbol("nothing more");

/** The block that ends with the line after `end`; it has the last beginning before that. */
function blockBefore(text: string, from: number, end: number): PemBlock | typeof NOTHING_MORE | undefined {
  const begin = text.slice(from, end).lastIndexOf(BEGIN) + from;
  if (begin < from || (begin > from && text[begin - 1] !== "\n")) return undefined;
  const first = lineAt(text, begin + BEGIN.length);
  if (!first.line.endsWith(DASHES)) return undefined;
  const type = first.line.slice(0, -DASHES.length);
  let body = first.next;
  while (body <= end + 1) {
    const header = lineAt(text, body);
    if (!header.line.includes(":")) break;
    body = header.next;
  }
  const hasHeaders = body > first.next;
  if (hasHeaders && body > end) return body > end + END.length ? NOTHING_MORE : undefined;
  const last = lineAt(text, end + END.length).line;
  if (last !== type + DASHES) return undefined;
  const bytes = bytesIn(text.slice(body, Math.max(body, end)));
  return bytes && { type, hasHeaders, bytes };
}

/** A line without the blanks at its end, and where the next one begins. */
function lineAt(text: string, at: number): { readonly line: string; readonly next: number } {
  const found = text.indexOf("\n", at), next = found < 0 ? text.length : found + 1;
  let end = found < 0 ? next : found;
  if (found > at && text[end - 1] === "\r") end--;
  while (end > at && (text[end - 1] === " " || text[end - 1] === "\t")) end--;
  return { line: text.slice(at, end), next };
}

/** Base64 with all of its padding, in lines. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

function bytesIn(lines: string): Uint8Array | undefined {
  const base64 = lines.replace(/[ \t\r\n]/g, "");
  return BASE64.test(base64) && base64.length % 4 === 0 ? Uint8Array.fromBase64(base64) : undefined;
}

/** Text of a member that holds bytes: a mark at its beginning is a part of it. */
export function textOfBytes(base64: string | null | undefined): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytesOf(base64));
}
/** Bytes of a member that holds bytes. */
export function bytesOf(base64: string | null | undefined): Uint8Array {
  return Uint8Array.fromBase64(base64 ?? "");
}
