/** URLs of expressions, taken apart as RFC 3986 has them: what clients wrote is kept as it is. */

import { tryParseIp } from "../values/ip.ts";

/** The parts of a URL. */
export interface UrlParts {
  readonly scheme: string;
  /** With the port. */
  readonly host: string;
  /** As it was written. */
  readonly path: string;
  readonly query: string;
}

const CONTROL = /\p{Cc}/u;
const SCHEME = /^([a-zA-Z][a-zA-Z0-9+.-]*):/;
const BAD_ESCAPE = /%(?![0-9a-fA-F]{2})/;
const USER = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;
/** Hosts may hold any letter that is not ASCII, escaped or not. */
const HOST = /^(?:[A-Za-z0-9\-_.~!$&'()*+,;=:\]<>"\u0080-\uffff]|%[89a-fA-F][0-9a-fA-F])*$/;
const PORT = /^(?::\d*)?$/;
const AS_WRITTEN = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@[\]/]|%[0-9a-fA-F]{2})*$/;

function isHost(host: string): boolean {
  if (host.startsWith("[")) {
    const end = host.lastIndexOf("]");
    return PORT.test(host.slice(end + 1)) && tryParseIp(host.slice(1, end).replace(/%25.*$/s, ""))?.family === 6;
  }
  const colon = host.indexOf(":");
  return HOST.test(host) && (colon < 0 || PORT.test(host.slice(colon)));
}

/** Parts of a reference; undefined: it is none. `whole`: it must have a scheme or begin with a slash, and has no fragment. */
function partsOf(text: string, whole: boolean): UrlParts | undefined {
  if (CONTROL.test(text) || text.startsWith(":") || (whole && text === "")) return undefined;
  if (whole && text === "*") return { scheme: "", host: "", path: text, query: "" };
  const own = whole ? text : text.replace(/#.*$/s, ""), [lead, named = ""] = SCHEME.exec(own) ?? [""];
  const rest = own.slice(lead.length), scheme = named.toLowerCase(), mark = rest.indexOf("?");
  const before = mark < 0 ? rest : rest.slice(0, mark), query = mark < 0 ? "" : rest.slice(mark + 1);
  if (!before.startsWith("/")) {
    if (scheme !== "") return { scheme, host: "", path: "", query };
    if (whole) return undefined;
  }
  const [, authority, path] = scheme !== "" || (!whole && !before.startsWith("///"))
    ? /^\/\/([^/]*)(.*)$/s.exec(before) ?? ["", "", before]
    : ["", "", before];
  const at = authority!.lastIndexOf("@"), user = at < 0 ? "" : authority!.slice(0, at), host = authority!.slice(at + 1);
  if (!USER.test(user) || BAD_ESCAPE.test(user) || BAD_ESCAPE.test(path!) || !isHost(host)) return undefined;
  return { scheme, host: unescaped(host), path: path!, query };
}

/** Whether a text is a URL, or a path with a slash before it. */
export const isUrl = (text: string): boolean => partsOf(text, true) !== undefined;

/** The parts of a URL; undefined: it is none. */
export const parseUrl = (text: string): UrlParts | undefined => isUrl(text) ? partsOf(text, false) : undefined;

/** The host without port and brackets, and the port. */
export function hostAndPort(host: string): readonly [name: string, port: string] {
  const [, name, port = ""] = /^(\[.*\]|.*?)(?::(\d*))?$/s.exec(host)!;
  return [name!.replace(/^\[(.*)\]$/, "$1"), port];
}

/** The path with what must be escaped. */
export function escapedPath(path: string): string {
  if (AS_WRITTEN.test(path)) return path;
  return encodeURIComponent(unescaped(path)).replace(/%(?:24|26|2B|2C|2F|3A|3B|3D|40)/g, decodeURIComponent)
    .replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

const unescaped = (text: string): string => text.includes("%") ? new TextDecoder().decode(bytesOf(text)) : text;

function bytesOf(escaped: string): Uint8Array {
  const out: number[] = [];
  for (const [, hex, plain] of escaped.matchAll(/%([0-9a-fA-F]{2})|([^%]+|%)/g)) {
    if (hex) out.push(parseInt(hex, 16));
    else for (const byte of new TextEncoder().encode(plain)) out.push(byte);
  }
  return Uint8Array.from(out);
}

/** Values of a query by name; what is not well formed is left out. */
export function queryOf(query: string): Map<string, string[]> {
  const out = new Map<string, string[]>();
  for (const part of query.split("&")) {
    if (part === "" || part.includes(";") || BAD_ESCAPE.test(part)) continue;
    const [name, value] = pair(part), values = out.get(name);
    if (values) values.push(value);
    else out.set(name, [value]);
  }
  return out;
}

function pair(part: string): readonly [string, string] {
  const at = part.indexOf("="), read = (s: string) => unescaped(s.replaceAll("+", " "));
  return at < 0 ? [read(part), ""] : [read(part.slice(0, at)), read(part.slice(at + 1))];
}
