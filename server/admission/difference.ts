/** What changed between two JSON-shaped values, as the operations of a JSON patch (RFC 6902). */
import { isMap } from "../../schema/model/members.ts";
import type { Json, JsonMap } from "../../schema/model/types.ts";

/** One operation. */
export interface Change {
  readonly op: "add" | "remove" | "replace";
  readonly path: string;
  readonly value?: Json;
}

const escaped = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1");

/** Operations that make `after` of `before`. Lists are compared item by item; what was appended is added at the end. */
export function difference(before: unknown, after: unknown, path = ""): Change[] {
  if (isMap(before) && isMap(after)) return ofMaps(before, after, path);
  if (Array.isArray(before) && Array.isArray(after)) return ofLists(before, after, path);
  return Object.is(before, after) ? [] : [{ op: "replace", path, value: after as Json }];
}

function ofMaps(before: JsonMap, after: JsonMap, path: string): Change[] {
  const out: Change[] = [];
  for (const key of Object.keys(before)) {
    if (after[key] === undefined) out.push({ op: "remove", path: `${path}/${escaped(key)}` });
  }
  for (const [key, value] of Object.entries(after)) {
    if (value === undefined) continue;
    const at = `${path}/${escaped(key)}`;
    if (before[key] === undefined) out.push({ op: "add", path: at, value });
    else out.push(...difference(before[key], value, at));
  }
  return out;
}

function ofLists(before: readonly Json[], after: readonly Json[], path: string): Change[] {
  const shared = Math.min(before.length, after.length);
  const out: Change[] = [];
  for (let i = 0; i < shared; i++) out.push(...difference(before[i], after[i], `${path}/${i}`));
  for (let i = before.length - 1; i >= shared; i--) out.push({ op: "remove", path: `${path}/${i}` });
  for (const value of after.slice(shared)) out.push({ op: "add", path: `${path}/-`, value });
  return out;
}
