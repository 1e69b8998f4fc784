/** Static tokens from a CSV file: `token,user,uid,"group1,group2"` (`--token-auth-file`). */
import { createHash, timingSafeEqual } from "node:crypto";
import type { User } from "../request.ts";
import { ownAudiences, type TokenAuthenticator } from "./token.ts";

interface Row {
  readonly digest: Uint8Array;
  readonly user: User;
}

const digestOf = (token: string) => createHash("sha256").update(token).digest();

/** The fields of each line that is neither empty nor a comment. @throws Error with the line's number */
function records(text: string): { line: number; fields: string[] }[] {
  return text.split(/\r?\n/).map((content, i) => ({ line: i + 1, content })).filter(({ content }) =>
    content.trim() !== "" && !content.startsWith("#")
  ).map(({ line, content }) => ({ line, fields: fieldsOf(content, line) }));
}

function fieldsOf(content: string, line: number): string[] {
  const out: string[] = [];
  let at = 0;
  while (at <= content.length) {
    const m = /^\s*(?:"((?:[^"]|"")*)"\s*|([^",]*))(,|$)/.exec(content.slice(at));
    if (!m) throw new Error(`token file: line ${line}: a quoted field does not end`);
    out.push(m[1] !== undefined ? m[1].replaceAll('""', '"') : m[2]!.trim());
    at += m[0].length;
    if (m[3] === "") break;
  }
  return out;
}

/** Rows by digest. A token that is there twice has the last line's user, as on the public server. @throws Error with the line's number */
function rowsOf(text: string): Row[] {
  const rows = new Map<string, Row>();
  for (const { line, fields } of records(text)) {
    const [token, name, uid, groups] = fields;
    if (fields.length < 3) throw new Error(`token file: line ${line}: should have at least token, user and uid`);
    if (!token) continue;
    const user: User = {
      name: name ?? "",
      ...(uid ? { uid } : {}),
      groups: groups ? groups.split(",").map((g) => g.trim()).filter((g) => g !== "") : [],
    };
    rows.set(token, { digest: digestOf(token), user });
  }
  return [...rows.values()];
}

/**
 * Reads the file's text once. Each look-up compares digests with every row in constant time.
 * @throws Error with the line's number when the text is malformed
 */
export function tokenFile(text: string, apiAudiences: readonly string[]): TokenAuthenticator {
  const rows = rowsOf(text);
  return {
    name: "token file",
    authenticateToken(token, wanted) {
      const digest = digestOf(token);
      let found: User | undefined;
      for (const row of rows) if (timingSafeEqual(row.digest, digest)) found = row.user;
      if (!found) return undefined;
      const audiences = ownAudiences(wanted, apiAudiences);
      if (audiences === false) return undefined;
      return { user: found, ...(audiences ? { audiences } : {}) };
    },
  };
}
