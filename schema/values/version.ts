/** Versions: of API groups (`v1`, `v1beta2`) and of the product (`v1.30`). */
import { ValueError } from "./error.ts";

/** A version of three numbers (SemVer 2.0.0). `pre` is the text after `-`, or empty. */
export interface SemanticVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  readonly pre: string;
}

const SEMANTIC =
  /^(0|[1-9]\d{0,14})\.(0|[1-9]\d{0,14})\.(0|[1-9]\d{0,14})(?:-((?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*))*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/** Reads a semantic version; build data is dropped. Throws {@linkcode ValueError}. */
export function parseSemanticVersion(text: string): SemanticVersion {
  const p = text.length <= 256 ? SEMANTIC.exec(text) : null;
  if (!p) throw new ValueError(`invalid semantic version ${JSON.stringify(text.slice(0, 256))}`);
  return { major: Number(p[1]), minor: Number(p[2]), patch: Number(p[3]), pre: p[4] ?? "" };
}

/** Negative, 0 or positive, in the order of SemVer 2.0.0. */
export function compareSemanticVersions(a: SemanticVersion, b: SemanticVersion): number {
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch || comparePrereleases(a.pre, b.pre);
}

/** The same of what stands after `-`; empty: nothing does, which is the higher. */
export function comparePrereleases(a: string, b: string): number {
  if (a === "" || b === "") return Number(a === "") - Number(b === "");
  const xs = a.split("."), ys = b.split(".");
  for (let i = 0; i < Math.min(xs.length, ys.length); i++) {
    const x = xs[i]!, y = ys[i]!;
    if (x === y) continue;
    const nx = /^\d+$/.test(x), ny = /^\d+$/.test(y);
    if (nx && ny) return x.length - y.length || (x < y ? -1 : 1);
    if (nx !== ny) return nx ? -1 : 1;
    return x < y ? -1 : 1;
  }
  return xs.length - ys.length;
}
