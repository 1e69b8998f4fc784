/** What changed between two JSON-shaped values, as the operations of a JSON patch (RFC 6902). */
import { isMap, member } from "../../schema/model/members.ts";
import type { Json, JsonMap } from "../../schema/model/types.ts";

/** One operation. */
export interface Change {
  readonly op: "add" | "remove" | "replace";
  readonly path: string;
  readonly value?: Json;
}

const escaped = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1");

/** Operations that make `after` of `before`. Lists are compared item by item; what was appended is added at the end. */
export function difference(before: unknown, after: unknown): Change[] {
  const out: Change[] = [];
  compare(before, after, "", out);
  return out;
}

function compare(before: unknown, after: unknown, path: string, out: Change[]): void {
  if (isMap(before) && isMap(after)) ofMaps(before, after, path, out);
  else if (Array.isArray(before) && Array.isArray(after)) ofLists(before, after, path, out);
  else if (!Object.is(before, after)) out.push({ op: "replace", path, value: after as Json });
}

function ofMaps(before: JsonMap, after: JsonMap, path: string, out: Change[]): void {
  for (const key of Object.keys(before)) {
    if (member(after, key) === undefined) out.push({ op: "remove", path: `${path}/${escaped(key)}` });
  }
  for (const [key, value] of Object.entries(after)) {
    if (value === undefined) continue;
    const at = `${path}/${escaped(key)}`, was = member(before, key);
    if (was === undefined) out.push({ op: "add", path: at, value });
    else compare(was, value, at, out);
  }
}

function ofLists(before: readonly Json[], after: readonly Json[], path: string, out: Change[]): void {
  const shared = Math.min(before.length, after.length);
  for (let i = 0; i < shared; i++) compare(before[i], after[i], `${path}/${i}`, out);
  for (let i = before.length - 1; i >= shared; i--) out.push({ op: "remove", path: `${path}/${i}` });
  for (const value of after.slice(shared)) out.push({ op: "add", path: `${path}/-`, value });
}
