/** Who asks, as a front proxy tells another server. */
import type { User } from "../request.ts";
import type { ProxyHeaders } from "./types.ts";

/** What a header's name may have as it is; a per cent sign is none of it. */
const PLAIN = /^[!#$&'*+\-.^_`|~0-9A-Za-z]$/;

/** A key as part of a header's name: other bytes as `%XX`. */
function escaped(key: string): string {
  return [...new TextEncoder().encode(key)].map((byte) => {
    const char = String.fromCharCode(byte);
    return PLAIN.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
}

/** The headers, each value in one of its own. */
export function userHeaders({ name, uid, groups, extra }: User): ProxyHeaders {
  return [
    ["X-Remote-User", name],
    ...(uid ? [["X-Remote-Uid", uid] as const] : []),
    ...groups.map((group) => ["X-Remote-Group", group] as const),
    ...Object.entries(extra ?? {}).flatMap(([key, values]) =>
      values.map((value) => [`X-Remote-Extra-${escaped(key)}`, value] as const)
    ),
  ];
}

/** Names, in lower case, of headers by which a client could pretend to be a front proxy. */
export const tellsUser = (name: string): boolean => name.startsWith("x-remote-");
