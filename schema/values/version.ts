/** Versions: of API groups (`v1`, `v1beta2`) and of the product (`v1.30`). */
import { ValueError } from "./error.ts";

const STAGES = ["alpha", "beta", ""] as const;

/** The parts of `v1beta2`: stage 0 is alpha, 1 beta, 2 stable. Undefined for any other text. */
export function parseApiVersion(version: string): { major: number; stage: 0 | 1 | 2; minor: number } | undefined {
  const p = /^v([0-9]{1,15})(?:(alpha|beta)([0-9]{1,15}))?$/.exec(version);
  if (!p) return undefined;
  return { major: Number(p[1]), stage: STAGES.indexOf((p[2] ?? "") as "") as 0 | 1 | 2, minor: Number(p[3] ?? 0) };
}

/** Positive when `a` is the more stable or newer: v2 > v1 > v1beta2 > v1beta1 > v1alpha1 > other texts, those by the alphabet. */
export function compareApiVersions(a: string, b: string): number {
  if (a === b) return 0;
  const x = parseApiVersion(a), y = parseApiVersion(b);
  if (!x && !y) return a < b ? 1 : -1;
  if (!x || !y) return x ? 1 : -1;
  return x.stage - y.stage || x.major - y.major || x.minor - y.minor;
}

/** `latest`, or a release. */
export type ReleaseVersion = "latest" | { readonly major: number; readonly minor: number };

/** Reads `v1.30` or `latest`. Throws {@linkcode ValueError}. */
export function parseRelease(text: string): ReleaseVersion {
  if (text === "latest") return text;
  const p = /^v1\.(0|[1-9][0-9]{0,8})$/.exec(text);
  if (!p) throw new ValueError(`must be "latest" or "v1.x"`);
  return { major: 1, minor: Number(p[1]) };
}

/** Negative, 0 or positive. `latest` is above every release. */
export function compareReleases(a: ReleaseVersion, b: ReleaseVersion): number {
  if (a === "latest" || b === "latest") return Number(a === "latest") - Number(b === "latest");
  return a.major - b.major || a.minor - b.minor;
}

/** `v1.30` or `latest`. */
export function formatRelease(version: ReleaseVersion): string {
  return version === "latest" ? version : `v${version.major}.${version.minor}`;
}

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
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch || comparePre(a.pre, b.pre);
}

function comparePre(a: string, b: string): number {
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
