/** `Warning` headers: bounded in number and length. */

/** Characters of all warnings of an answer; when they have more, each is cut. */
const MAX_ALL = 4096;
/** Characters of each warning then. */
const MAX_EACH = 256;

const encoder = new TextEncoder();
/** What no header may hold, and half surrogates. */
const UNFIT = /\p{Cc}|\p{Cs}/u;

/** The headers for texts, each once. Texts that are empty or that no header can hold are left out. */
export function warningHeaders(texts: Iterable<string>): string[] {
  const fit: string[][] = [];
  let all = 0, cut = 0;
  for (const text of texts) {
    if (text === "" || UNFIT.test(text)) continue;
    // Past the bound nothing is looked at: there may be a hundred thousand, or a long one.
    const characters = [...text.slice(0, 2 * MAX_ALL + 2)];
    fit.push(characters);
    all += characters.length;
    cut += Math.min(characters.length, MAX_EACH);
    if (all > MAX_ALL && cut >= MAX_ALL) break;
  }
  if (all <= MAX_ALL) return fit.map((t) => warningHeader(t.join("")));
  const out: string[] = [];
  let written = 0;
  for (const t of fit) {
    if (written >= MAX_ALL) break;
    const cut = t.slice(0, MAX_EACH);
    written += cut.length;
    out.push(warningHeader(cut.join("")));
  }
  return out;
}

/** A warning as RFC 7234 writes it: code 299, no agent, the quoted text. Header values are bytes: those of UTF-8. */
function warningHeader(text: string): string {
  const quoted = text.replace(/[\\"]/g, (c) => "\\" + c);
  const bytes = /^[\x20-\x7e]*$/.test(quoted) ? quoted : String.fromCharCode(...encoder.encode(quoted));
  return `299 - "${bytes}"`;
}
