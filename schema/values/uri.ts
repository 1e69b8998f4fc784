/** Checks on URLs in objects (webhooks, external names). */
import { hasControl } from "./control.ts";

/** A URL as objects hold it: what validations look at, or undefined when the text is no URL. */
export interface UrlParts {
  readonly scheme: string;
  readonly host: string;
  /** Absent when there is no `@`. */
  readonly user: string | undefined;
  readonly query: string;
  readonly fragment: string;
}

/**
 * The parts of an absolute or relative URL by RFC 3986's grammar, without the repairs that browsers make (a lone `\`, spaces,
 * upper case stay). Undefined on control characters, spaces in the host, a bad escape or a bad port.
 */
export function parseUrl(text: string): UrlParts | undefined {
  if (hasControl(text)) return undefined;
  // What follows a scheme without a slash is not read any further.
  const opaque = /^([A-Za-z][A-Za-z0-9+.-]*):[^/]/.test(text);
  if (!opaque && /%(?![0-9A-Fa-f]{2})/.test(text.split(/[?#]/, 1)[0]!)) return undefined;
  const p = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?[^?#]*(\?[^#]*)?(#.*)?$/s.exec(text);
  if (!p || (p[1] === undefined && /^[^/?#]*:/.test(text) && p[2] === undefined)) return undefined;
  const authority = p[2] ?? "";
  const at = authority.lastIndexOf("@");
  const host = authority.slice(at + 1);
  if (!/^(?:\[[0-9A-Fa-f:.%]+\]|[^:[\]@ \\^`{|}]*)(?::[0-9]*)?$/.test(host)) return undefined;
  return {
    scheme: (p[1] ?? "").toLowerCase(),
    host,
    user: at >= 0 ? authority.slice(0, at) : undefined,
    query: (p[3] ?? "").slice(1),
    fragment: (p[4] ?? "").slice(1),
  };
}

/** A mistake in a URL: the offending part (undefined when there is no URL at all: it is required) and what is wrong. */
export interface UrlMistake {
  readonly value: string | undefined;
  readonly detail: string;
}

const FORM = "; desired format: https://host[/path]";

/** Mistakes in a webhook's URL: it has a host, no user, query or fragment, and is https unless `anyScheme`. */
export function webhookUrlMistakes(text: string, opts?: { anyScheme?: boolean }): UrlMistake[] {
  const url = parseUrl(text);
  if (!url) {
    return [{ value: undefined, detail: `url must be a valid URL: parse ${JSON.stringify(text)}: invalid URL${FORM}` }];
  }
  const out: UrlMistake[] = [];
  const check = (bad: boolean, value: string, detail: string) => bad && out.push({ value, detail });
  check(!opts?.anyScheme && url.scheme !== "https", url.scheme, `'https' is the only allowed URL scheme${FORM}`);
  check(url.host === "", url.host, `host must be specified${FORM}`);
  check(url.user !== undefined, url.user ?? "", "user information is not permitted in the URL");
  check(url.fragment !== "", url.fragment, "fragments are not permitted in the URL");
  check(url.query !== "", url.query, "query parameters are not permitted in the URL");
  return out;
}
