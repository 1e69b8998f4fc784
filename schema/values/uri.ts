/** Checks on URLs in objects (webhooks, external names). */

/** A URL as objects hold it: what validations look at, or undefined when the text is no URL. */
export interface UrlParts {
  readonly scheme: string;
  readonly host: string;
  readonly hasUser: boolean;
  readonly hasQuery: boolean;
  readonly hasFragment: boolean;
}

/**
 * The parts of an absolute or relative URL by RFC 3986's grammar, without the repairs that browsers make (a lone `\`, spaces,
 * upper case stay). Undefined on control characters, spaces, a bad escape or a bad port.
 */
export function parseUrl(text: string): UrlParts | undefined {
  // deno-lint-ignore no-control-regex -- they are what is looked for
  if (/[\u0000-\u0020\u007f]/.test(text) || /%(?![0-9A-Fa-f]{2})/.test(text.split(/[?#]/, 1)[0]!)) return undefined;
  const p = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?[^?#]*(\?[^#]*)?(#.*)?$/s.exec(text);
  if (!p || (p[1] === undefined && /^[^/?#]*:/.test(text) && p[2] === undefined)) return undefined;
  const authority = p[2] ?? "";
  const at = authority.lastIndexOf("@");
  const host = authority.slice(at + 1);
  if (!/^(?:\[[0-9A-Fa-f:.%]+\]|[^:[\]@]*)(?::[0-9]*)?$/.test(host)) return undefined;
  return {
    scheme: (p[1] ?? "").toLowerCase(),
    host,
    hasUser: at >= 0,
    hasQuery: (p[3] ?? "").length > 1,
    hasFragment: (p[4] ?? "").length > 1,
  };
}

/** What is wrong with a webhook's URL: https, a host, and no user, query or fragment. `text` stands quoted in the messages. */
export function webhookUrlErrors(text: string): string[] {
  const form = "must be of the form https://host[:port][/path]";
  const url = parseUrl(text);
  if (!url) {
    return [`url must be a valid URL: parse ${JSON.stringify(text)}: invalid URL; desired format: https://host[/path]`];
  }
  const out: string[] = [];
  if (url.scheme !== "https") out.push(`'https' is the only allowed URL scheme; desired format: https://host[/path]`);
  if (url.host === "") out.push(`host must be specified; desired format: https://host[/path]`);
  if (url.hasUser) out.push("user information is not permitted in the URL");
  if (url.hasFragment) out.push("fragments are not permitted in the URL");
  if (url.hasQuery) out.push("query parameters are not permitted in the URL");
  return out.length && text === "" ? [form] : out;
}
