/** Links in pages that are passed on: as the bytes come, with no more than a tag kept. */

/** What changes a link; gives back what is to stay. */
export interface Relink {
  (url: string): string;
}

/** Attributes that hold a URL, by element. */
const LINKS: Readonly<Record<string, readonly string[]>> = {
  a: ["href"],
  applet: ["codebase"],
  area: ["href"],
  audio: ["src"],
  base: ["href"],
  blockquote: ["cite"],
  body: ["background"],
  button: ["formaction"],
  command: ["icon"],
  del: ["cite"],
  embed: ["src"],
  form: ["action"],
  frame: ["longdesc", "src"],
  head: ["profile"],
  html: ["manifest"],
  iframe: ["longdesc", "src"],
  img: ["longdesc", "src", "usemap"],
  input: ["src", "usemap", "formaction"],
  ins: ["cite"],
  link: ["href"],
  object: ["classid", "codebase", "data", "usemap"],
  q: ["cite"],
  script: ["src"],
  source: ["src"],
  video: ["poster", "src"],
};
/** Elements whose content is text, whatever it looks like. */
const TEXT = new Set([
  "iframe",
  "noembed",
  "noframes",
  "noscript",
  "script",
  "style",
  "textarea",
  "title",
  "xmp",
]);
/** Characters kept until a tag or comment ends; a longer one passes as it is. */
const MAX_KEPT = 64 * 1024;

const NAME = /^<([A-Za-z][^\s/>]*)/;
const NAME_END = /[\s/>]/;
/** A name and, where it has one, its value: a name without one is taken too, so that nothing is looked at twice. */
const ATTRIBUTE = /([^\s"'<>/=]+)(?:(\s*=\s*)("[^"]*"|'[^']*'|[^\s"'>]+))?/g;

/** A page with its links changed. Any encoding that has ASCII in it passes unharmed. */
export function rewriteHtml(body: ReadableStream<Uint8Array>, relink: Relink): ReadableStream<Uint8Array> {
  const page = new Page(relink);
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, out) => put(out, page.more(fromBytes(chunk))),
      flush: (out) => put(out, page.end()),
    }),
  );
}

function put(out: TransformStreamDefaultController<Uint8Array>, text: string): void {
  if (text !== "") out.enqueue(Uint8Array.from(text, (c) => c.charCodeAt(0)));
}

/** One character a byte: what a decoder of Latin-1 gives is another encoding in some of them. */
function fromBytes(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 4096) text += String.fromCharCode(...bytes.subarray(i, i + 4096));
  return text;
}

/** Where a tag ends: each character is looked at once, in however many pieces it comes. */
class TagEnd {
  #at = 0;
  #named = false;
  #quote = "";

  /** Another tag begins. */
  reset(): void {
    this.#at = 0;
    this.#named = false;
    this.#quote = "";
  }

  /** Length of the tag that the text begins with; undefined: its end is still to come. */
  in(text: string): number | undefined {
    for (; this.#at < text.length; this.#at++) {
      const c = text[this.#at]!;
      if (this.#quote !== "") {
        if (c === this.#quote) this.#quote = "";
      } else if (c === ">") return this.#at + 1;
      else if (!this.#named) this.#named = c === "/" || /\s/.test(c);
      else if (c === '"' || c === "'") this.#quote = c;
    }
    return undefined;
  }
}

/** A page on its way. */
class Page {
  readonly #relink: Relink;
  #kept = "";
  /** Start of the end tag of the text-only element that is open, in lower case. */
  #until: string | undefined;
  readonly #end = new TagEnd();

  constructor(relink: Relink) {
    this.#relink = relink;
  }

  /** What can be sent now. */
  more(text: string): string {
    const waits = this.#kept !== "";
    this.#kept += text;
    // What waits, waits for one of these.
    if (waits && !/[<>]/.test(text) && this.#kept.length <= MAX_KEPT) return "";
    let out = "";
    for (;;) {
      const piece = this.#piece();
      if (piece === undefined) break;
      out += piece;
    }
    if (this.#kept.length > MAX_KEPT) out += this.end();
    return out;
  }

  end(): string {
    return this.#take(this.#kept.length);
  }

  #take(length: number): string {
    const piece = this.#kept.slice(0, length);
    this.#kept = this.#kept.slice(length);
    this.#end.reset();
    return piece;
  }

  /** The next whole piece; undefined: more is needed. */
  #piece(): string | undefined {
    if (this.#kept === "") return undefined;
    if (this.#until) return this.#text(this.#until);
    const at = this.#kept.indexOf("<");
    if (at !== 0) return this.#take(at < 0 ? this.#kept.length : at);
    return this.#markup();
  }

  #text(until: string): string | undefined {
    const at = this.#kept.indexOf("<");
    if (at !== 0) return this.#take(at < 0 ? this.#kept.length : at);
    const begin = this.#kept.slice(0, until.length).toLowerCase(), next = this.#kept[until.length] ?? "";
    if (begin === until && NAME_END.test(next)) {
      this.#until = undefined;
      return this.#piece();
    }
    // The end may be in the making.
    return next === "" && until.startsWith(begin) ? undefined : this.#take(1);
  }

  #markup(): string | undefined {
    const kept = this.#kept;
    if (kept.length < 4 && "<!--".startsWith(kept)) return undefined;
    if (kept.startsWith("<!--")) return this.#through("-->", 4);
    if (/^<[!?/]/.test(kept)) return this.#through(">", 2);
    if (!/^<[A-Za-z]/.test(kept)) return this.#take(1);
    const end = this.#end.in(kept);
    if (end === undefined) return undefined;
    const tag = this.#take(end), [begin, name] = NAME.exec(tag)!;
    return this.#tag(name!, tag.slice(begin.length, -1));
  }

  #through(end: string, from: number): string | undefined {
    const at = this.#kept.indexOf(end, from);
    return at < 0 ? undefined : this.#take(at + end.length);
  }

  #tag(name: string, attributes: string): string {
    const element = name.toLowerCase();
    if (TEXT.has(element)) this.#until = `</${element}`;
    const links = Object.hasOwn(LINKS, element) ? LINKS[element]! : [];
    if (links.length === 0) return `<${name}${attributes}>`;
    const changed = attributes.replace(ATTRIBUTE, (whole, attribute: string, equals?: string, value?: string) => {
      if (equals === undefined || value === undefined || !links.includes(attribute.toLowerCase())) return whole;
      const quote = /^["']/.test(value) ? value[0]! : "";
      const url = quote === "" ? value : value.slice(1, -1);
      const moved = this.#relink(url);
      return moved === url ? whole : `${attribute}${equals}${quote}${moved}${quote}`;
    });
    return `<${name}${changed}>`;
  }
}
