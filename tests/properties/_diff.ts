/** Differences of two JSON trees as JSON patches and as merge patches: small on purpose, and no kin of the server's code. */
import type { Random } from "./_runs.ts";
import type { Loose } from "../fixture/loose.ts";

const isMap = (v: unknown): v is Record<string, Loose> => typeof v === "object" && v !== null && !Array.isArray(v);
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
const escape = (key: string) => key.replaceAll("~", "~0").replaceAll("/", "~1");

/** The merge patch that makes `b` of `a`; neither has nulls. */
export function mergePatch(a: Loose, b: Loose): Loose {
  if (!isMap(a) || !isMap(b)) return b;
  const out: Record<string, Loose> = {};
  for (const key of Object.keys(a)) if (!(key in b)) out[key] = null;
  for (const [key, value] of Object.entries(b)) if (!same(a[key], value)) out[key] = mergePatch(a[key], value);
  return out;
}

/** Operations that make `b` of `a`, some tests, moves and copies among them. Lists are changed at their ends and item by item. */
export function jsonPatch(random: Random, a: Loose, b: Loose, at = ""): Loose[] {
  if (same(a, b)) return random.below(4) ? [] : [{ op: "test", path: at, value: b }];
  if (isMap(a) && isMap(b)) return maps(random, a, b, at);
  if (!Array.isArray(a) || !Array.isArray(b)) return [{ op: "replace", path: at, value: b }];
  const out: Loose[] = [], common = Math.min(a.length, b.length);
  for (let i = a.length - 1; i >= common; i--) out.push({ op: "remove", path: `${at}/${i}` });
  for (let i = 0; i < common; i++) out.push(...jsonPatch(random, a[i], b[i], `${at}/${i}`));
  for (let i = common; i < b.length; i++) {
    out.push({ op: "add", path: `${at}/${random.below(2) ? "-" : i}`, value: b[i] });
  }
  return out;
}

function maps(random: Random, a: Record<string, Loose>, b: Record<string, Loose>, at: string): Loose[] {
  const gone = Object.keys(a).filter((k) => !(k in b)), out: Loose[] = [];
  for (const [key, value] of Object.entries(b)) {
    const path = `${at}/${escape(key)}`;
    if (key in a) {
      out.push(...jsonPatch(random, a[key], value, path));
      continue;
    }
    const from = gone.findIndex((k) => same(a[k], value));
    if (from >= 0 && random.below(2)) out.push({ op: "move", from: `${at}/${escape(gone.splice(from, 1)[0]!)}`, path });
    else out.push({ op: "add", path, value });
  }
  for (const key of gone) out.push({ op: "remove", path: `${at}/${escape(key)}` });
  return out;
}
