/** Headers by which a request's user is told to another server, and those of a client that it must not see. */
import type { ProxyHeaders } from "./types.ts";
import type { User } from "../request.ts";

/** Bytes of a header's name as they are; all others are percent-encoded (the percent sign, too). */
const PLAIN = /[!#$&'*+\-.^_`|~0-9A-Za-z]/;
const HEX = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
const UTF8 = new TextEncoder();

const encodedKey = (key: string): string =>
  Array.from(UTF8.encode(key), (b) => PLAIN.test(String.fromCharCode(b)) ? String.fromCharCode(b) : HEX(b)).join("");

/** A value as bytes of UTF-8, each a character: the form that headers are written in. */
const bytesOf = (value: string): string => Array.from(UTF8.encode(value), (b) => String.fromCharCode(b)).join("");

/** The headers of a user; with `uid` those of its id, too. */
export function userHeaders(user: User, uid: boolean): ProxyHeaders {
  const extra = Object.entries(user.extra ?? {}).flatMap(([key, values]) =>
    values.map((v) => [`x-remote-extra-${encodedKey(key)}`, bytesOf(v)] as const)
  );
  return [
    ["x-remote-user", bytesOf(user.name)],
    ...(uid && user.uid ? [["x-remote-uid", bytesOf(user.uid)] as const] : []),
    ...user.groups.map((g) => ["x-remote-group", bytesOf(g)] as const),
    ...extra,
  ];
}

/**
 * Whether a server of this project would take a user for another one: repeated headers reach it joined by a comma and a blank, and
 * without blanks at the ends.
 */
export const mistakable = ({ name, groups, extra = {} }: User): boolean =>
  name.trim() !== name ||
  [...groups, ...Object.values(extra).flat()].some((value) => value.includes(", ") || value.trim() !== value);

/** Headers, beside the usual ones, that a front proxy tells users by. */
export interface FrontProxyNames {
  readonly requestheaderUsernameHeaders: readonly string[];
  readonly requestheaderUidHeaders: readonly string[];
  readonly requestheaderGroupHeaders: readonly string[];
  readonly requestheaderExtraHeadersPrefix: readonly string[];
}

const USUAL = ["x-remote-user", "x-remote-uid", "x-remote-group"];
/** Also what a client asked to be done as somebody else: that is done here. */
const PREFIXES = ["x-remote-extra-", "impersonate-"];

/** The test of a lower-case name: whether a client's header of it says who somebody is. */
export function tellsUser(o: FrontProxyNames): (name: string) => boolean {
  const lower = (names: readonly string[]) => names.map((n) => n.toLowerCase());
  const names = new Set([
    ...USUAL,
    ...lower([...o.requestheaderUsernameHeaders, ...o.requestheaderUidHeaders, ...o.requestheaderGroupHeaders]),
  ]);
  const prefixes = [...PREFIXES, ...lower(o.requestheaderExtraHeadersPrefix)].filter((p) => p !== "");
  return (name) => names.has(name) || prefixes.some((p) => name.startsWith(p));
}
